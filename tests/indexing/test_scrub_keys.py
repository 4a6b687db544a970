"""Private keys in the wrappings that people put them in."""

import pytest

from indexing.scrub import scrub
from tests.indexing.scrub_samples import ALNUM, BASE32, BASE64, chars, pem

LINES = pem()
BODY = LINES[1:-1]
KINDS = [
    "PRIVATE KEY",
    "RSA PRIVATE KEY",
    "EC PRIVATE KEY",
    "DSA PRIVATE KEY",
    "OPENSSH PRIVATE KEY",
    "ENCRYPTED PRIVATE KEY",
    "PGP PRIVATE KEY BLOCK",
]
WRAPPINGS = {
    "plain": "\n".join(LINES),
    "crlf": "\r\n".join(LINES),
    "json": '{"key": "' + "\\n".join(LINES) + '\\n"}',
    "json in json": '"{\\"key\\": \\"' + "\\\\n".join(LINES) + '\\\\n\\"}"',
    "yaml": "key: |\n" + "\n".join("    " + line for line in LINES),
    "java": " +\n".join(f'    "{line}\\n"' for line in LINES),
    "javascript": " +\n".join(f"    '{line}\\n'" for line in LINES),
    "python": "\n".join(f'    b"{line}\\n"' for line in LINES),
    "comment": "\n".join(f"# {line}" for line in LINES),
    "margin": 'k = """\n' + "\n".join(f"    |{line}" for line in LINES) + '\n"""',
    "one line": " ".join(LINES),
    "stripped": "".join(LINES),
    "cut off": "\n".join(LINES[:-1]),
    "with headers": "\n".join(
        [LINES[0], "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-128-CBC,00FF", "", *LINES[1:]]
    ),
}


@pytest.mark.parametrize("name", WRAPPINGS)
def test_no_line_of_the_body_survives(name: str) -> None:
    text = f"before\n{WRAPPINGS[name]}\nafter\n"
    done = scrub("src/keys.txt", text)
    assert [line for line in BODY if line in done.text] == []
    assert {found.kind for found in done.findings} == {"private_key"}
    assert len({found.group for found in done.findings}) == 1


@pytest.mark.parametrize("name", WRAPPINGS)
def test_what_is_around_the_body_stays(name: str) -> None:
    done = scrub("src/keys.txt", f"before\n{WRAPPINGS[name]}\nafter\n")
    assert done.text.startswith("before\n")
    assert done.text.endswith("\nafter\n")
    assert LINES[0] in done.text


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_block(kind: str) -> None:
    lines = pem(kind)
    done = scrub("a", "\n".join(lines))
    assert done.text.split("\n")[0] == lines[0]
    assert done.text.split("\n")[-1] == lines[-1]
    assert lines[1] not in done.text


def test_headers_of_an_encrypted_key_stay() -> None:
    done = scrub("a", WRAPPINGS["with headers"])
    assert "Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00FF\n\n[REDACTED" in done.text


def test_two_keys_are_two_groups() -> None:
    done = scrub("a", "\n".join(pem() + pem("EC PRIVATE KEY", 2)))
    assert len({found.group for found in done.findings}) == 2


@pytest.mark.parametrize(
    "text",
    [
        'PEM = "' + LINES[0] + '"\nif PEM in text: return True\n',
        f"{LINES[0]}\n...\n{LINES[-1]}\n",
        "\n".join(pem("PUBLIC KEY")),
        "\n".join(pem("CERTIFICATE")),
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + chars(BASE64, 43) + " ops@bastion",
    ],
)
def test_markers_without_a_body_and_public_material_stay(text: str) -> None:
    assert scrub("src/a.py", text).findings == ()


def test_a_putty_key_loses_its_private_lines_only() -> None:
    public, private = chars(BASE64, 64, "p"), [chars(BASE64, 64, str(n)) for n in range(3)]
    head = ["PuTTY-User-Key-File-3: ssh-rsa", "Encryption: none", "Public-Lines: 1", public]
    text = "\r\n".join([*head, "Private-Lines: 3", *private, "Private-MAC: 00ff"])
    done = scrub("key.txt", text)
    lines = done.text.split("\r\n")
    assert lines[4] == "Private-Lines: 3"
    assert all(line.startswith("[REDACTED:PUTTY_PRIVATE_KEY]") for line in lines[5:8])
    assert lines[8] == "Private-MAC: 00ff"


def test_the_private_members_of_a_json_web_key() -> None:
    d, x = chars(ALNUM, 43, "d"), chars(ALNUM, 43, "x")
    done = scrub("k.json", f'{{"kty": "EC", "crv": "P-256", "x": "{x}", "d": "{d}"}}')
    assert d not in done.text
    assert '"crv": "P-256"' in done.text


def test_a_wireguard_private_key_but_not_the_public_one() -> None:
    private, public = chars(BASE64, 42, "a") + "A=", chars(BASE64, 42, "b") + "A="
    done = scrub("wg0.conf", f"PrivateKey = {private}\nPublicKey = {public}\n")
    assert private not in done.text
    assert [found.kind for found in done.findings if found.action == "redact"] == [
        "wireguard_private_key"
    ]


def test_random_base32_is_no_nkey_seed() -> None:
    done = scrub("a.txt", "seed SU" + chars(BASE32, 56))
    assert "nkey_seed" not in {found.kind for found in done.findings}


@pytest.mark.parametrize(
    "head",
    [
        "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",  # PKCS #8
        "MIIEpAIBAAKCAQEA",  # PKCS #1
        "MHcCAQEEI",  # SEC 1
        "MIGHAgEAMBMGByqGSM49AgEG",  # PKCS #8, P-256
        "MC4CAQAwBQYDK2VwBCIEI",  # PKCS #8, Ed25519
    ],
)
@pytest.mark.parametrize("width", [64, 400])
def test_a_private_key_without_its_lines_is_found(head: str, width: int) -> None:
    body = head + chars(BASE64, 300) + "=="
    lines = [body[at : at + width] for at in range(0, len(body), width)]
    done = scrub("src/A.java", 'String key = "' + '"\n  + "'.join(lines) + '";\n')
    assert {(found.kind, found.action) for found in done.findings} == {("private_key", "redact")}
    assert not any(line in done.text for line in lines)


@pytest.mark.parametrize(
    ("begin", "end", "joint"),
    [
        ("---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----", "---- END SSH2", "\n"),
        ("-----BEGIN%20PRIVATE%20KEY-----", "-----END%20PRIVATE%20KEY-----", "%0A"),
        ("-----BEGIN+RSA+PRIVATE+KEY-----", "-----END+RSA+PRIVATE+KEY-----", "%0A"),
        ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "<br>\n"),
        ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "&#10;"),
        ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", '",\n "'),
        ("+-----BEGIN PRIVATE KEY-----", "+-----END PRIVATE KEY-----", "\n+"),
    ],
)
def test_a_key_block_is_found_in_any_dress(begin: str, end: str, joint: str) -> None:
    body = [chars(BASE64, 64, str(n)) for n in range(5)]
    done = scrub("docs/a.txt", joint.join([begin, *body, end]) + "\n")
    assert not any(line in done.text for line in body)


def test_an_encrypted_token_is_found() -> None:
    header = "eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkEyNTZHQ00ifQ"
    token = ".".join([header, chars(ALNUM, 342), chars(ALNUM, 16), chars(ALNUM, 60), "a1B2" * 6])
    assert token not in scrub("src/a.txt", f"t = {token}\n").text


def test_the_end_of_an_escape_before_a_key_is_no_part_of_it() -> None:
    begin, *body, end = pem("PRIVATE KEY")
    text = f'String PRIVATE_KEY = "{begin}\\n"\n' + "".join(f'  + "{line}\\n"\n' for line in body)
    done = scrub("src/test/A.java", text + f'  + "{end}";\n')
    assert {found.kind for found in done.findings} == {"private_key"}
    assert f'"{begin}\\n"' in done.text
