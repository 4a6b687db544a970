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
from indexing.scrubbing.structure import PUBLIC_PEM, decode_text

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
    "contrase",
    "passe",
    "kennwort",
    "wachtwoord",
)
# `ftpPass`, `root_pw`: the word ends here, and no value of code follows it.
SHORT_PASSWORD = Trigger(
    r"[a-z0-9_.-](?:pass|[_.-]pw)[\"'`\])]{0,3}[ \t]{0,8}[^a-z0-9 \t\r\n,;.)(]", 0
)
_SHORT_WORD = re.compile(r"pass(?![a-z])|pw(?![a-z])", re.IGNORECASE)
_SHORT_PASSWORD = re.compile(r"(?:pass|[_.-]pw|[a-z0-9]Pw)$", re.IGNORECASE)
_SHORT_REACH = 20
_OTHER_PASS = re.compile(
    r"(?:by|tres|over|under|sur|im|com?|render|multi|single|first|second|two|one|light|shadow"
    r"|depth|shader|pre|post|optimizer|opt)_?pass$",
    re.IGNORECASE,
)
SECRET_WORDS = ("secret", "token", "apikey", "credential", "auth")

_NAME_CHARACTERS = string.ascii_letters + string.digits + "_.-ñáéíóúãõçäöüß"
_NAME_REACH = 100
_LONG = 200
_FARTHEST = 60
_SETTER = re.compile(r"(?:ENV|ARG|set|etx|env) \$?$")
# Names that are words of their own: what follows one without a sign is spoken of.
_SPOKEN = frozenset(("password", "passwd", "passphrase", "pwd", "secret", "token", "key", "senha"))
_SPOKEN_REACH = 16
# What may stand right behind a name to which something is assigned.
_OPENERS = frozenset("\"'`*])\\ \t\r\n,:=({/>|?%-")
_DIGIT = re.compile(r"[0-9]")
_TURN = re.compile(r"[a-z][A-Z0-9]|[0-9][A-Za-z]|[A-Z][0-9]")
_DIGIT_INSIDE = re.compile(r"[A-Za-z][0-9]+[A-Za-z]")
_NUMBERED = re.compile(r"[0-9]{2,}[^A-Za-z0-9]?$")
_SEARCH_KEY = re.compile(r"[0-9a-f]{32}")
_SEARCH_INDEX = re.compile(r"\bindex_?Name\b", re.IGNORECASE)
_PLAIN_SIGNS = "-_./:,= "
# Names whose values are no secrets, whatever they look like.
_INNOCENT = re.compile(
    r"(?:id|ids|name|names|url|uri|file|path|dir|length|len|size|type|count|field|header|prefix|suffix"
    r"|pattern|regex|version|label|hint|text|title|message|error|errors|class|column|columns|index"
    r"|endpoint|usage|expires?|expiry|at|ttl|format|algorithm|alg|hash|digest|checksum|sha1|sha256"
    r"|fingerprint|param|ref|arn|limit|policy|store|provider|manager|service|factory|map|kind|idx"
    r"|placeholder|example|help|encod(?:ing|er)|charset|description|nonce|cursor|page)$"
    r"|public|pub[_-]?key|csrf|xsrf|primary|foreign|sort|row|cache|partition|s3[_-]?key|object"
    r"|keyword|keyboard|monkey|turkey|donkey|hockey|jockey|author|idempotency|context|tokeni[sz]"
    r"|authenticate|authenticity|rspauth|site[_-]?key|ssh[_-]?key|host[_-]?key|known|etag|commit|revision|srcrev|integrity|lockfile",
    re.IGNORECASE,
)
# `key` alone is a weak word: only after one of these.
_KEY = (
    r"(?:api|access|auth|private|secret|signing|sign|encrypt[a-z_]{0,30}|encryption|license|licence"
    r"|service|account|client|master|session|storage|shared|webhook|jwt|app|admin|cookie|hmac|maps"
    r"|llm|ai|internal|server|deploy|crypto?|aes|rsa|root|host|vault|db|database|stripe|token)"
    r"[ _.-]?key"
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
    | \s{{1,4}}[aA]s\s{{1,4}}String\s{{0,4}}=\s{{0,4}}"                    # Name As String = "...
    | [ \t]{{1,2}}(?:is|was|are|será|es|é|ist|est|lautet)[ \t:=]{{1,4}}{_OPTIONAL_QUOTE}  # in prose
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
    PUBLIC_PEM + r"|pk_(?:live|test)_|phc_|sb_publishable_|arn:|urn:"
    r"|(?:AROA|AIDA|AGPA|AIPA|ANPA|ANVA)[A-Z0-9]{16}"
)
# A digest in a lock file, after a module whose name holds `auth` or `secret`.
_DIGEST_MARK = re.compile(r"(?:\bh1:|\bsha[0-9]{1,3}[:-])$")
# Another name right before a value that is looked for farther on.
_OTHER_NAME = re.compile(
    r"\b(?!(?:value|default|content)\b)[A-Za-z_][\w-]{1,40}[\"']?\s?[:=]\s?[\"']?$"
)
_ALGORITHM = re.compile(
    r"(?:pbkdf2|with|and|hmac|sha|aes|rsa|dsa|ecdsa|ecdh|ed|md|des|ede|gcm|cbc|ctr|ecb|pkcs|padding|oaep|mgf"
    r"|bcrypt|scrypt|argon|curve|chacha|poly|[0-9]{1,4}|[-_/.+])+",
    re.IGNORECASE,
)
_NEXT_PARAMETER = re.compile(r"&[A-Za-z_][\w.-]{0,40}=", re.ASCII)
_LOOSE = re.compile(
    r"(?:(?<=\\)[nrt]|(?<![A-Za-z0-9+/_.\\-]))([A-Za-z0-9+/_-]{20,200}={0,2})(?![A-Za-z0-9+/=_.-])"
)
_PATH = re.compile(
    r"(?:\.{0,2}|[A-Za-z]:|~)?(?:[/\\][\w.@-]{1,60}){2,}/?|[\w-]{1,40}(?:/[\w.-]{1,40}){2,}"
)
_CODE = re.compile(
    r"[A-Za-z_$][\w$]{0,60}(?:(?:\.|::|->|\?\.)[A-Za-z_$][\w$]{0,60})+\(?.*|[A-Za-z_][\w.]{0,80}[(\[].*",
    re.ASCII | re.DOTALL,
)
# The rest of an address behind `<password>` or the like.
_HOST = re.compile(r"@//?.*|@[\w-]{1,60}(?:[.:/][\w.-]{1,60})+/?")
_DATE = re.compile(
    r"v?[0-9]{1,4}[-.:/][0-9]{1,2}[-.:/].*|v?[0-9.]+|sha[0-9]{1,3}[-:].*|urn:.*|arn:.*"
)


def assigned(text: str, hit: int, *, weak: bool = False) -> Region:
    """The value of the name that holds the word at offset `hit`."""
    start, end = _name(text, hit)
    found = _match(text, start, end, weak=weak)
    # Names inside a short value are looked at in their own right (`?token=a&password=b`).
    return (found.end, [found]) if isinstance(found, Match) else (max(end, found), [])


def short_password(text: str, hit: int) -> Region:
    """The value of a name that ends in `Pass` or `_pw`, somewhere before offset `hit`."""
    word = _SHORT_WORD.search(text, max(0, hit - _SHORT_REACH), hit)
    if word is None or _OTHER_PASS.search(text, max(0, word.start() - 12), word.end()):
        return hit, []
    return assigned(text, word.start())


def _match(text: str, start: int, end: int, *, weak: bool) -> Match | int:
    """The value assigned to the name, or the offset up to which there is none."""
    if text[end : end + 1] not in _OPENERS:
        return end
    gap = _GAP.match(text, end)
    if gap is None or end - start >= _NAME_REACH:
        return end
    name = text[start:end].rstrip("-.")
    if weak:
        # Its first word may stand apart: `api key`.
        first = start - _SPOKEN_REACH if text[start - 1 : start] == " " else start
        if not _STRONG_KEY.search(text, max(0, first), end):
            return end
    loose = not gap[0].strip() and not (
        name.startswith("-") or name.isupper() or _SETTER.search(text, max(0, start - 5), start)
    )
    match = _value(text, gap.end(), name.lower(), loose=loose)
    if not isinstance(match, Match) and match <= gap.end():
        match = _farther(text, end) or match
    if isinstance(match, Match) and (_INNOCENT.search(name) or _is_search_key(text, name, match)):
        return end
    return match


def _is_search_key(text: str, name: str, match: Match) -> bool:
    """The key of a search box in a page, made to be read by everybody. Others that have an index
    too (of vectors, say) give keys of another form."""
    start, end = match.start, match.end
    if not name.lower().endswith("apikey") or not _SEARCH_KEY.fullmatch(text, start, end):
        return False
    return _SEARCH_INDEX.search(text, max(0, start - 300), end + 300) is not None


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
    value = found[0] if quoted else _NEXT_PARAMETER.split(found[0])[0].rstrip(".,;:")
    nothing = at + len(value) if len(value) > _LONG else at
    if len(value) < 8 or (value in (value.lower(), value.upper()) and not _DIGIT.search(value)):
        return nothing
    kind = _kind(value, name, loose=loose)
    if kind is None or is_no_secret(value):
        return nothing
    return Match(kind, ((at, at + len(value)),), Rank.ASSIGNED, "medium")


def _kind(value: str, name: str, *, loose: bool) -> str | None:
    spoken = loose and name in _SPOKEN
    if _is_password_name(name) and (spoken or not loose):
        good = is_password(value) and (not loose or _is_mixed(value))
        return "assigned_password" if good else None
    good = is_random(value) or (is_random_hex(value) and (spoken or not loose))
    return "assigned_secret" if good else None


def _is_password_name(name: str) -> bool:
    return any(word in name for word in PASSWORD_WORDS) or _SHORT_PASSWORD.search(name) is not None


def _is_mixed(value: str) -> bool:
    return classes(value) >= 3 and not in_words(value) and sum(map(str.isdigit, value)) >= 2


def is_no_secret(value: str) -> bool:
    """Stand-ins, addresses, paths, code, dates, digests with their algorithm before them."""
    if is_stand_in(value) or "://" in value or UUID.fullmatch(value) or is_sequence(value):
        return True
    if _HOST.fullmatch(value) and not _busy(value):
        return True
    if _DATE.fullmatch(value) or (value.startswith("0x") and len(value) == 42):
        return True
    if _CODE.fullmatch(value) and not _busy(value):
        return True
    if _PUBLIC.match(value) or _ALGORITHM.fullmatch(value) or _is_prose(value):
        return True
    return _PATH.fullmatch(value) is not None and (value[0] in "./~" or not _busy(value))


def _is_prose(value: str) -> bool:
    """Base64 of words with blanks between them."""
    text = decode_text(value) if len(value) >= 16 else None
    return text is not None and " " in text and ":" not in text and in_words(text)


def _busy(value: str) -> bool:
    """Digits and cases as mixed as in random text."""
    return len(_TURN.findall(value)) * 5 >= len(value)


def _farther(text: str, end: int) -> Match | None:
    """A value beyond doubt on the rest of the line, whatever stands before it."""
    stop = text.find("\n", end, end + _FARTHEST)
    found = _LOOSE.search(text, end, stop if stop >= 0 else end + _FARTHEST + 100)
    if found is None or found.start() > end + _FARTHEST:
        return None
    if _DIGEST_MARK.search(text, max(0, found.start() - 8), found.start()):
        return None
    if _OTHER_NAME.search(text, end, found.start()):
        return None
    if classes(found[1]) < 3 or not is_random(found[1], minimum=20) or is_no_secret(found[1]):
        return None
    return Match("assigned_secret", (found.span(1),), Rank.ASSIGNED, "medium")


def is_password(value: str) -> bool:
    """Random, or words with the digits and signs that password rules ask for."""
    if is_random(value) or is_random_hex(value, minimum=20):
        return True
    if len(value) > 40 or value.isalpha() or value.isdigit() or entropy(value) < 2.5:
        return False
    signs = {c for c in value if not c.isalnum()} - set(_PLAIN_SIGNS)
    if classes(value) >= 3 and not in_words(value):
        return bool(signs) or _busy(value) or _DIGIT_INSIDE.search(value) is not None
    if classes(value) == 4 and _NUMBERED.search(value):
        return True
    return any(map(str.isdigit, value)) and any(map(str.isalpha, value)) and bool(signs)
