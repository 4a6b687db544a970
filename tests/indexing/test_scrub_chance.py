"""Long random values without a name: what they are when they are no secret."""

import base64
import gzip
import zlib

import pytest

from indexing.scrub import scrub
from tests.indexing.scrub_samples import ALNUM, BASE64, URL64, chars

VALUE = chars(ALNUM, 44)
FAMILY = "\U0001f469\u200d\U0001f467 und \U0001f3f3 am Fluß"
TEXT = b"Ann walks the kite along the river, and the kite pulls her over the hill. " * 3


def encoded(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def deflated(raw: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return packer.compress(raw) + packer.flush()


@pytest.mark.parametrize(
    "line",
    [
        f'"requestId": "{VALUE}"',
        f"kid: '{VALUE}'",
        f'expectedSignature = "{VALUE}"',
        f"Signature: sig1=:{VALUE}:",
        f'x5c: ["{VALUE}"]',
        f'pin-sha256=\\"{VALUE}=\\"',
        f'addSha256Pins("{VALUE}=")',
        f"sha256//{VALUE}=",
        f"boundary={VALUE}",
        f"<ds:SignatureValue>{VALUE}</ds:SignatureValue>",
        f'<pin algorithm="sha256">{VALUE}=</pin>',
        f'"jkt":"{VALUE}"',
        f"PING_URL/{chars(ALNUM, 26)}/db-backups",
        f"--{chars(URL64[:-2], 36)}--",
        f'<a name="s:{VALUE}">',
        f"GET /{chars(ALNUM, 22)}/database-backup HTTP/1.0",
        f"arn:aws:elb:eu:1:targetgroup/lambda-{chars(ALNUM, 24)}/49e9d65c45c6791a",
        f"/ipfs/bafybei{chars('abcdefghijklmnopqrstuvwxyz234567', 52)}",
        f'kty: "EC", x: "{chars(URL64, 43)}", n: "{chars(URL64, 86)}"',
        "MIIC4DCC" + chars(BASE64, 200),
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE" + chars(BASE64, 88),
        "CA=LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t" + chars(BASE64, 80),
        f'"{encoded(b"This is some test data!!!")}"',
        f'"{encoded(b"<saml:Assertion ID=" + TEXT)}"',
        f'"{encoded(gzip.compress(TEXT))}"',
        f'"{encoded(zlib.compress(TEXT))}"',
        f'"{encoded(deflated(TEXT))}"',
        f'"{encoded("Die Straße führt über den Fluß zurück.".encode())}"',
        f'"{encoded(FAMILY.encode())}"',
        f'<input name="csrfmiddlewaretoken" value="{VALUE}">',
        f'"_csrf_token" => "{VALUE}"',
        f"x=1&_csrf_token={VALUE}",
        f"dkim: v=1; bh={VALUE}",
        "\n".join(f"      |{chars(BASE64, 64, str(n))}" for n in range(3)),
    ],
)
def test_digests_identifiers_and_data_stay(line: str) -> None:
    assert scrub("src/a.txt", line + "\n").findings == ()


@pytest.mark.parametrize(
    "line",
    [
        f"data: {VALUE}",
        f'PAYLOAD = "{VALUE}"',
        f"curl https://kite.net/ -d {VALUE}",
        f"{chars(BASE64, 20)}/{chars(BASE64, 20, 'b')}+1Zz",
    ],
)
def test_chance_alone_is_flagged(line: str) -> None:
    (found,) = scrub("src/a.txt", line + "\n").findings
    assert (found.kind, found.action) == ("high_entropy", "flag")


def test_a_digest_at_one_place_is_none_at_another() -> None:
    assert scrub("src/a.txt", f'pins.put("{VALUE}")\nsha256: {VALUE}\n').findings == ()


def test_a_long_list_of_equal_width_is_data() -> None:
    lines = [f'  "{chars(BASE64, 60, str(n))}",\n' for n in range(8)]
    assert scrub("src/a.cs", "x(\n" + "".join(lines)).findings == ()


def test_a_value_in_a_notebook_is_judged_and_a_picture_is_not() -> None:
    rows = "".join(f"{chars(BASE64, 76, str(n))}\\n" for n in range(50))
    done = scrub("a.ipynb", f'{{"image/png": "{rows}", "source": ["x = \'{VALUE}\'\\n"]}}')
    assert [found.kind for found in done.findings] == ["high_entropy"]
