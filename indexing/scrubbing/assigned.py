"""Random values assigned to names like SECRET, TOKEN, PASSWORD in the usual syntaxes."""

import re
import string

from indexing.scrubbing.matches import Match, Rank, Region
from indexing.scrubbing.placeholders import is_stand_in
from indexing.scrubbing.prefilter import Trigger
from indexing.scrubbing.randomness import (
    UUID,
    classes,
    entropy,
    in_words,
    is_random,
    is_random_hex,
    is_sequence,
)
from indexing.scrubbing.structure import decode_text

PASSWORD_WORDS = (
    "passw",
    "pwd",
    "passphrase",
    "_pass",
    "-pass",
    ".pass",
    "dbpass",
    "userpass",
    "adminpass",
    "rootpass",
    "senha",
)
SECRET_WORDS = ("secret", "token", "apikey", "credential", "auth")

_NAME_CHARACTERS = string.ascii_letters + string.digits + "_.-"
_NAME_REACH = 60
_LONG = 200
_FARTHEST = 60
_SETTERS = ("ENV ", "ARG ", "set ", "etx ", "env ")
_PLAIN_SIGNS = "-_./:,= "
# Names whose values are no secrets, whatever they look like.
_INNOCENT = re.compile(
    r"(?:id|ids|name|names|url|uri|file|path|dir|length|len|size|type|count|field|header|prefix|suffix"
    r"|pattern|regex|version|label|hint|text|title|message|error|errors|class|column|columns|index"
    r"|endpoint|usage|expires?|expiry|at|ttl|format|algorithm|alg|hash|digest|checksum|sha1|sha256"
    r"|fingerprint|param|ref|arn|limit|policy|store|provider|manager|service|factory|map|kind|idx"
    r"|placeholder|example|help|description|nonce|cursor|page)$"
    r"|public|pub[_-]?key|csrf|xsrf|primary|foreign|sort|row|cache|partition|s3[_-]?key|object"
    r"|keyword|keyboard|monkey|turkey|donkey|hockey|jockey|author|idempotency|context|tokeni[sz]"
    r"|authenticate|site[_-]?key|ssh[_-]?key|host[_-]?key|known|etag|commit|revision|srcrev|integrity|lockfile",
    re.IGNORECASE,
)
# `key` alone is a weak word: only after one of these.
_KEY = (
    r"(?:api|access|auth|private|secret|signing|sign|encrypt[a-z_]{0,30}|encryption|license|licence"
    r"|service|account|client|master|session|storage|shared|webhook|jwt|app|admin|cookie|hmac|maps"
    r"|llm|ai|internal|server|deploy|crypto?|aes|rsa|root|host|vault|db|database|stripe|token)"
    r"[_.-]?key"
)
STRONG_KEY = Trigger(_KEY, len("key"))
_STRONG_KEY = re.compile(_KEY, re.IGNORECASE)
_QUOTE = r"(?:@|[bBrRuUfF]{1,2}|\$)?(?:\\?[\"'`]){1,3}"
_OPTIONAL_QUOTE = rf"(?:{_QUOTE})?"
# Between a name and its value. The order matters: the more telling ones come first.
_CLOSE = r"(?:\\?[\"'`]|\*\*)?\]?\)?"  # what may end the name
_VALUE_NAME = r"(?:\\?[\"'])?(?:[vV]alue|[dD]efault(?:Value)?|defaultvalue|content)(?:\\?[\"'])?"
_GAP = re.compile(
    rf"""(?:
      {_CLOSE}\s{{0,4}},\s{{0,8}}{_VALUE_NAME}\s{{0,4}}[:=]\s{{0,4}}{_OPTIONAL_QUOTE}
    | ["']\s{{1,4}}{_VALUE_NAME}\s{{0,2}}=\s{{0,2}}["']               # name="x" value="...
    | ["']?\s{{0,4}}\r?\n\s{{0,20}}(?:-\s)?(?:value|default):\s{{0,4}}["']?
    | ["']?[^\S\n]{{0,4}}\{{(?:[^\n{{}}]{{0,120}}\n){{1,4}}           # variable "x" {{ default =
        \s{{0,20}}(?:default|value)\s{{0,20}}=\s{{0,4}}["']
    | {_CLOSE}\s{{0,4}}[:=]\s{{0,4}}\{{\s{{0,8}}{_VALUE_NAME}\s{{0,4}}[:=]\s{{0,4}}{_OPTIONAL_QUOTE}
    | \\?["']?\s{{0,2}}/?>\s{{0,8}}(?:<!\[CDATA\[)?                     # <name>...
    | {_CLOSE}\s{{0,4}}(?:\|\||\?\?|\?:|or)\s{{0,4}}{_QUOTE}             # env.NAME || "...
    | [`"']?\s{{0,20}}\|\s{{0,20}}`?                                    # | name | ... |
    | [`"']\s(?:to|is|as|with|=|set\sto|:)\s[`"']                       # `NAME` to `...`
    | \??:\s{{0,4}}[A-Za-z&][\w.<>\[\]|?&' ]{{0,40}}\s?=\s{{0,4}}{_QUOTE}  # name: str = "...
    | {_CLOSE}\s{{0,20}}(?:%3[Dd]|:=|:-?|=>|->|\?=|\|\|=|==?)\s{{0,4}}
        (?:!!?\w{{1,20}}\s{{1,4}}|&\w{{1,20}}\s{{1,4}}|[|>][+-]?\s{{0,4}}\r?\n\s{{1,20}})?
        (?:\$\{{\w{{1,40}}:-?)?
        (?:[\w.:]{{1,40}}\(\s{{0,4}}(?:["'][\w.-]{{1,60}}["']\s{{0,2}},\s{{0,4}})?(?={_QUOTE}))?
        {_OPTIONAL_QUOTE}
    | ["'`]\s{{0,4}},\s{{0,8}}{_QUOTE}                                  # 'name', '...
    | ["'`]\)\s{{0,4}}\{{\s{{0,4}}{_QUOTE}                               # fetch("name") {{ "..." }}
    | ,\s{{0,4}}\w{{1,20}}\s{{0,4}}:?=\s{{0,4}}{_QUOTE}                 # name, err := "...
    | \(\s{{0,4}}{_QUOTE}                                               # setName("...
    | [ \t]{{1,4}}{_OPTIONAL_QUOTE}                                     # --name value
    )""",
    re.VERBOSE | re.ASCII,
)
_QUOTED = re.compile(r"[^\s\"'`<>\\]{4,512}(?=\\?[\"'`])")
_BARE = re.compile(r"[A-Za-z0-9+/_.~!@#%^&*=$:?-]{4,512}")
# Keys that are published on purpose, and ids of things that are no credentials.
_PUBLIC = re.compile(
    r"pk_(?:live|test)_|phc_|sb_publishable_|(?:AROA|AIDA|AGPA|AIPA|ANPA|ANVA)[A-Z0-9]{16}|arn:|urn:"
)
# A digest in a lock file, after a module whose name holds `auth` or `secret`.
_DIGEST_MARK = re.compile(r"(?:\bh1:|\bsha[0-9]{1,3}[:-])$")
_NEXT_PARAMETER = re.compile(r"&[A-Za-z_][\w.-]{0,40}=", re.ASCII)
_LOOSE = re.compile(r"(?<![A-Za-z0-9+/_.-])([A-Za-z0-9+/_-]{20,200}={0,2})(?![A-Za-z0-9+/=_.-])")
_PATH = re.compile(
    r"(?:\.{0,2}|[A-Za-z]:|~)?(?:[/\\][\w.@-]{1,60}){2,}/?|[\w-]{1,40}(?:/[\w.-]{1,40}){2,}"
)
_CODE = re.compile(
    r"[A-Za-z_$][\w$]{0,60}(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]{0,60})+\(?.*|[A-Za-z_][\w.]{0,80}[(\[].*",
    re.ASCII | re.DOTALL,
)
_DATE = re.compile(
    r"v?[0-9]{1,4}[-.:/][0-9]{1,2}[-.:/].*|v?[0-9.]+|sha[0-9]{1,3}[-:].*|urn:.*|arn:.*"
)


def assigned(text: str, hit: int, *, weak: bool = False) -> Region:
    """The value of the name that holds the word at offset `hit`."""
    start, end = _name(text, hit)
    found = _match(text, start, end, weak=weak)
    # Names inside a short value are looked at in their own right (`?token=a&password=b`).
    return (found.end, [found]) if isinstance(found, Match) else (max(end, found), [])


def _match(text: str, start: int, end: int, *, weak: bool) -> Match | int:
    """The value assigned to the name, or the offset up to which there is none."""
    gap = _GAP.match(text, end)
    if gap is None or end - start >= _NAME_REACH:
        return end
    name = text[start:end].rstrip("-.")
    if weak and not _STRONG_KEY.search(name):
        return end
    said = name.startswith("-") or name.isupper() or text[start - 4 : start] in _SETTERS
    loose = not gap[0].strip() and not said
    match = _value(text, gap.end(), name.lower(), loose=loose)
    if not isinstance(match, Match) and match <= gap.end():
        match = _farther(text, end) or match
    return end if isinstance(match, Match) and _INNOCENT.search(name) else match


def _name(text: str, hit: int) -> tuple[int, int]:
    before = text[max(0, hit - _NAME_REACH) : hit]
    after = text[hit : hit + _NAME_REACH]
    start = hit - len(before) + len(before.rstrip(_NAME_CHARACTERS))
    return start, hit + len(after) - len(after.lstrip(_NAME_CHARACTERS))


def _value(text: str, at: int, name: str, *, loose: bool) -> Match | int:
    quoted = text[at - 1] in "\"'`"
    found = (_QUOTED if quoted else _BARE).match(text, at)
    if found is None:
        return at
    value = found[0] if quoted else _NEXT_PARAMETER.split(found[0])[0].rstrip(".,;:!?")
    nothing = at + len(value) if len(value) > _LONG else at
    if len(value) < 8 or is_no_secret(value):
        return nothing
    span = (at, at + len(value))
    if any(word in name for word in PASSWORD_WORDS) and not loose:
        if _is_password(value):
            return Match("assigned_password", (span,), Rank.ASSIGNED, "medium")
    elif is_random(value) or (is_random_hex(value) and not loose):
        return Match("assigned_secret", (span,), Rank.ASSIGNED, "medium")
    return nothing


def is_no_secret(value: str) -> bool:
    """Stand-ins, addresses, paths, code, dates, digests with their algorithm before them."""
    if is_stand_in(value) or "://" in value or UUID.fullmatch(value) or is_sequence(value):
        return True
    if _DATE.fullmatch(value) or (value.startswith("0x") and len(value) == 42):
        return True
    if _CODE.fullmatch(value) and not _busy(value):
        return True
    if _PUBLIC.match(value) or _is_prose(value):
        return True
    return _PATH.fullmatch(value) is not None and (value[0] in "./~" or not _busy(value))


def _is_prose(value: str) -> bool:
    """Base64 of words with blanks between them."""
    text = decode_text(value) if len(value) >= 16 else None
    return text is not None and " " in text and ":" not in text and in_words(text)


def _busy(value: str) -> bool:
    """Digits and cases as mixed as in random text."""
    return len(re.findall(r"[a-z][A-Z0-9]|[0-9][A-Za-z]|[A-Z][0-9]", value)) * 5 >= len(value)


def _farther(text: str, end: int) -> Match | None:
    """A value beyond doubt on the rest of the line, whatever stands before it."""
    stop = text.find("\n", end, end + _FARTHEST)
    found = _LOOSE.search(text, end, stop if stop >= 0 else end + _FARTHEST + 100)
    if found is None or found.start() > end + _FARTHEST:
        return None
    if _DIGEST_MARK.search(text, max(0, found.start() - 8), found.start()):
        return None
    if classes(found[1]) < 3 or not is_random(found[1], minimum=20) or is_no_secret(found[1]):
        return None
    return Match("assigned_secret", (found.span(1),), Rank.ASSIGNED, "medium")


def _is_password(value: str) -> bool:
    """Random, or words with the digits and signs that password rules ask for."""
    if is_random(value) or is_random_hex(value, minimum=20):
        return True
    if len(value) > 40 or value.isalpha() or value.isdigit() or entropy(value) < 2.5:
        return False
    signs = {c for c in value if not c.isalnum()}
    if classes(value) >= 3 and not in_words(value):
        return len(signs - set(_PLAIN_SIGNS)) > 0 or _busy(value)
    return (
        any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and bool(signs - set(_PLAIN_SIGNS))
    )
