"""Personal data: e-mail addresses, North American phone and social security numbers, payment.

Each search starts from something cheap: an `@`, or a place that the filter of shapes has found.
"""

import re
from collections.abc import Iterable, Iterator

from indexing.scrubbing.matches import Match, Rank, Region
from indexing.scrubbing.policy import Policy
from indexing.scrubbing.shapes import Places

_DOMAIN = re.compile(
    r"((?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}([A-Za-z]{2,24}))(?![A-Za-z0-9_@(\[-]|\.[A-Za-z0-9(])"
)
# The address is the userinfo of a URL, or a path or package name goes on before it.
_USER_INFO = re.compile(r"://[^\s/@\"'<>]{0,90}\Z|[@/]\Z")
_TOP_LEVEL_LIST = (
    "com org net edu gov mil int info biz name pro io dev app ai co me tv cc xyz online "
    "site tech store cloud blog email team tools systems solutions software network studio "
    "design agency digital group company global world works space zone life live news media "
    "house services consulting engineering technology science academy university health "
    "care bank finance law legal aero coop museum jobs mobi travel cat asia tel eu uk us ca "
    "de fr it es pt nl be ch at se no fi dk is ie pl cz sk hu ro bg gr hr si rs ua ru by lt "
    "lv ee tr il ae sa eg za ng ke ma in pk bd lk np cn jp kr tw hk sg my th vn ph id au nz "
    "br ar mx cl pe uy ve ec bo cr pa do pr gt lu li mc mt cy ge am az kz uz mn ir iq jo lb "
    "qa kw om ly tn dz gh sn ci cm ug tz zw mz ao gg je im fm to ws nu la sh st gl fo gal "
    "scot wales london berlin"
)
_TOP_LEVEL = frozenset(_TOP_LEVEL_LIST.split())
_ROBOTS = (
    "noreply no-reply donotreply do-not-reply git user username sample example test foo bar"
    " my_mail mymail my.mail my_email myemail my.email your_email youremail your.email"
)
_NO_PERSON = frozenset(_ROBOTS.split())
_EXAMPLE_DOMAIN = re.compile(
    r"(?:.*\.)?(?:example|test|invalid|localhost|local|localdomain|internal)(?:\.[a-z]{2,6}){0,2}"
    r"|(?:.*\.)?(?:domain|email|mail|company|yourdomain|mydomain|foo|bar|acme|host|server|site|sample"
    r"|somewhere|corp|my-?company|your-?company|xyz|abc|b|c|x|y|z|users\.noreply\.github)\.[a-z]{2,6}|.*\.gserviceaccount\.com"
)
_AT = r"(?:\s{0,3}(?:\[at\]|\(at\)|\{at\}|<at>|&#0{0,3}64;|&#x0{0,2}40;)\s{0,3}|%40)"
_DOT = r"(?:\.|\s{0,3}(?:\[dot\]|\(dot\)|\{dot\}|<dot>|&#46;)\s{0,3})"
_OBFUSCATED = re.compile(
    rf"(?<![A-Za-z0-9._%+-])([A-Za-z0-9_+][A-Za-z0-9._+-]{{0,63}}){_AT}"
    rf"((?:[A-Za-z0-9][A-Za-z0-9-]{{0,61}}{_DOT}){{1,5}}([A-Za-z]{{2,24}}))(?![A-Za-z0-9-])",
    re.IGNORECASE,
)
OBFUSCATED_KEYWORDS = ("[at]", "(at)", "{at}", "<at>", "64;", "40;", "%40")

_AREA = r"[2-9](?!11)[0-8][0-9]"
_EXCHANGE = r"[2-9](?!11)[0-9]{2}"
_PHONE = re.compile(
    rf"(?<![\w.+/#=-])(?<![0-9] )((?:\+?1[-. ]?)?(?:\({_AREA}\) ?|{_AREA}[-. ])"
    rf"{_EXCHANGE}[-. ][0-9]{{4}}"
    rf"|\+1{_AREA}{_EXCHANGE}[0-9]{{4}})(?![\w-]|\.[0-9]| [0-9])",
    re.ASCII,
)
_PHONE_BARE = re.compile(
    rf"(?<![\w.+-])(1?{_AREA}{_EXCHANGE}[0-9]{{4}})(?![\w-]|\.[0-9])", re.ASCII
)
_PHONE_NAME = re.compile(
    r"(?:\btel\b|phone|mobile|\bfax\b|\bcell\b|sms)[\w\"']{0,12}\s?[:=(]\s?[\"']?\s?$",
    re.IGNORECASE,
)
_PHONE_WORD = re.compile(r"\btel|phone|mobile|\bfax\b|\bcell\b|call|sms|contact", re.IGNORECASE)
_SSN = re.compile(
    r"(?<![\w.+-])(?<![0-9] )((?!000|666|9[0-9]{2})[0-9]{3}([- ])(?!00)[0-9]{2}\2(?!0000)[0-9]{4})"
    r"(?![\w-]|\.[0-9]| [0-9])",
    re.ASCII,
)
_SSN_SAMPLES = frozenset(
    ("078051120", "219099999", "123456789", "987654321", "111223333", "123121234")
)
_CARD = re.compile(
    r"(?<![\w.#-])(?<![0-9] )((?:4[0-9]{3}|5[1-5][0-9]{2}|2[2-7][0-9]{2}|6(?:011|5[0-9]{2}))([- ]?)"
    r"[0-9]{4}\2[0-9]{4}\2[0-9]{4}"
    r"|3[47][0-9]{2}([- ]?)[0-9]{6}\3[0-9]{5})(?![\w-]|\.[0-9]| [0-9])",
    re.ASCII,
)
_CARD_SAMPLES_LIST = (
    "4111111111111111 4242424242424242 4012888888881881 4000056655665556 5555555555554444 "
    "5200828282828210 5105105105105100 378282246310005 371449635398431 6011111111111117 "
    "6011000990139424 2223003122003222 4000000000000002 4000000000000077"
)
_CARD_SAMPLES = frozenset(_CARD_SAMPLES_LIST.split())
_IBAN = re.compile(
    r"(?<![A-Za-z0-9])([A-Z]{2}[0-9]{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?)(?![A-Za-z0-9])"
)
_IBAN_LENGTHS = {
    "AD": 24, "AE": 23, "AT": 20, "BE": 16, "BG": 22, "BR": 29, "CH": 21, "CY": 28, "CZ": 24,
    "DE": 22, "DK": 18, "EE": 20, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GR": 27, "HR": 21,
    "HU": 28, "IE": 22, "IL": 23, "IS": 26, "IT": 27, "LI": 21, "LT": 20, "LU": 20, "LV": 21,
    "MC": 27, "MT": 31, "NL": 18, "NO": 15, "PL": 28, "PT": 25, "RO": 24, "SA": 24, "SE": 24,
    "SI": 19, "SK": 24, "TR": 26, "UA": 29,
}  # fmt: skip


# How far a number reaches before and behind the end of its shape, with what must stand around it.
_BEFORE = 28
_BEHIND = 44


def _personal(kind: str, span: tuple[int, int]) -> Match:
    return Match(kind, (span,), Rank.PERSONAL, "medium")


def emails(text: str, raw: bytes) -> Iterator[Match]:
    at = raw.find(b"@")
    while at >= 0:
        domain = _DOMAIN.match(text, at + 1)
        if domain and domain[2].lower() in _TOP_LEVEL:
            start = _local_start(text, at)
            if start < at and is_personal(text[start:at], domain[1]):
                yield _personal("email", (start, domain.end()))
        at = raw.find(b"@", at + 1)


_LOCAL_CHARACTERS = frozenset(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._%+'-"
)


def _local_start(text: str, at: int) -> int:
    """Where the local part of an address begins; `at` itself when there is none."""
    start = at
    while start > 0 and at - start < 64 and text[start - 1] in _LOCAL_CHARACTERS:
        start -= 1
    if start and text[start - 1] == "\\" and text[start] in "nrt":
        start += 1
    while start < at and text[start] in "'.%-":
        start += 1
    return at if _USER_INFO.search(text, max(0, start - 100), start) else start


def is_personal(local: str, domain: str) -> bool:
    """Not a reserved or stand-in domain (RFC 2606), not a robot's mailbox."""
    low = domain.lower()
    return _EXAMPLE_DOMAIN.fullmatch(low) is None and local.lower() not in _NO_PERSON


def obfuscated(text: str, hit: int) -> Region:
    """`name [at] domain [dot] com` with the `at` near offset `hit`."""
    matches = []
    for found in _OBFUSCATED.finditer(text, max(0, hit - 72), hit + 120):
        domain = re.sub(_DOT, ".", found[2], flags=re.IGNORECASE)
        if found[3].lower() in _TOP_LEVEL and is_personal(found[1], domain):
            matches.append(_personal("email_obfuscated", found.span()))
    return hit + 32, matches


def numbers(text: str, at: Places, policy: Policy) -> Iterator[Match]:
    if policy.phones:
        yield from _phones(text, at)
    if policy.social_security_numbers:
        for found in _near(_SSN, text, at["social"]):
            digits = re.sub(r"[- ]", "", found[1])
            if digits not in _SSN_SAMPLES and len(set(digits)) > 2:
                yield _personal("ssn", found.span(1))
    if policy.payment_numbers:
        for found in _near(_CARD, text, at["cards"]):
            if _is_card(re.sub(r"[- ]", "", found[1])):
                yield _personal("credit_card", found.span(1))
        for found in _near(_IBAN, text, at["ibans"]):
            if _is_iban(found[1].replace(" ", "")):
                yield _personal("iban", found.span(1))


def _phones(text: str, at: Places) -> Iterator[Match]:
    for found in _near(_PHONE, text, at["phones"]):
        digits = re.sub(r"[^0-9]", "", found[1])[-10:]
        # The exchange 555 has no subscribers: films and examples use it.
        if digits[3:6] != "555" and not _counts(digits) and _is_phone(text, found):
            yield _personal("phone_nanp", found.span(1))
    for found in _near(_PHONE_BARE, text, at["bare_phones"]):
        before = text[max(0, found.start() - 24) : found.start()]
        if _PHONE_NAME.search(before) and not _counts(found[1]):
            yield _personal("phone_nanp", found.span(1))


def _is_phone(text: str, found: re.Match[str]) -> bool:
    """Three numbers with blanks between them are a phone number only where one is expected."""
    if not re.fullmatch(r"[0-9 ]+", found[1]):
        return True
    before = text[max(0, found.start() - 40) : found.start()]
    return _PHONE_WORD.search(before[before.rfind("\n") + 1 :]) is not None


def _counts(digits: str) -> bool:
    return len(set(digits)) <= 3 or digits in "01234567890123456789"


def _near(pattern: re.Pattern[str], text: str, ends: Iterable[int]) -> Iterator[re.Match[str]]:
    """Matches of `pattern` around each place where one of its shape may end or go on."""
    done = 0
    for end in ends:
        found = pattern.search(text, max(done, end - _BEFORE), end + _BEHIND)
        while found is not None:
            yield found
            done = found.end()
            found = pattern.search(text, done, end + _BEHIND)


def _is_card(digits: str) -> bool:
    """Luhn, and none of the published test numbers."""
    if digits in _CARD_SAMPLES or len(set(digits)) <= 3:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled - 9 * (doubled > 9)
    return total % 10 == 0


def _is_iban(value: str) -> bool:
    """ISO 13616: length of the country, and 1 modulo 97."""
    if _IBAN_LENGTHS.get(value[:2]) != len(value):
        return False
    return int("".join(str(int(c, 36)) for c in value[4:] + value[:4])) % 97 == 1
