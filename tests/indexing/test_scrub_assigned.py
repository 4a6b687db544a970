"""Random values assigned to names like SECRET, TOKEN, PASSWORD; entropy as the last resort."""

import pytest

from indexing.scrub import scrub
from tests.indexing.scrub_samples import ALNUM, BASE64, HEX, chars, uuid

SECRET = chars(ALNUM, 32)
HEXED = chars(HEX, 48)
PASSWORD = "oD0q" + "nR!TYcwZL_JK"

SYNTAXES = [
    "{n} = '{v}'",
    "{n}={v}",
    "{n}: {v}\r",
    '"{n}": "{v}",',
    "'{n}' => '{v}',",
    '\\"{n}\\": \\"{v}\\"',
    "export {n}={v}",
    "ENV {n} {v}",
    "run --{n} {v} --yes",
    "run --{n}={v}",
    "<{n}>{v}</{n}>",
    '<add key="{n}" value="{v}" />',
    '<entry key="{n}">{v}</entry>',
    "  - name: {n}\n    value: {v}",
    '{n} := "{v}"',
    "const {n}: string = `{v}`;",
    '#define {n} "{v}"',
    "define('{n}', '{v}');",
    'config["{n}"] = "{v}"',
    'process.env.{n} || "{v}"',
    'os.environ.get("{n}", "{v}")',
    'ENV.fetch("{n}") {{ "{v}" }}',
    "{n}=${{X:-{v}}}",
    '{{"name": "{n}", "value": "{v}"}}',
    '@Property(name = "{n}", defaultValue = "{v}")',
    'variable "{n}" {{\n  type = string\n  default = "{v}"\n}}',
    "INSERT INTO t VALUES ('{n}', '{v}');",
    "| {n} | `{v}` |",
    "Set `{n}` to `{v}` first.",
    "# {n}: {v}",
    'b.set{n}("{v}").c()',
    "https://a.b/c?{n}={v}&d=1",
    "{n}: >-\n  {v}",
]


@pytest.mark.parametrize("syntax", SYNTAXES)
@pytest.mark.parametrize("value", [SECRET, HEXED])
def test_a_random_value_of_a_telling_name(syntax: str, value: str) -> None:
    text = syntax.format(n="client_secret", v=value)
    done = scrub("src/app.rs", text)
    assert [found.kind for found in done.findings] == ["assigned_secret"]
    assert done.text == text.replace(value, "[REDACTED:ASSIGNED_SECRET]".ljust(len(value), "_"))


@pytest.mark.parametrize("syntax", SYNTAXES)
def test_a_password(syntax: str) -> None:
    done = scrub("src/app.rs", syntax.format(n="DB_PASSWORD", v=PASSWORD))
    assert PASSWORD not in done.text


@pytest.mark.parametrize(
    "name", ["apiKey", "AUTH_TOKEN", "jwt-secret", "signingKey", "x.api.key", "licence_key"]
)
def test_names_of_secrets(name: str) -> None:
    assert SECRET not in scrub("src/app.rs", f'{name} = "{SECRET}"').text


@pytest.mark.parametrize(
    "line",
    [
        f"token_id = '{SECRET}'",
        f"tokenizationId = '{chars(HEX, 32)}'",
        f"public_key = '{chars(HEX, 64)}'",
        f"sortKey = '{chars(ALNUM, 20)}'",
        f"SECRET_HASH = '{chars(HEX, 64)}'",
    ],
)
def test_names_that_only_sound_like_it(line: str) -> None:
    assert scrub("src/app.rs", line).findings == ()


@pytest.mark.parametrize("value", ["P4$$word", "Pa$$w0rd", "p4s5w0rd" + "!x9Q"])
def test_a_disguised_word_is_no_password(value: str) -> None:
    found = scrub("src/app.rs", f'password = "{value}"').findings
    assert [one.kind for one in found] == ["assigned_password"] * value.endswith("Q")


@pytest.mark.parametrize(
    "value",
    [
        "changeme",
        "<your-token>",
        "YOUR_API_KEY_HERE",
        "insert-your-token-here",
        "${TOKEN}",
        "$TOKEN",
        "{{ .Values.token }}",
        "%API_TOKEN%",
        "os.environ['TOKEN_OF_THE_APP']",
        "secrets.token_urlsafe(32)",
        "request.headers.get('X-Api-Key')",
        "data.vault_generic_secret.app",
        "0" * 40,
        "abcdefghijklmnopqrstuvwxyz012345",
        "tenantInventoryResolverAdapterExists2",
        "prod-billing-db-credentials-v44",
        "exports/2026/03/report-final-v10.csv",
        "/run/secrets/db_password",
        "https://login.acme.io/oauth2/v1/token",
        "urn:ietf:params:oauth:token-type:jwt",
        "0x" + chars(HEX, 40),
        uuid(),
        "v5.12.4-SNAPSHOT",
        "at least 12 characters, mixed case",
        "not-a-real-secret",
        "null",
    ],
)
def test_references_code_names_and_stand_ins_stay(value: str) -> None:
    lines = f"auth_token = {value}\nauth_token: '{value}'\npassword = \"{value}\"\n"
    assert scrub("src/app.py", lines).findings == ()


@pytest.mark.parametrize("word", ["hook", "test", "password", "example1"])
def test_a_word_inside_a_random_value_does_not_save_it(word: str) -> None:
    value = f"{chars(ALNUM, 20)}{word}{chars(ALNUM, 20, 'b')}".replace("example1", "exampl1e")
    assert value not in scrub("src/app.py", f'api_token = "{value}"').text


def test_a_long_random_string_without_a_name_is_flagged() -> None:
    (found,) = scrub("src/app.py", f'PAYLOAD = "{chars(ALNUM, 44)}"').findings
    assert (found.kind, found.action) == ("high_entropy", "flag")


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("src/a.py", f'GIT_COMMIT = "{chars(HEX, 40)}"'),
        ("src/a.py", f'x = "{chars(ALNUM, 32)}"'),
        ("src/a.js", f'integrity="sha384-{chars(BASE64, 64)}"'),
        ("src/a.js", f"script-src 'sha256-{chars(BASE64, 43)}='"),
        ("package-lock.json", f'"x": "{chars(ALNUM, 60)}"'),
        ("go.sum", f"a.b/c v1.0.0 h1:{chars(BASE64, 43)}="),
        ("a.css", f"url(data:image/png;base64,{chars(BASE64, 200)})"),
        ("a.md", f"https://docs.acme.com/document/d/{chars(ALNUM, 44)}/edit"),
        ("a.py", "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="),
        ("a.java", "callTenantInventoryResolverAdapterExistsResolver2Already()"),
        ("a.py", 'B = "VGhlIHF1aWNrIHJlcG9ydCBmb3IgcG9saWN5IGlzIHJlYWR5IHRvIGJlIHJlYWQ="'),
    ],
)
def test_hashes_addresses_and_data_stay(path: str, line: str) -> None:
    assert scrub(path, line).findings == ()


def test_several_lines_of_base64_are_data() -> None:
    lines = [chars(BASE64, 76, str(n)) for n in range(4)]
    assert (
        scrub("src/a.py", "x = (\n" + "".join(f"    '{n}'\n" for n in lines) + ")").findings == ()
    )
    assert len(scrub("src/a.py", "".join(f"    '{n}',\n" for n in lines)).findings) == 4
