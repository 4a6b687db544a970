"""Every published format in the places where people leave one."""

import base64
import json

import pytest

from indexing.scrub import scrub
from tests.indexing.scrub_samples import FORMATS, chars

# By name: path, and the text around the value.
PLACES = {
    "yaml": ("a.yml", "app:\n  item: {}\n"),
    "json": ("a.json", '{{"item":"{}","port":80}}'),
    "json in a string": ("a.js", 'x = "{{\\"item\\":\\"{}\\"}}";'),
    "docker env": ("Dockerfile", "FROM a\nENV ITEM {}\n"),
    "shell": ("a.sh", "export ITEM={}\n"),
    "toml": ("a.toml", 'item = "{}"\n'),
    "xml attribute": ("a.xml", '<p name="item" value="{}"/>\n'),
    "xml text": ("a.xml", "<item>{}</item>\n"),
    "C#": ("A.cs", 'var item = @"{}";\n'),
    "Go": ("a.go", "item := `{}`\n"),
    "PHP": ("a.php", "define('ITEM', '{}');\n"),
    "Ruby": ("a.rb", "x = {{ :item => '{}' }}\n"),
    "Terraform": ("a.tf", '  item = "{}"\n'),
    "query": ("a.md", "GET https://api.kite.net/v1?item={}&page=2\n"),
    "header": ("a.http", "X-Item: {}\nHost: a\n"),
    "table": ("a.md", "| `item` | `{}` |\n"),
    "log": ("a.log", "12:00:01Z INFO item={} user=5\n"),
    "csv": ("a.csv", "1,prod,{}\n"),
    "notebook": ("a.ipynb", '{{"source": ["item = \\"{}\\"\\n", "1"]}}'),
    "carriage returns": ("a.ini", "[x]\r\nitem={}\r\nb=1\r\n"),
    "byte order mark": ("a.ini", "\ufeffitem={}\n"),
    "alone": ("a.txt", "{}"),
    "end without newline": ("a.txt", "hello\nitem={}"),
    "long line": ("a.min.js", "f(x);" * 200 + 'item="{}";' + "g(y);" * 200),
    "between ideographs": ("a.md", "密钥是{}，请勿外传。\n"),
    "terminal colour": ("a.log", "\x1b[32m{}\x1b[0m\n"),
    "encoded address": ("a.txt", "u=https%3A%2F%2Fa.b%2F%3Fitem%3D{}%26x%3D1\n"),
    "prose": ("a.md", "the item ({}) works\n"),
}
JOINTS = {"operator": "' + '", "next line": '"\n    "', "shift": '" <> "', "f string": '"\n  f"'}


def leaks(path: str, text: str, *values: str) -> bool:
    done = scrub(path, text).text
    return len(done) != len(text) or any(value in done for value in values)


@pytest.mark.parametrize("place", PLACES)
def test_no_format_gets_through(place: str) -> None:
    path, around = PLACES[place]
    found = [kind for kind, value in FORMATS.items() if leaks(path, around.format(value), value)]
    assert found == []


@pytest.mark.parametrize("joint", JOINTS)
def test_no_format_gets_through_in_two_pieces(joint: str) -> None:
    quote = JOINTS[joint][0]
    found = []
    for kind, value in FORMATS.items():
        first, second = value[: len(value) // 2], value[len(value) // 2 :]
        text = f"x = ({quote}{first}{JOINTS[joint]}{second}{quote})\n"
        if leaks("a.x", text, first, second):
            found.append(kind)
    assert found == []


def test_no_format_gets_through_in_a_kubernetes_secret() -> None:
    found = []
    for kind, value in FORMATS.items():
        inside = base64.b64encode(value.encode()).decode()
        text = f"data:\n  item: {inside}\nkind: Secret\n"
        if leaks("a.yaml", text, inside):
            found.append(kind)
    assert found == []


@pytest.mark.parametrize(
    "around",
    [
        'k = {{ kty: "EC", crv: "P-256", d: "{}" }}\n',
        "k = {{'kty': 'oct', 'k': '{}'}}\n",
        "kty: EC\ncrv: P-256\nd: {}\n",
        json.dumps(json.dumps({"kty": "OKP", "d": "VALUE"}))
        .replace("{", "{{")
        .replace("}", "}}")
        .replace("VALUE", "{}"),
        '{{"Kty":"RSA","D":"{}"}}',
    ],
)
def test_private_members_of_a_key_are_found_in_any_syntax(around: str) -> None:
    value = chars("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789", 43)
    assert not leaks("a.x", around.format(value), value)
