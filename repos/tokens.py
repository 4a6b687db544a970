"""Access tokens at rest: encrypted with keys that are derived from a configured secret."""

import base64
from collections.abc import Sequence

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

MIN_SECRET_LENGTH = 16
_PURPOSE = b"footnote: repository access tokens, version 1"


class TokenUnreadable(Exception):
    """A stored token that none of the keys opens; the message says what to do."""


def derive_key(secret: str) -> bytes:
    """A key for `encrypt` from a configured secret of at least 16 characters."""
    if len(secret) < MIN_SECRET_LENGTH:
        raise ValueError(f"The secret needs at least {MIN_SECRET_LENGTH} characters.")
    hkdf = HKDF(algorithm=SHA256(), length=32, salt=None, info=_PURPOSE)
    return base64.urlsafe_b64encode(hkdf.derive(secret.encode()))


def encrypt(token: str, keys: Sequence[bytes]) -> bytes:
    """Encrypt with the first of `keys`; the others are older ones, for reading only."""
    return _box(keys).encrypt(token.encode())


def decrypt(stored: bytes, keys: Sequence[bytes]) -> str:
    try:
        return _box(keys).decrypt(bytes(stored)).decode()
    except InvalidToken as error:
        raise TokenUnreadable(_UNREADABLE) from error


def rotate(stored: bytes, keys: Sequence[bytes]) -> bytes:
    """The same token under the first of `keys`."""
    try:
        return _box(keys).rotate(bytes(stored))
    except InvalidToken as error:
        raise TokenUnreadable(_UNREADABLE) from error


_UNREADABLE = (
    "The stored access token cannot be read: the secret it was encrypted with is no longer "
    "configured. Configure the old secret as an additional one, or enter the token again."
)


def _box(keys: Sequence[bytes]) -> MultiFernet:
    if not keys:
        raise ValueError("No key is configured for access tokens.")
    return MultiFernet([Fernet(key) for key in keys])
