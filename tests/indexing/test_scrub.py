import hmac

import pytest

from indexing.scrub import redact_flagged, scrub
from indexing.scrubbing.custom import CustomPattern
from indexing.scrubbing.marks import is_mark, mark
from indexing.scrubbing.policy import Policy
from tests.indexing.scrub_samples import ALNUM, FORMATS, chars, pem

PAT = FORMATS["github_pat"]
KEY = b"k" * 32


@pytest.mark.parametrize(
    ("length", "expected"),
    [
        (20, "[REDACTED:JWT]______"),
        (14, "[REDACTED:JWT]"),
        (13, "[REDACTED]___"),
        (10, "[REDACTED]"),
        (9, "[R______]"),
        (3, "[R]"),
        (2, "**"),
        (1, "*"),
    ],
)
def test_a_mark_is_as_long_as_the_value(length: int, expected: str) -> None:
    assert mark("jwt", length) == expected
    assert is_mark(expected)


def test_a_redaction_keeps_everything_else_in_its_place() -> None:
    done = scrub("src/a.py", f'x = 1\ntoken = "{PAT}"  # why\n')
    assert done.text == f'x = 1\ntoken = "[REDACTED:GITHUB_PAT]{"_" * 19}"  # why\n'


def test_a_finding_says_where_what_and_how_sure() -> None:
    (found,) = scrub("src/a.py", f'é\r\n漢 = "{PAT}"').findings
    assert (found.line, found.start_col, found.end_col) == (2, 5, 45)
    assert (found.kind, found.action, found.confidence) == ("github_pat", "redact", "high")


def test_a_finding_has_the_keyed_hash_and_not_the_value() -> None:
    (found,) = scrub("a", PAT, policy=Policy(key=KEY)).findings
    assert found.fingerprint == hmac.digest(KEY, PAT.encode(), "sha256")
    assert PAT[8:] not in repr(found)


def test_no_text_and_no_key_shows_in_a_repr() -> None:
    flagged = f'token = "{chars(ALNUM, 32)}"'
    assert chars(ALNUM, 32) not in repr(scrub("tests/a.py", flagged))
    assert repr(KEY) not in repr(Policy(key=KEY))


def test_a_key_block_is_redacted_line_by_line_with_one_group_and_cr_lf_kept() -> None:
    text = "\r\n".join(["a", *pem(), "z"])
    done = scrub("a.txt", text)
    lines = done.text.split("\r\n")
    assert lines[:2] == ["a", "-----BEGIN RSA PRIVATE KEY-----"]
    assert lines[2] == "[REDACTED:PRIVATE_KEY]" + "_" * 42
    assert lines[6:] == ["[R_]", "-----END RSA PRIVATE KEY-----", "z"]
    assert {found.group for found in done.findings} == {0}
    assert len({found.fingerprint for found in done.findings}) == 1


@pytest.mark.parametrize("path", ["tests/test_app.py", "app/tests.py", "src/test.rs"])
def test_a_value_without_prefix_in_a_test_is_flagged_and_stays(path: str) -> None:
    text = f'app_secret = "{chars(ALNUM, 32)}"\n'
    done = scrub(path, text)
    assert done.text == text
    assert [found.action for found in done.findings] == ["flag"]


def test_a_flagged_value_is_redacted_from_what_is_sent() -> None:
    done = scrub("tests/test_app.py", f'app_secret = "{chars(ALNUM, 32)}"\n')
    sent = redact_flagged(done.text, done.findings)
    assert sent == f'app_secret = "[REDACTED:ASSIGNED_SECRET]{"_" * 6}"\n'


@pytest.mark.parametrize("path", ["src/app.py", "lib/testament.py", "contest/main.go"])
def test_the_same_value_elsewhere_is_redacted(path: str) -> None:
    done = scrub(path, f'app_secret = "{chars(ALNUM, 32)}"\n')
    assert [found.action for found in done.findings] == ["redact"]


def test_flagging_in_tests_can_be_switched_off() -> None:
    policy = Policy(flag_in_tests=False)
    done = scrub("tests/test_app.py", f'app_secret = "{chars(ALNUM, 32)}"\n', policy=policy)
    assert [found.action for found in done.findings] == ["redact"]


def test_a_published_format_in_a_test_is_redacted() -> None:
    assert scrub("tests/a.py", f'"{PAT}"').findings[0].action == "redact"


def test_a_redacted_value_is_redacted_wherever_it_stands_again() -> None:
    value = chars(ALNUM, 24)
    done = scrub("a.py", f'client_secret = "{value}"\nprint("x{value}y")\n')
    assert value not in done.text
    assert [found.line for found in done.findings] == [1, 2]


def test_overlapping_matches_are_one_finding_named_by_the_most_specific() -> None:
    done = scrub("a.env", f"CLIENT_SECRET={PAT}-tail9\n")
    assert [found.kind for found in done.findings] == ["github_pat"]
    assert done.text.startswith("CLIENT_SECRET=[REDACTED:GITHUB_PAT]__")


def test_the_administrators_own_pattern() -> None:
    house = CustomPattern("house_key", r"HK-[0-9]{6}", ("hk-",))
    done = scrub("a.txt", "id HK-123456 end", policy=Policy(custom=(house,)))
    assert done.text == "id [R______] end"


def test_a_secret_across_the_edge_of_a_slice_is_found() -> None:
    for before in range(2**20 - 42, 2**20 + 2, 6):
        assert PAT not in scrub("a.txt", " " * before + PAT).text


def test_a_plain_word_used_as_a_password_is_redacted_there_only() -> None:
    text = "kind: Secret\nstringData:\n  env: production\n# production\n"
    assert scrub("k.yaml", text).text.endswith("  env: [REDACTED]\n# production\n")
