"""Is the value of a telling name a secret, or a stand-in, an address, a path, code, a version?"""

import re

import re2

from indexing.scrubbing.placeholders import is_reference, is_stand_in
from indexing.scrubbing.randomness import (
    UUID,
    classes,
    entropy,
    in_words,
    is_random,
    is_random_hex,
    is_sequence,
    word_share,
)
from indexing.scrubbing.structure import PUBLIC_PEM, decode_text

_TURN = re.compile(r"[a-z][A-Z0-9]|[0-9][A-Za-z]|[A-Z][0-9]")
_DIGIT = re.compile(r"[0-9]")
_DIGIT_INSIDE = re.compile(r"[A-Za-z][0-9]+[A-Za-z]")
_NUMBERED = re.compile(r"[0-9]{2,}[^A-Za-z0-9]?$")
_PLAIN_SIGNS = "-_./:,= "
# Keys that are published on purpose, and ids of things that are no credentials.
_PUBLIC = re.compile(
    PUBLIC_PEM + r"|pk_(?:live|test)_|phc_|sb_publishable_|arn:|urn:"
    r"|(?:AROA|AIDA|AGPA|AIPA|ANPA|ANVA)[A-Z0-9]{16}"
)
# In linear time: digits fall into groups of four in more ways than can be tried.
_ALGORITHM = re2.compile(
    r"(?i)(?:pbkdf2|with|and|hmac|sha|aes|rsa|dsa|ecdsa|ecdh|ed|md|des|ede|gcm|cbc|ctr|ecb|pkcs|padding|oaep|mgf"
    r"|bcrypt|scrypt|argon|curve|chacha|poly|[0-9]{1,4}|[-_/.+]|:[0-9]{0,7})+"
)
_PATH = re.compile(
    r"(?:\.{0,2}|[A-Za-z]:|~)?(?:[/\\][\w.@-]{1,60}){2,}/?|[\w-]{1,40}(?:/[\w.-]{1,40}){2,}"
)
_CODE = re.compile(
    r"[A-Za-z_$][\w$]{0,60}(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]{0,60})+(?:[!?]?|[(\[*+=&|<>-].*|[!?]?\..*)"
    r"|[A-Za-z_][\w.]{0,80}[(\[].*",
    re.ASCII | re.DOTALL,
)
# The rest of an address behind `<password>` or the like.
_HOST = re.compile(r"@//?.*|@[\w-]{1,60}(?:[.:/][\w.-]{1,60})+/?")
_DATE = re.compile(
    r"v?[0-9]{1,4}[-.:/][0-9]{1,2}[-.:/].*|v?[0-9.]+|(?:sha|md)[0-9]{1,3}[-:].*|urn:.*|arn:.*"
)
# Which package, which version of it, which file of a build.
_PACKAGE = re.compile(
    r"(?:npm|workspace|patch|link|portal|catalog|jsr):.*|data:[a-z]+/.*|[\w.-]{1,60}/[\w./-]{1,90}@v?[0-9].*"
    r"|[\^~<>=]{1,2}v?[0-9]+\.[0-9x*].*"
    r"|[\w.@/-]{1,120}\.(?:[cm]?[jt]sx?|css|map|json|ya?ml|toml|xml|html?|md|txt|png|svg|woff2?|lock|log)"
)
_ADDRESS = re.compile(r"0x.{40}")
_OTHER_THINGS = (_DATE, _ADDRESS, _PACKAGE)
# The characters that a regular expression allows: `[a-zA-Z0-9]`.
_CHARACTER_CLASS = re.compile(r"\[\^?(?:a-z|A-Z|0-9|\\w|\\d)")
_LEAST = 12
_WORDLESS = 0.3


def is_no_secret(value: str, *, quoted: bool = False) -> bool:
    """Stand-ins, addresses, paths, code, dates, digests with their algorithm before them."""
    if is_stand_in(value) or "://" in value or UUID.fullmatch(value) or is_sequence(value):
        return True
    if _HOST.fullmatch(value) and not _busy(value):
        return True
    if any(one.fullmatch(value) for one in _OTHER_THINGS) or _CHARACTER_CLASS.search(value):
        return True
    if _CODE.fullmatch(value) and not _busy(value) and not _is_dotted(value, quoted=quoted):
        return True
    if _PUBLIC.match(value) or _is_algorithm(value) or _is_prose(value):
        return True
    return _PATH.fullmatch(value) is not None and not _busy(value) and not is_random(value)


def _is_algorithm(value: str) -> bool:
    return value.isascii() and _ALGORITHM.fullmatch(value) is not None


def _is_dotted(value: str, *, quoted: bool) -> bool:
    """A dot in a literal is one sign of many, where the rest looks random; outside of one only
    where nothing of it reads like a word."""
    if not is_random(value, minimum=_LEAST):
        return False
    return quoted or word_share(value) < _WORDLESS


def _is_prose(value: str) -> bool:
    """Base64 of words with blanks between them, or of what would stand in for a secret."""
    text = decode_text(value) if len(value) >= 8 else None
    if text is None:
        return False
    if " " in text and ":" not in text and in_words(text):
        return True
    return is_stand_in(text) and not is_reference(text)


def _busy(value: str) -> bool:
    """Digits and cases as mixed as in random text."""
    return len(_TURN.findall(value)) * 5 >= len(value)


def is_password(value: str) -> bool:
    """Random, or words with the digits and signs that password rules ask for."""
    if is_random(value) or is_random_hex(value, minimum=20):
        return True
    if len(value) > 40 or value.isalpha() or value.isdigit() or entropy(value) < 2.5:
        return False
    signs = {c for c in value if not c.isalnum()} - set(_PLAIN_SIGNS)
    if classes(value) >= 3 and not in_words(value):
        if signs or _busy(value) or _DIGIT_INSIDE.search(value):
            return True
        return _DIGIT.search(value) is not None and is_random(value, minimum=_LEAST)
    if classes(value) == 4 and _NUMBERED.search(value):
        return True
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and bool(signs)


def is_mixed(value: str) -> bool:
    return classes(value) >= 3 and not in_words(value) and sum(map(str.isdigit, value)) >= 2


def is_beyond_doubt(value: str) -> bool:
    """Random enough to be a secret although other words stand between it and its name."""
    if is_random_hex(value):
        return True
    return classes(value) >= 3 and is_random(value, minimum=_LEAST) and bool(_DIGIT.search(value))
