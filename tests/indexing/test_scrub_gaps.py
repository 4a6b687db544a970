"""What may stand between a name and its value: passwords and random values in many languages."""

import pytest

from indexing.scrub import scrub
from tests.indexing.scrub_samples import ALNUM, BASE64, HEX, chars

# `{n}` is the name, `{v}` the value.
GAPS = {
    "aligned fields": '\tName:     "a",\n\t{n}:       "{v}",\n',
    "escaped twice": '"{{\\\\\\"{n}\\\\\\": \\\\\\"{v}\\\\\\"}}"',
    "entities": "&quot;{n}&quot;:&quot;{v}&quot;\n",
    "escapes as quotes": "\\u0022{n}\\u0022:\\u0022{v}\\u0022\n",
    "typed value": '{{"{n}": {{"type": "String", "value": "{v}"}}}}',
    "value first": '- value: "{v}"\n  name: {n}\n',
    "value first in JSON": '{{"value":"{v}","name":"{n}"}}',
    "triple quotes": '{n} = """\n{v}"""\n',
    "parenthesis": '{n} = (\n    "{v}"\n)\n',
    "continued line": "{n}=\\\n    {v}\n",
    "property": '<property name="{n}">\n <value>{v}</value>\n</property>\n',
    "elements": "  <name>{n}</name>\n  <value>{v}</value>\n",
    "plist": "<key>{n}</key>\n\t<string>{v}</string>\n",
    "attributes between": '<input type="hidden" id="{n}" name="x" value="{v}">\n',
    "options": "az keyvault secret set --name {n} --value '{v}'\n",
    "body": 'gh secret set {n} --body "{v}"\n',
    "field with a default": '{n}: str = Field(default="{v}")\n',
    "lambda": "{n} = lambda: '{v}'\n",
    "cast": "const {n} = <string>'{v}';\n",
    "brace": "<A {n}={{'{v}'}} />\n",
    "condition": "const {n} = prod ? env.X : '{v}';\n",
    "type behind the name": 'const {n} string = "{v}"\n',
    "bytes": 'var {n} = []byte("{v}")\n',
    "tag": '{n} string `env:"X" default:"{v}"`\n',
    "or else": 'env::var("{n}").unwrap_or_else(|_| "{v}".to_string())\n',
    "or": 'Optional.ofNullable(getenv("{n}")).orElse("{v}")\n',
    "accessors": 'public string {n} {{ get; set; }} = "{v}";\n',
    "array": 'const char {n}[64] = "{v}";\n',
    "argument": 'strcpy({n}, "{v}");\n',
    "tuple": '{{{n}, "{v}"}}.\n',
    "binary": '#{{{n} => <<"{v}">>}}\n',
    "initializer": 'std::string {n}{{"{v}"}};\n',
    "brackets": "{n} = [[{v}]]\n",
    "q": "{n} = %q({v})\n",
    "hash member": "$c{{{n}}} = '{v}';\n",
    "arrow": '{n} <- "{v}"\n',
    "inside a template": "{n}: <%= ENV['X'] || '{v}' %>\n",
    "declaration": "DECLARE @{n} NVARCHAR(64) = N'{v}';\n",
    "comparison": 'if ($http_{n} != "{v}") {{ return 403; }}\n',
    "a line of two words": "# a\n{n} {v}\n# b\n",
    "a row": "{n},{v}\n",
    "encoded address": "x=https%3A%2F%2Fa%3F{n}%3D{v}%26b%3D1\n",
    "full width": "数据库{n}：{v}\n",
}
# Where nothing else says that a value begins, it must look random to the last.
STRICT = ("a line of two words", "encoded address", "a row", "brackets", "q")
PASSWORDS = [
    "a0QsrRrV" + "JY2VW",
    "BY.RFmjf24" + "yw*y_X-Uz",
    "w8Yy.RDxHd" + "hqr_Wpt.e",
    "lgf-7FApd" + ".0Wl",
    "Vxmvywn3" + "+9zragw",
]
SECRETS = [chars(ALNUM, 32), chars(HEX, 40), "J9IH/Q/jwv5D" + "WUGjd9XZPB/ds3U8lLqc"]


@pytest.mark.parametrize("gap", GAPS)
def test_a_password(gap: str) -> None:
    some = PASSWORDS[:1] if gap in STRICT else PASSWORDS
    leaks = [
        value
        for value in some
        if value in scrub("src/a.x", GAPS[gap].format(n="db_password", v=value)).text
    ]
    assert leaks == []


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("value", SECRETS[:2])
def test_a_random_value(gap: str, value: str) -> None:
    text = GAPS[gap].format(n="client_secret", v=value)
    done = scrub("src/a.x", text).text
    assert value not in done
    assert len(done) == len(text)
    assert "client_secret" in done


@pytest.mark.parametrize(
    "text",
    [
        "auth_token = '{}'\n",
        "/{}".join(("auth_token = '", "'\n")),
        'api_key = "{}"\n',
        "${{TOKEN:{}}}\n",
    ],
)
def test_base64_that_looks_like_a_path(text: str) -> None:
    assert SECRETS[2] not in scrub("src/a.x", text.format(SECRETS[2])).text


@pytest.mark.parametrize("name", ["rootPw", "ROOT_PW", "root_pw", "dbPass", "ftp-pass"])
def test_short_names_of_passwords(name: str) -> None:
    assert PASSWORDS[0] not in scrub("src/a.x", f'{name} = "{PASSWORDS[0]}"\n').text


@pytest.mark.parametrize(
    "text",
    [
        # The end of a digest is no name, and the next entry no value.
        "sha512-" + chars(BASE64, 83) + 'nPw==\n\n"@kite/wind@^0.3.0":\n',
        f'["{chars(ALNUM, 20)}Rpw==", "{chars(ALNUM, 9)}"]\n',
        "fs-minipass: \"npm:^7.0.3\"\n'strip-bom@npm:^3.0.0':\n",
        'TOKEN = "([a-zA-Z0-9-!#$%&\'*+.^_`{|}~]+)"\n',
        "Password::$defaultCallback = null;\n",
        "  password: " + "cGFzc3dvcmQ=" + "\n",
        '"_Authenticated.33ba23f3.js": {"token": "_Authenticated.33ba23f3.js"}\n',
        'oauth_signature="86gpxY1DUXSB' + 'RRyWnRNJekeWEzw%3D"\n',
        "token works by passing files to *KiteFly*.\n",
        "X=${ADMIN_PASS:-S3KeyProvider}\n",
        '{"a": "Access Token",\n "smsgatewayUrlHelptext": "The URL"}\n',
        'A password. Use <a href="%[1]s%[2]s">this</a>\n',
        "client_secret: secret-value\n  password: my-super-long-secret\n",
        "auth_token: pbkdf2:sha256:600000\nauth_hash: md5-" + chars(HEX, 32) + "\n",
        "password = self.config.db_passwords.primary\n",
        "token = rsa.PKCS1v15EncryptedToken\n",
        "key_auth: github.com/kite/auth/v2@v2.3.1\n",
        "password: " + "|\n  keys:\n    Wind2Kite: x\n",
    ],
)
def test_what_only_stands_behind_a_telling_name_stays(text: str) -> None:
    assert scrub("src/a.x", text).findings == ()
