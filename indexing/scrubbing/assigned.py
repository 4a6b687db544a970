"""Random values assigned to names like SECRET, TOKEN, PASSWORD in the usual syntaxes."""

import re
import string

from indexing.scrubbing.candidates import LEAST, Candidates, may_be_value
from indexing.scrubbing.gaps import ENTITIES, farther, gap
from indexing.scrubbing.matches import Match, Rank, Region
from indexing.scrubbing.prefilter import Trigger, word
from indexing.scrubbing.randomness import classes, is_random, is_random_hex
from indexing.scrubbing.values import is_beyond_doubt, is_mixed, is_no_secret, is_password

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
SHORT_PASSWORD = Trigger(r"[a-z0-9_.-]p(?:ass|w)[\"'`\])]{0,3}[ \t]{0,8}[^a-z0-9 \t\r\n,;.)(]", 0)
_SHORT_WORD = re.compile(r"pass(?![a-z])|pw(?![a-z])", re.IGNORECASE)
# `rootPw` is one, `XZIwuRvYMYJpw` is the end of a digest.
_SHORT_PASSWORD = re.compile(r"(?:(?i:pass|[_.-]pw)|[a-z]{2}Pw)$")
_SHORT_REACH = 20
_OTHER_PASS = re.compile(
    r"(?:by|tres|over|under|sur|im|com?|render|multi|single|first|second|two|one|light|shadow"
    r"|depth|shader|pre|post|optimizer|opt)_?pass$",
    re.IGNORECASE,
)
SECRET_WORDS = ("secret", "token", "apikey", "credential")
# `author` is everywhere, and none.
_AUTH = (Trigger("auth[^o]", len("auth.")), Trigger("autho[^r]", len("autho.")))
NAMES = (*map(word, PASSWORD_WORDS + SECRET_WORDS), *_AUTH)

_NAME_CHARACTERS = string.ascii_letters + string.digits + "_.-ñáéíóúãõçäöüß"
_NAME_REACH = 100
_NAME_REST = re.compile(rf"[A-Za-z0-9_.ñáéíóúãõçäöüß-]{{0,{_NAME_REACH}}}")
_LONG = 200
_FARTHEST = 60
_SETTER = re.compile(r"(?:ENV|ARG|set|etx|env) \$?$")
# Names that are words of their own: what follows one without a sign is spoken of.
_SPOKEN = frozenset(("password", "passwd", "passphrase", "pwd", "secret", "token", "key", "senha"))
_SPOKEN_REACH = 16
# What may stand right behind a name to which something is assigned.
_OPENERS = frozenset("\"'`*])}[\\ \t\r\n,:=({<>/|?%!~&\uff1a\uff1d-")
_SEARCH_KEY = re.compile(r"[0-9a-f]{32}")
_SEARCH_INDEX = re.compile(r"\bindex_?Name\b", re.IGNORECASE)
# Names whose values are no secrets, whatever they look like.
_INNOCENT = re.compile(
    r"(?:id|ids|name|names|url|uri|file|path|dir|length|len|size|type|count|field|header|prefix|suffix"
    r"|pattern|regex|version|label|hint|text|title|message|error|errors|class|column|columns|index"
    r"|endpoint|usage|expires?|expiry|at|ttl|format|algorithm|alg|hash|digest|checksum|sha1|sha256"
    r"|fingerprint|param|ref|arn|limit|policy|store|provider|manager|service|factory|map|kind|idx"
    r"|placeholder|example|help|encod(?:ing|er)|charset|description|nonce|cursor|page|signature|sig)$"
    r"|passe[a-z]|public|pub[_-]?key|csrf|xsrf|primary|foreign|sort|row|cache|partition|s3[_-]?key|object"
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
_QUOTED = re.compile(r"[^\s\"'`<>\\]{4,512}(?=\\{0,3}[\"'`])")
_CODED = re.compile(r"[^\s\"'`<>\\&]{4,512}(?=&quot;|&#34;|\\u0022)")
_BARE = re.compile(r"[A-Za-z0-9+/_.~!@#%^&*=$:?-]{4,512}")
_ARGUMENT = re.compile(r",\s{0,4}[\"'`]")
_COMMA = re.compile(r",(?=[^\s,\"']{8,200}[,\r\n])")
_EARLIER = 260
_SIGNS = frozenset(":=")
_NAMES_OF_NAMES = ("name", "Name", "key", "Key")
_VALUE_FIRST = re.compile(
    r"\b[vV]alue[\"']?\s{0,4}[:=]\s{0,4}[\"']?([^\s\"'<>]{8,200})[\"']?,?\s{0,40}[\"']?\b(?:[nN]ame|[kK]ey)"
    r"[\"']?\s{0,4}[:=]\s{0,4}[\"']?\Z"
)
_KEY_END = re.compile(r"[\"']\s{0,4}:")
_LOOSE_LEAST = 20
_INDENT = 60
_LAST_WORD = re.compile(r"[^\s\"'`]{8,512}[ \t]{0,8}(?:\r?\n|\Z)")
# A digest in a lock file, after a module whose name holds `auth` or `secret`.
_DIGEST_MARK = re.compile(r"(?:\bh1:|\bsha[0-9]{1,3}[:-])$")
# Another name right before a value that is looked for farther on.
_OTHER_NAME = re.compile(
    r"\b(?!(?:value|default|content)\b)[A-Za-z_][\w-]{1,40}[\"']?\s?[:=]\s?[\"']?$"
)
_NEXT_PARAMETER = re.compile(r"(?:&|%26)[A-Za-z_][\w.-]{0,40}(?:=|%3[Dd])", re.ASCII)
_LOOSE = re.compile(
    r"(?:(?<=\\)[nrt]|(?<![A-Za-z0-9+/_.\\-]))([A-Za-z0-9+/_-]{20,200}={0,2})(?![A-Za-z0-9+/=_.-])"
)


def assigned(text: str, hit: int, candidates: Candidates, *, weak: bool = False) -> Region:
    """The value of the name that holds the word at offset `hit`."""
    rest = _NAME_REST.match(text, hit)
    end = rest.end() if rest else hit
    if text[end : end + 1] not in _OPENERS or not candidates.near(text, hit, end):
        return end, []
    before = text[max(0, hit - _NAME_REACH) : hit]
    start = hit - len(before) + len(before.rstrip(_NAME_CHARACTERS))
    found = _match(text, start, end, candidates, weak=weak)
    # Names inside a short value are looked at in their own right (`?token=a&password=b`).
    return (found.end, [found]) if isinstance(found, Match) else (max(end, found), [])


def short_password(text: str, hit: int, candidates: Candidates) -> Region:
    """The value of a name that ends in `Pass` or `_pw`, somewhere before offset `hit`."""
    short = _SHORT_WORD.search(text, max(0, hit - _SHORT_REACH), hit)
    if short is None or not _SHORT_PASSWORD.search(text, max(0, short.end() - 5), short.end()):
        return hit, []
    if _OTHER_PASS.search(text, max(0, short.start() - 12), short.end()):
        return hit, []
    return assigned(text, short.start(), candidates)


def _match(text: str, start: int, end: int, candidates: Candidates, *, weak: bool) -> Match | int:
    """The value assigned to the name, or the offset up to which there is none."""
    if end - start >= _NAME_REACH:
        return end
    name = text[start:end].rstrip("-.")
    if weak:
        # Its first word may stand apart: `api key`.
        first = start - _SPOKEN_REACH if text[start - 1 : start] == " " else start
        if not _STRONG_KEY.search(text, max(0, first), end):
            return end
    between = gap(text, end) or _cell(text, start, end)
    match: Match | int = end
    if between:
        match = _value(text, between, name, loose=_is_loose(text, start, between))
        go_on = isinstance(match, int) and match <= between.end()
    else:
        go_on = _ARGUMENT.match(text, end) is not None
    if go_on and candidates.on_line(text, end):
        match = _farther(text, end, name) or match
    if not isinstance(match, Match):
        match = _earlier(text, start, name) or match
    if isinstance(match, Match) and (_INNOCENT.search(name) or _is_search_key(text, name, match)):
        return end
    return match


def _cell(text: str, start: int, end: int) -> re.Match[str] | None:
    """`name,value` in a table of values."""
    return _COMMA.match(text, end) if text[start - 1 : start] in ("", "\n") else None


def _earlier(text: str, start: int, name: str) -> Match | None:
    """The value that stands before its name: `value: …`, `name: DB_PASSWORD`."""
    before = text[max(0, start - _SPOKEN_REACH) : start].rstrip("\"' ")
    if before[-1:] not in _SIGNS or not before.rstrip(":= \"'").endswith(_NAMES_OF_NAMES):
        return None
    first = max(0, start - _EARLIER)
    found = _VALUE_FIRST.search(text[first:start])
    if found is None:
        return None
    value, kind = found[1], _kind(found[1], name, loose=False)
    if kind is None or not may_be_value(value) or is_no_secret(value, quoted=True):
        return None
    span = (first + found.start(1), first + found.end(1))
    return Match(kind, (span,), Rank.ASSIGNED, "medium")


def _is_loose(text: str, start: int, between: re.Match[str]) -> bool:
    """Nothing says that the next word is the value: no sign, no option, no line of a name and
    its value alone."""
    if between[0].strip():
        return False
    name = text[start : between.start()]
    if name.startswith("-") or name.isupper() or _SETTER.search(text, max(0, start - 5), start):
        return False
    first = text.rfind("\n", max(0, start - _INDENT), start) + 1
    return bool(text[first:start].strip()) or _LAST_WORD.match(text, between.end()) is None


def _is_search_key(text: str, name: str, match: Match) -> bool:
    """The key of a search box in a page, made to be read by everybody. Others that have an index
    too (of vectors, say) give keys of another form."""
    start, end = match.start, match.end
    if not name.lower().endswith("apikey") or not _SEARCH_KEY.fullmatch(text, start, end):
        return False
    return _SEARCH_INDEX.search(text, max(0, start - 300), end + 300) is not None


def _value(text: str, between: re.Match[str], name: str, *, loose: bool) -> Match | int:
    at = between.end()
    coded = between[0].endswith(ENTITIES)
    quoted = text[at - 1] in "\"'`" and not between[0].endswith("[[")
    pattern = _CODED if coded else _QUOTED if quoted else _BARE
    found = pattern.match(text, at)
    if found is None:
        return at
    quoted = quoted or coded
    value = found[0] if quoted else _NEXT_PARAMETER.split(found[0])[0].rstrip(".,;:")
    nothing = at + len(value) if len(value) > _LONG else at
    if not may_be_value(value):
        return nothing
    kind = _kind(value, name, loose=loose)
    if kind is None or is_no_secret(value, quoted=quoted):
        return nothing
    if "\n" in between[0] and _KEY_END.match(text, found.end()):
        return nothing  # the key of the next entry
    return Match(kind, ((at, at + len(value)),), Rank.ASSIGNED, "medium")


def _kind(value: str, name: str, *, loose: bool) -> str | None:
    spoken = loose and name.lower() in _SPOKEN
    if _is_password_name(name) and (spoken or not loose):
        good = is_password(value) and (not loose or is_mixed(value))
        return "assigned_password" if good else None
    good = is_random(value) or (is_random_hex(value) and (spoken or not loose))
    return "assigned_secret" if good else None


def _is_password_name(name: str) -> bool:
    low = name.lower()
    return any(word in low for word in PASSWORD_WORDS) or _SHORT_PASSWORD.search(name) is not None


def _farther(text: str, end: int, name: str) -> Match | None:
    """A value beyond doubt on the rest of the line, whatever stands before it."""
    stop = text.find("\n", end, end + _FARTHEST + 100)
    line = text[end : stop if stop >= 0 else end + _FARTHEST + 100]
    if len(line) <= LEAST:
        return None
    found, kind = farther(text, end) if '"' in line or "'" in line or "`" in line else None, None
    if found and may_be_value(found[1]) and is_beyond_doubt(found[1]):
        kind = _kind(found[1], name, loose=False)
    else:
        found = _anywhere(text, end) if len(line) > _LOOSE_LEAST else None
        kind = "assigned_secret" if found else None
    if found is None or kind is None or is_no_secret(found[1], quoted=True):
        return None
    start = found.start(1)
    between = text[end:start]
    # Another sentence, another name, the mark of a digest.
    if ". " in between or _OTHER_NAME.search(between) or _DIGEST_MARK.search(between):
        return None
    return Match(kind, (found.span(1),), Rank.ASSIGNED, "medium")


def _anywhere(text: str, end: int) -> re.Match[str] | None:
    stop = text.find("\n", end, end + _FARTHEST)
    found = _LOOSE.search(text, end, stop if stop >= 0 else end + _FARTHEST + 100)
    if found is None or found.start() > end + _FARTHEST or not may_be_value(found[1]):
        return None
    return found if classes(found[1]) >= 3 and is_random(found[1], minimum=20) else None
