"""Structural checks of published formats: they drop what only looks like one.

Checksums are never asked for: of the examples that scanners publish only one in three has a
valid one, and a wrong checksum does not make a leaked value harmless.
"""

import base64
import binascii
import json
import re
import zlib

from indexing.scrubbing.randomness import entropy

# How the base64 of `-----BEGIN CERTIFICATE` and `-----BEGIN PUBLIC KEY` begins.
PUBLIC_PEM = "LS0tLS1CRUdJTiB(?:DRVJU|QVUJMSU)"
_PRINTABLE = re.compile(r"[\x20-\x7e\t\r\n]+")
# Printable ASCII has its high bits in the first of each four characters.
_TEXT_STARTS = "CDIJKLMNOPQRSTUVWXYZabcdef"
_UNPACKED = 64  # bytes
_FOREIGN_LEAST = 20  # bytes
# Whom the sample of jwt.io is about, which documentation copies.
_SAMPLE_CLAIMS = {"sub": "1234567890", "name": "John Doe"}
_SECP256K1_ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141


def decode(value: str) -> bytes | None:
    """Base64 in either alphabet, with or without padding; None when it is not."""
    body = value.rstrip("=").replace("-", "+").replace("_", "/")
    if len(body) % 4 == 1:
        return None
    try:
        return base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
    except (binascii.Error, ValueError):
        return None


def decode_text(value: str) -> str | None:
    """Base64 of printable ASCII text."""
    if value.rstrip("=")[::4].strip(_TEXT_STARTS):
        return None
    raw = decode(value)
    text = raw.decode("latin-1") if raw else ""
    return text if _PRINTABLE.fullmatch(text) else None


def is_foreign_text(value: str) -> bool:
    """Base64 of UTF-8 that goes beyond ASCII: by chance next to no random bytes are."""
    raw = decode(value[: len(value) // 4 * 4]) or b""
    if len(raw) < _FOREIGN_LEAST or raw.isascii():
        return False
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return error.start >= len(raw) - 3 and error.start >= _FOREIGN_LEAST  # cut in a character
    return True


def is_compressed(value: str) -> bool:
    """Base64 of a gzip or zlib stream, of a zip archive, or of text that was deflated."""
    raw = decode(value[: len(value) // 4 * 4]) or b""
    if raw.startswith(b"PK\x03\x04"):
        return True
    if raw[:1] in (b"\x1f", b"\x78"):
        return _unpacked(raw, zlib.MAX_WBITS | 32) is not None
    text = _unpacked(raw, -zlib.MAX_WBITS)
    return text is not None and len(text) >= 24 and text.isascii() and text[:24].isprintable()


def _unpacked(raw: bytes, bits: int) -> str | None:
    """The beginning of what it is unpacked to."""
    try:
        return zlib.decompressobj(bits).decompress(raw, _UNPACKED).decode("latin-1")
    except zlib.error:
        return None


def _json_object(part: str) -> dict[str, object]:
    raw = decode(part)
    try:
        found = json.loads(raw) if raw else None
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def is_jwt(value: str) -> bool:
    """The header decodes to an object with `alg` or `enc`; a public (anon) key is no secret, nor
    is the sample that everybody copies."""
    parts = value[value.index("ey") :].split(".")
    header = _json_object(parts[0])
    if not ("alg" in header or "enc" in header):
        return False
    claims = _json_object(parts[1])
    return claims.get("role") != "anon" and not _SAMPLE_CLAIMS.items() <= claims.items()


def is_jwe(value: str) -> bool:
    header = _json_object(value.split(".", maxsplit=1)[0])
    return "alg" in header and "enc" in header


def is_aws_key_id(value: str) -> bool:
    return not value.endswith("EXAMPLE") and entropy(value[4:]) > 2.0


def is_snowflake(value: str) -> bool:
    """The first part of a Discord token is the decimal user id."""
    head = decode(value.split(".", maxsplit=1)[0])
    return head is not None and head.isdigit()


def is_nkey(value: str) -> bool:
    """The last two bytes of a NATS seed are the CRC-16 (XMODEM) of the rest, little endian."""
    raw = base64.b32decode(value + "=" * (-len(value) % 8))
    return binascii.crc_hqx(raw[:-2], 0) == int.from_bytes(raw[-2:], "little")


def is_curve_scalar(value: str) -> bool:
    return 0 < int(value, 16) < _SECP256K1_ORDER and entropy(value[2:]) > 3.0


def is_user_and_password(value: str) -> bool:
    """Base64 of printable `user:password`."""
    text = decode_text(value)
    return text is not None and ":" in text[:-1]


def is_mixed(value: str) -> bool:
    """Upper, lower and digit, not the shape of a hash, with the entropy of a random value."""
    return (
        any(map(str.isupper, value))
        and any(map(str.islower, value))
        and any(map(str.isdigit, value))
        and entropy(value) > 3.9
    )


def is_hex_secret(value: str) -> bool:
    return entropy(value) >= 3.0


def is_aws_session(value: str) -> bool:
    return "YXdz" in value or "Jb3JpZ2lu" in value or entropy(value) > 4.5


def is_bare_webhook(value: str) -> bool:
    """Documented webhooks are zeros and one letter repeated."""
    return len(set(value)) > 8
