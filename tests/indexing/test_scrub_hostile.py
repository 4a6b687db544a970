"""Inputs that are built to cost time: every rule stays linear, and memory bounded."""

from typing import Any

import pytest

from indexing.scrub import scrub
from indexing.scrubbing.custom import CustomPattern
from indexing.scrubbing.matches import Match
from indexing.scrubbing.policy import Policy
from indexing.scrubbing.scanner import scan
from tests.indexing.scrub_samples import ALNUM, FORMATS, chars

SIZE = 100_000
# A machine with other work runs at a tenth of its speed; quadratic rules take minutes.
pytestmark = pytest.mark.timeout(30)
REPEATED = [
    "a",
    "0",
    "token",
    "token=",
    'password="',
    "secret<",
    "token   \n  ",
    'token" {\n',
    "eyJ",
    "eyJhbGciOiJIUzI1NiJ9.",
    "@",
    "a@b.",
    "[at]",
    "a[at]b.",
    "-----BEGIN RSA PRIVATE KEY-----",
    "-----BEGIN RSA PRIVATE KEY-----\n",
    "Private-Lines: 9999\n",
    "kind: Secret\n",
    "kind: Secret\ndata:\n a: b\n",
    '{"kty": ',
    "curl -u ",
    "machine a login b ",
    "h://:",
    "' + '",
    "' + 'abc",
    "bearer ",
    "glpat-",
    "hooks.slack.com/services/T",
    "aws_secret",
    "datadog\n",
    "sk-T3BlbkFJ",
    "8Q~",
    "azdo",
    "$6$",
    "$argon2id$v=19$m=1,t=1,p=1$",
    "otpauth://totp/",
    "212-666 ",
    "4000 ",
    "DE00 0000 ",
    "[REDACTED:JWT]",
    "[R",
    "\\n",
    "\x00",
    "\ud800",
    "mysql ",
    "mysql -",
    "auth=('a', '",
    "identified by ",
    "pass:",
    "pass = ",
    "@tcp(",
    "ssn ",
    "a at b dot com ",
    "password is ",
    "api key ",
    "kty: ",
    "-----BEGIN+PRIVATE+KEY",
    "MIIEvQIBADANBgkq\n",
    "ssh -p 1 ",
    '"\n"',
    '"\n"abc',
    "token[",
    "token[a",
    "token = f(",
    "token = f(a, ",
    "token string `a",
    "token: {",
    'token": {"a": "b", ',
    "token {a;",
    "<token>\n<value>\n",
    "&quot;token&quot;:",
    "token = <%= a ",
    'token" a="b"',
    "value: abcdefg1 name: token",
    "aB1cD2eF3 token ",
    "token=a1%26",
    "password\n    ",
    "name: token\n  value:\n",
    "&#97;",
    "&#64;",
    "a\\\n",
    "' & _\n 'a",
    "[ at ]",
    "3622 720627 ",
    "DE00-0000-",
]


@pytest.mark.parametrize("piece", REPEATED)
def test_repetition_takes_linear_time(piece: str) -> None:
    text = piece * (SIZE // len(piece))
    done = scrub("a.txt", text)
    assert len(done.text) == len(text)


def test_one_long_random_line() -> None:
    text = chars(ALNUM, 1000) * 1000
    assert scrub("a.txt", text).findings == ()


def test_a_pattern_that_goes_back_over_a_text_takes_linear_time() -> None:
    patterns = (r"(a+)+b", r"(a|aa)*c", r"(.*)*=(.*)*;")
    custom = tuple(CustomPattern(f"x{n}", one) for n, one in enumerate(patterns))
    done = scrub("a.txt", "a" * 1_000_000 + "!", policy=Policy(custom=custom))
    assert done.findings == ()


def test_a_pattern_that_stands_everywhere_covers_the_rest_of_the_file() -> None:
    policy = Policy(custom=(CustomPattern("kite", "KITE-[0-9]"),))
    done = scrub("a.txt", "KITE-1 \ud800é\n" * 100_000, policy=policy)
    assert "KITE" not in done.text
    assert done.text.count("\n") == 100_000
    assert len(done.findings) < 2 * 100_000


def test_the_work_grows_with_the_findings_and_not_faster(counted: list[int]) -> None:
    few, many = (_looked_at(counted, rows) for rows in (500, 5_000))
    assert many <= 12 * few


def _looked_at(counted: list[int], rows: int) -> int:
    """Characters of text that all passes over a file of distinct findings have read."""
    counted.clear()
    scrub("a.txt", "".join(f"ann{n}@kitehouse.net\n" for n in range(rows)))
    return sum(counted)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    sizes: list[int] = []

    def counting(path: str, text: str, policy: Policy, **given: Any) -> list[Match]:
        sizes.append(len(text))
        return scan(path, text, policy, **given)

    monkeypatch.setattr("indexing.scrub.scan", counting)
    return sizes


def test_many_findings() -> None:
    text = f"{FORMATS['aws_access_key_id']}\n" * 20_000
    done = scrub("a.txt", text)
    assert len(done.findings) == 20_000
    assert done.text == "[REDACTED]__________\n" * 20_000


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_million_findings_and_a_hundred_megabytes() -> None:
    value = FORMATS["aws_access_key_id"]
    assert len(scrub("a.txt", f"{value}\n" * 1_000_000).findings) == 1_000_000
    line = scrub("a.txt", f"{'word ' * 20_000_000}{value}")
    assert [found.start_col for found in line.findings] == [100_000_000]


@pytest.mark.parametrize(
    "piece",
    ["12", "827364", "sha256", "desede", "aes-cbc:", "password", "mypass", "a/", "a.", "a_", "aB1",
     "a::b", "%d", "x@", "[a-z]", "0x", "v1.", "npm:", "-", "://"],
)  # fmt: skip
@pytest.mark.parametrize("end", ["x!Q", "!", "é", ""])
def test_a_value_of_one_thing_over_and_over(piece: str, end: str):
    """Patterns that take a value apart in many ways must not try all of them."""
    value = (piece * 200)[:180] + end
    for text in (f'password = "{value}"\n', f"api_token: {value}\n", f"--password {value}\n"):
        assert len(scrub("src/settings.py", text).text) == len(text)
