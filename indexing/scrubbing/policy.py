"""What an installation may choose about scrubbing."""

import re
import secrets
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class CustomPattern:
    """A house format; `pattern` is run over whole files: it must be linear."""

    kind: str
    pattern: re.Pattern[str]
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Policy:
    """`key` keys the fingerprints and never appears in a repr.

    Without a configured key every process makes its own: fingerprints of two processes then
    cannot be compared, but none can be reversed with a key that stands in the source.
    """

    key: bytes = field(default_factory=lambda: secrets.token_bytes(32), repr=False)
    emails: bool = True
    phones: bool = True
    social_security_numbers: bool = True
    payment_numbers: bool = True
    flag_in_tests: bool = True
    custom: tuple[CustomPattern, ...] = ()


DEFAULT_POLICY = Policy()
