"""Objects whose members are secret: Kubernetes Secrets in YAML, private keys as JSON (JWK).

Each function looks at the whole object around its keyword and also answers where the object
ends, so that further keywords inside it are not looked at again.
"""

import re
from collections.abc import Iterator

from indexing.scrubbing.matches import Match, Rank, Region
from indexing.scrubbing.placeholders import is_reference, is_stand_in
from indexing.scrubbing.randomness import classes, in_words, is_random_hex
from indexing.scrubbing.structure import decode, decode_text

# In JSON, JSON within a string, objects of programs, and YAML.
_JWK_MEMBER = re.compile(
    r"(?<![\w-])(?:d|p|q|dp|dq|qi|k|priv)\\?[\"']?\s{0,8}[:=]\s{0,8}\\?[\"']?([A-Za-z0-9_-]{22,2000})(?![\w.(-])",
    re.IGNORECASE,
)
_DATA = re.compile(r"^([ \t]*)(data|stringData):[ \t]*\r?$", re.MULTILINE)
_LINE = re.compile(
    r"([ \t]+)([\w.-]{1,200}):[ \t]*(?:([\"']?)([^\s\"'#][^\r\n]{0,4000}?)\3)?[ \t]*\r?$",
    re.MULTILINE,
)
_OPEN_KEY = re.compile(
    r"(?:^|[._-])(?:type|provider|host|hostname|port|database|dbname|user|username|name|namespace|region"
    r"|endpoint|protocol|driver|schema)$",
    re.IGNORECASE,
)
_REACH = 20_000
_BEGIN = "-----BEGIN "
_KEY_LEAST = 40  # characters of its body
_SETTINGS_LEAST = 3  # lines
_SECRET_NAME = re.compile(r"pass|pwd|secret|token|key|credential|auth|://", re.IGNORECASE)
_SETTING = re.compile(r"[\w.-]{1,60}\s?(?::(?:\s|$)|=)|[-\[#]|</?\w")


def kubernetes_secret(text: str, hit: int) -> Region:
    """Values under `data:` and `stringData:` of the YAML document that says `kind: Secret`.

    The kind may stand before or behind them.
    """
    low = max(0, hit - _REACH)
    fence = text.rfind("\n```", low, hit)
    start = max(text.rfind("\n---", low, hit), fence, low)
    ends = [text.find(mark, hit, hit + _REACH) for mark in ("\n---", "\n```")]
    stop = min([end for end in ends if end >= 0], default=min(len(text), hit + _REACH))
    matches: list[Match] = []
    at = start
    while block := _DATA.search(text, at, stop):
        encoded = block[2] == "data"
        at = _block_values(text, block.end(), stop, len(block[1]), encoded=encoded, into=matches)
    return stop, matches


def _block_values(
    text: str, start: int, stop: int, indent: int, *, encoded: bool, into: list[Match]
) -> int:
    """Adds the values of one block; answers where it ends."""
    parts: list[tuple[int, int]] = []
    key_indent = -1
    at = start
    for a, b in _yaml_lines(text, start, stop):
        depth = b - a - len(text[a:b].lstrip(" \t"))
        if depth <= indent:
            break
        at = b
        line = _LINE.match(text, a, b)
        if line and (key_indent < 0 or depth <= key_indent):
            into += _secret_value(text, parts, encoded=encoded)
            key_indent = depth
            value = line[4] or ""
            plain = (decode_text(value) or "") if encoded else value
            parts = [] if value[:1] in "|>" or _is_open(line[2], plain) else [line.span(4)]
        else:
            parts.append((a + depth, b))
    into += _secret_value(text, parts, encoded=encoded)
    return max(at, start)


def _is_open(key: str, value: str) -> bool:
    """Where a service is, not how to get in: kept in a Secret for convenience."""
    return _OPEN_KEY.search(key) is not None and (
        value.isalnum() or ("@" not in value and in_words(value))
    )


def _secret_value(text: str, parts: list[tuple[int, int]], *, encoded: bool) -> Iterator[Match]:
    value = "".join(text[a:b] for a, b in parts)
    plain = len(value) >= 4 and not encoded
    if (plain or (len(value) >= 8 and decode(value))) and not is_stand_in(value):
        inner = (
            (decode_text(value) or "x9!x") if encoded else "\n".join(text[a:b] for a, b in parts)
        )
        if not _is_harmless(inner.strip()):
            yield Match("kubernetes_secret_data", tuple(parts), Rank.CONTEXT, "high")


def _is_harmless(value: str) -> bool:
    """A stand-in, a certificate, a key without its body, or a file of settings that names no
    secret."""
    if is_reference(value) or is_stand_in(value):
        return True
    if value.startswith(_BEGIN):
        body = "".join(line for line in value.splitlines() if not line.startswith("-----"))
        return "PRIVATE KEY" not in value or len(body) < _KEY_LEAST
    lines = value.splitlines()
    if _SECRET_NAME.search(value):
        return False
    return len(lines) >= _SETTINGS_LEAST and sum(map(_is_setting, lines)) * 2 > len(lines)


def _is_setting(line: str) -> bool:
    return _SETTING.match(line) is not None


def _yaml_lines(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    while start < stop:
        end = text.find("\n", start, stop)
        end = stop if end < 0 else end
        last = end - (end > start and text[end - 1] == "\r")
        if text[start:last].strip():
            yield start, last
        start = end + 1


def jwk_private(text: str, hit: int) -> Region:
    """The private members of the object around `kty`; without braces, of the lines near it."""
    low, high = max(0, hit - 4000), hit + 8000
    start = max(text.rfind("{", low, hit), text.rfind("\n\n", low, hit), low)
    stop = text.find("}", hit, high)
    if stop < 0:
        blank = text.find("\n\n", hit, high)
        stop = min(len(text), blank if blank >= 0 else high)
    return stop, [
        Match("jwk_private", (found.span(1),), Rank.CONTEXT, "high", published=True)
        for found in _JWK_MEMBER.finditer(text, start, stop)
        if classes(found[1]) >= 3 or is_random_hex(found[1])
    ]
