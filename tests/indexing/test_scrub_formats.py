"""Every published format is found in its usual surroundings, and its look-alikes are not."""

import base64
import binascii

import pytest

from indexing.scrub import scrub
from indexing.scrubbing.formats import FORMATS as RULES
from tests.indexing.scrub_samples import ALNUM, FORMATS, HEX, IN_PLACE, chars, encoded, jwt, pem

AROUND = [
    ("x = '", "'"),
    ("X=", ""),
    ("  - ", "\r\n"),
    ('print("\\n', '")'),
    ("<v>", "</v>"),
    ("a%3D", "&b=1"),
    ("(", "),"),
    ("`", "`."),
]


def kinds(text: str, path: str = "src/app.py") -> set[str]:
    return {found.kind for found in scrub(path, text).findings}


@pytest.mark.parametrize("kind", FORMATS)
def test_a_format_is_found_by_its_shape_alone(kind: str) -> None:
    value = FORMATS[kind]
    for before, after in AROUND:
        done = scrub("src/app.py", f"a\n{before}{value}{after}\n")
        assert value not in done.text
        assert done.findings[0].end_col - done.findings[0].start_col == len(value)
        assert kind in {found.kind for found in done.findings}


@pytest.mark.parametrize("kind", IN_PLACE)
def test_a_value_without_prefix_is_found_where_its_provider_is_named(kind: str) -> None:
    before, value = IN_PLACE[kind]
    done = scrub("src/app.py", f"{before}{value}\n")
    assert done.text.startswith(f"{before}[R")
    assert kind in {found.kind for found in done.findings}


def test_every_rule_of_the_table_has_a_sample() -> None:
    assert {rule.kind for rule in RULES} <= {*FORMATS, *IN_PLACE}


def test_every_keyword_is_lower_case() -> None:
    assert [w for rule in RULES for w in rule.keywords if w != w.lower()] == []


@pytest.mark.parametrize(
    "value",
    [
        "gh" + "p_" + "*" * 36,
        "gh" + "p_" + "x" * 36,
        "gl" + "pat-" + "x" * 20,
        "sk" + "_live_" + "0" * 24,
        "AK" + "IA" + "X" * 16,
        "AK" + "IA" + "IOSFODNN7EXAMPLE",
        "AR" + "OA" + chars("ABCDEFGH234567", 17),
        "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
        "gh" + "p_" + "abcdefghijklmnopqrstuvwxyz0123456789",
        "xo" + "xb-your-token-here",
        "https://hooks.slack.com/services/T00000000/B00000000/" + "X" * 24,
        "pk" + "_live_" + chars(ALNUM, 24),
        r"AKIA[0-9A-Z]{16}",
        r"gh[pousr]_[A-Za-z0-9]{36}",
    ],
)
def test_documented_examples_and_public_values_stay(value: str) -> None:
    assert kinds(f'aws_secret_access_key = "{value}"\n') == set()


@pytest.mark.parametrize(
    "text",
    [
        "SK" + chars(HEX, 33),
        "x" + FORMATS["aws_access_key_id"],
        FORMATS["aws_access_key_id"] + "A",
        "task" + FORMATS["mailgun_key"][3:],
    ],
)
def test_a_format_needs_edges(text: str) -> None:
    assert kinds(text) & {"twilio_api_key", "aws_access_key_id", "mailgun_key"} == set()


def test_a_jwt_needs_a_header_that_decodes() -> None:
    fake = f"eyJ{chars(ALNUM, 30)}.eyJ{chars(ALNUM, 30)}.{chars(ALNUM, 43)}"
    assert "jwt" not in kinds(fake)
    assert kinds("eyJurisdiction.eyebrowRenderer.drawAllVisibleElements()") == set()


def test_a_public_jwt_is_no_secret() -> None:
    assert kinds(f"x {jwt(role='anon')}") == set()
    assert kinds(f"x {jwt(role='service_role')}") == {"jwt"}


def test_a_jwt_header_with_white_space_is_a_jwt() -> None:
    header = encoded({"alg": "RS256"})
    assert kinds(f'"{header}.{encoded({"a": 1})}.{chars(ALNUM, 86)}"') == {"jwt"}


def test_the_jwt_of_all_documentation_is_none() -> None:
    claims = {"sub": "1234567890", "name": "John Doe", "iat": "1516239022"}
    assert kinds(f"x {jwt(**claims)}") == set()
    assert kinds(f"x {jwt(sub='1234567890')}") == {"jwt"}


@pytest.mark.parametrize(
    "joint", ["' + '", '" + "', '" +\n    "', "'.'", '" .. "', '" & _\n  "', "'.concat('"]
)
def test_a_value_split_over_string_literals_is_found(joint: str) -> None:
    value, quote = FORMATS["github_pat"], joint[0]
    text = f"x = {quote}{value[:9]}{joint}{value[9:]}{quote}\n"
    done = scrub("src/app.js", text)
    assert value[:9] not in done.text
    assert value[9:] not in done.text
    assert joint in done.text
    assert {found.group for found in done.findings} == {0}


def test_a_format_inside_base64_is_flagged_as_a_whole() -> None:
    blob = base64.b64encode(f"token={FORMATS['github_pat']}".encode()).decode()
    (found,) = scrub("src/app.py", f'BLOB = "{blob}"').findings
    assert (found.kind, found.action) == ("github_pat", "flag")
    assert (found.start_col, found.end_col) == (8, 8 + len(blob))


def test_a_key_in_wrapped_base64_is_flagged_line_by_line() -> None:
    blob = base64.b64encode("\n".join(pem()).encode()).decode()
    lines = [blob[at : at + 76] for at in range(0, len(blob), 76)]
    done = scrub("src/app.py", "x = (\n" + "\n".join(f"    '{line}'" for line in lines) + "\n)\n")
    assert [(found.kind, found.action) for found in done.findings] == [
        ("private_key", "flag") for _ in lines
    ]
    assert len({found.group for found in done.findings}) == 1


def test_the_short_last_line_of_base64_belongs_to_it() -> None:
    blob = base64.b64encode(f"a:{FORMATS['slack_user_token']}".encode()).decode()
    lines = [blob[:76], blob[76:]]
    assert len(lines[1]) < 33
    done = scrub("src/app.txt", "\n".join(lines) + "\nword\n")
    assert [found.line for found in done.findings] == [1, 2]


@pytest.mark.parametrize("around", ["\\x22{}\\x22", "${{ITEM:-{}}}"])
def test_an_escape_or_a_default_is_an_edge(around: str) -> None:
    for kind in ("github_pat", "azure_ad_client_secret", "vault_token"):
        assert FORMATS[kind] not in scrub("src/a.txt", around.format(FORMATS[kind])).text


def test_a_value_that_goes_on_behind_the_end_of_a_line_is_found() -> None:
    value = FORMATS["github_pat"]
    done = scrub("src/a.sh", f'K="{value[:20]}\\\n{value[20:]}"\n')
    assert value[:20] not in done.text
    assert value[20:] not in done.text


def test_a_nats_seed_needs_its_check_sum() -> None:
    raw = bytes([0x95, 0x00, *range(40, 72)])
    raw += binascii.crc_hqx(raw, 0).to_bytes(2, "little")
    seed = base64.b32encode(raw).decode().rstrip("=")
    assert kinds(f"seed: {seed}") == {"nkey_seed"}
    assert kinds(f"seed: {seed}", path="vendor.lock") == {"nkey_seed"}
    assert kinds(f"seed: {seed[:-3]}AAA") == set()


@pytest.mark.parametrize("width", [16, 20, 32])
@pytest.mark.parametrize("indent", ["", "    "])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_format_inside_base64_of_narrow_lines_is_flagged(width, indent, end) -> None:
    data = base64.b64encode(f"user: {FORMATS['github_pat']} x".encode()).decode()
    lines = [indent + data[at : at + width] for at in range(0, len(data), width)]
    done = scrub("a.txt", f"head{end}{end.join(lines)}{end}tail{end}")
    assert {(found.kind, found.action) for found in done.findings} == {("github_pat", "flag")}
    assert [found.line for found in done.findings] == list(range(2, 2 + len(lines)))
    assert {found.start_col for found in done.findings} == {len(indent)}


def test_narrow_lines_of_words_are_left_alone() -> None:
    assert scrub("words.txt", "internationalization\nelectroencephalogram\n" * 50).findings == ()


def test_base64_with_line_ends_of_xml_is_one_block() -> None:
    runs = [chars(ALNUM, 72) for _ in range(4)]
    assert scrub("a.xmp", "<i>" + "&#xA;".join(runs) + "</i>").findings == ()


def test_digests_of_modules_are_no_secrets() -> None:
    line = "golang.org/x/oauth2 v0.36.0 h1:" + "peZ/1z27fi9hUOFCAZaHyrpWG5lwe0RJ" + "EEEeH0ThlIs="
    assert scrub("go.sum", f"{line}\n").findings == ()
