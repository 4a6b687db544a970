"""What an installation may choose about scrubbing. Goes to the child processes as it is."""

import hashlib
import hmac
import secrets
from dataclasses import dataclass, field

from indexing.scrubbing.custom import CustomPattern
from indexing.scrubbing.reviews import NO_REVIEWS, Reviews

# The kinds of personal data that a repository's settings turn on and off together.
EMAILS = ("email", "email_obfuscated")
PHONES = ("phone_nanp",)
SOCIAL_SECURITY_NUMBERS = ("ssn",)
PAYMENT_NUMBERS = ("credit_card", "iban")


@dataclass(frozen=True, slots=True)
class Policy:
    """`key` keys the fingerprints and never appears in a repr.

    Without a configured key every process makes its own: fingerprints of two processes then
    cannot be compared, but none can be reversed with a key that stands in the source.

    `earlier_keys` recognise reviews that were made before the key was changed. `version` is that
    of the stored choices it was made from (indexing/policy_changes.py).
    """

    key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    earlier_keys: tuple[bytes, ...] = field(default=(), repr=False)
    emails: bool = True
    phones: bool = True
    social_security_numbers: bool = True
    payment_numbers: bool = True
    flagged_kinds: frozenset[str] = frozenset()  # reported, and left in the stored text
    flag_in_tests: bool = True
    cover_flagged: bool = True  # in what is embedded, searched by word or sent
    custom: tuple[CustomPattern, ...] = ()
    reviews: Reviews = NO_REVIEWS
    version: int = 0

    @property
    def key_id(self) -> str:
        return key_id(self.key)


def fingerprint(value: str, key: bytes) -> bytes:
    """Keyed, because the bare hash of a phone number is found by trying them all."""
    return hmac.new(key, value.encode("utf-8", "surrogatepass"), hashlib.sha256).digest()


def key_id(key: bytes) -> str:
    """Names a key without telling it: eight hexadecimal digits."""
    return hmac.new(key, b"footnote: name of a fingerprint key", hashlib.sha256).hexdigest()[:8]


DEFAULT_POLICY = Policy()
