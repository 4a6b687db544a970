"""Personal data in digits: North American phone and social security numbers, payment.

Each search starts from a place that the filter of shapes, or that of words, has found.
"""

import re
from collections.abc import Iterable, Iterator

from indexing.scrubbing.matches import Match, Rank
from indexing.scrubbing.policy import Policy
from indexing.scrubbing.shapes import Places

_AREA = r"[2-9](?!11)[0-8][0-9]"
_EXCHANGE = r"[2-9](?!11)[0-9]{2}"
# Hyphens and blanks that do not break a line count as the plain ones.
_JOIN = "-. \u2010\u2011\u00a0\u202f"
# The end of an escape is no part of the number: `\\n212-…`.
_EDGE = r"(?:(?<![\w.+/#-])|(?<=\\[nrt]))(?<![0-9] )"
_PHONE = re.compile(
    rf"{_EDGE}((?:\+?1[-. ]?)?(?:\({_AREA}\) ?|{_AREA}[{_JOIN}])"
    rf"{_EXCHANGE}[{_JOIN}][0-9]{{4}}"
    rf"|\+1{_AREA}{_EXCHANGE}[0-9]{{4}})(?!(?!x[0-9])[\w-]|\.[0-9]| [0-9])",
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
    r"(?:(?<![\w.+-])|(?<=\\[nrt]))(?<![0-9] )"
    r"((?!000|666|9[0-9]{2})[0-9]{3}([- ])(?!00)[0-9]{2}\2(?!0000)[0-9]{4})"
    r"(?![\w-]|\.[0-9]| [0-9])",
    re.ASCII,
)
# Without marks between the groups only where its name stands.
SSN_WORDS = ("ssn", "social security", "social_security", "socialsecurity", "social-security")
_SSN_BARE = re.compile(
    r"(?:ssn|social[ _-]?security)[\w -]{0,24}[\"'\])]{0,2}\s{0,4}(?:[:=#>]|is)?\s{0,4}[\"']?"
    r"(?<![0-9])((?!000|666|9[0-9]{2})[0-9]{3}(?!00)[0-9]{2}(?!0000)[0-9]{4})(?![\w.-])",
    re.IGNORECASE | re.ASCII,
)
_SSN_SAMPLES = frozenset(
    ("078051120", "219099999", "123456789", "987654321", "111223333", "123121234")
)
_CARD = re.compile(
    r"(?:(?<![\w.#-])|(?<=\\[nrt]))(?<![0-9] )((?:4[0-9]{3}|5[1-5][0-9]{2}|6(?:011|5[0-9]{2})"
    r"|222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720|35(?:2[89]|[3-8][0-9]))([- ]?)"
    r"[0-9]{4}\2[0-9]{4}\2[0-9]{4}"
    r"|3[47][0-9]{2}([- ]?)[0-9]{6}\3[0-9]{5}"
    r"|3(?:0[0-5]|[689][0-9])[0-9]([- ]?)[0-9]{6}\4[0-9]{4}|4[0-9]{12})(?![\w-]|\.[0-9]| [0-9])",
    re.ASCII,
)
# So many other numbers have 13 and 14 digits, or begin with 35, that a word must say what they are.
_RARE_CARD = re.compile(r"3[05689]|.{13}$")
_CARD_WORD = re.compile(r"card|visa|amex|jcb|diners|\bpan\b|\bcc\b|credit|payment", re.IGNORECASE)
_LONG_NUMBER = re.compile(r"(?<![0-9])[0-9]{12,17}(?![0-9])")
_CARD_SAMPLES_LIST = (
    "4111111111111111 4242424242424242 4012888888881881 4000056655665556 5555555555554444 "
    "5200828282828210 5105105105105100 378282246310005 371449635398431 6011111111111117 "
    "6011000990139424 2223003122003222 4000000000000002 4000000000000077"
)
_CARD_SAMPLES = frozenset(_CARD_SAMPLES_LIST.split())
_IBAN = re.compile(
    r"(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))([A-Z]{2}[0-9]{2}"
    r"(?:(?: ?[A-Z0-9]{4}){2,8}(?: ?[A-Z0-9]{1,3})?"
    r"|(?<![A-Za-z0-9-].{4})(?:-[A-Z0-9]{4}){2,7}(?:-[A-Z0-9]{1,3})?))(?![A-Za-z0-9])"
)
# ISO 13616, by the countries of the register.
_IBAN_LENGTHS_LIST = (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 "
    "DJ27 DK18 DO28 EE20 EG29 ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 "
    "HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 LI21 LT20 LU20 LV21 LY25 "
    "MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 "
    "RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 "
    "VA22 VG24 XK20 YE30"
)
_IBAN_LENGTHS = {one[:2]: int(one[2:]) for one in _IBAN_LENGTHS_LIST.split()}


# How far a number reaches before and behind the end of its shape, with what must stand around it.
_BEFORE = 28
_BEHIND = 44


def _personal(kind: str, span: tuple[int, int]) -> Match:
    return Match(kind, (span,), Rank.PERSONAL, "medium")


def bare_ssn(text: str, hit: int) -> Iterator[Match]:
    inside_a_word = text[hit - 1 : hit].isalpha() and text[hit].islower()
    found = None if inside_a_word else _SSN_BARE.match(text, hit)
    if found and _is_ssn(found[1]):
        yield _personal("ssn", found.span(1))


def _is_ssn(digits: str) -> bool:
    return digits not in _SSN_SAMPLES and len(set(digits)) > 2


def numbers(text: str, at: Places, policy: Policy) -> Iterator[Match]:
    if policy.phones:
        yield from _phones(text, at)
    if policy.social_security_numbers:
        for found in _near(_SSN, text, at["social"]):
            if _is_ssn(re.sub(r"[- ]", "", found[1])):
                yield _personal("ssn", found.span(1))
    if policy.payment_numbers:
        for found in _near(_CARD, text, at["cards"]):
            if _is_card(re.sub(r"[- ]", "", found[1])) and _is_expected(text, found):
                yield _personal("credit_card", found.span(1))
        for found in _near(_IBAN, text, at["ibans"]):
            if _is_iban(re.sub(r"[ -]", "", found[1])):
                yield _personal("iban", found.span(1))


def _phones(text: str, at: Places) -> Iterator[Match]:
    for found in _near(_PHONE, text, at["phones"]):
        digits = re.sub(r"[^0-9]", "", found[1])[-10:]
        # The area and the exchange 555 have no subscribers: films and examples use them.
        if (
            "555" not in (digits[:3], digits[3:6])
            and not _counts(digits)
            and _is_phone(text, found)
        ):
            yield _personal("phone_nanp", found.span(1))
    for found in _near(_PHONE_BARE, text, at["bare_phones"]):
        before = text[max(0, found.start() - 24) : found.start()]
        fictional = "555" in (found[1][-10:-7], found[1][-7:-4])
        if _PHONE_NAME.search(before) and not fictional and not _counts(found[1]):
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
    groups = {len(set(digits[at : at + 4])) for at in range(0, len(digits), 4)}
    if digits in _CARD_SAMPLES or len(set(digits)) <= 3 or groups == {1} or "000000" in digits:
        return False
    total = 0
    for place, digit in enumerate(reversed(digits)):
        doubled = int(digit) * (1 + place % 2)
        total += doubled - 9 * (doubled > 9)
    return total % 10 == 0


def _is_expected(text: str, found: re.Match[str]) -> bool:
    """Not one of several long numbers of a line: constants, samples, identifiers."""
    first = max(text.rfind("\n", 0, found.start()) + 1, found.start() - 200)
    stop = text.find("\n", found.end(), found.end() + 200)
    line = text[first : stop if stop >= 0 else found.end() + 200]
    if not found[1].isdigit() or _CARD_WORD.search(line):
        return True
    return not _RARE_CARD.match(found[1]) and len(_LONG_NUMBER.findall(line)) <= 2


def _is_iban(value: str) -> bool:
    """ISO 13616: length of the country, and 1 modulo 97."""
    if _IBAN_LENGTHS.get(value[:2]) != len(value):
        return False
    return int("".join(str(int(c, 36)) for c in value[4:] + value[:4])) % 97 == 1
