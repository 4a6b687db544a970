"""Objects whose members are secret: Kubernetes Secrets in YAML, private keys as JSON (JWK).

Each function looks at the whole object around its keyword and also answers where the object
ends, so that further keywords inside it are not looked at again.
"""

import re
from collections.abc import Iterator

from indexing.scrubbing.matches import Match, Rank, Region
from indexing.scrubbing.placeholders import is_reference, is_stand_in
from indexing.scrubbing.structure import decode, decode_text

_JWK_MEMBER = re.compile(r"\"(?:d|p|q|dp|dq|qi|k)\"\s{0,8}:\s{0,8}\"([A-Za-z0-9_-]{22,2000})\"")
_DATA = re.compile(r"^([ \t]*)(data|stringData):[ \t]*\r?$", re.MULTILINE)
_LINE = re.compile(
    r"([ \t]+)([\w.-]{1,200}):[ \t]*(?:([\"']?)([^\s\"'#][^\r\n]{0,4000}?)\3)?[ \t]*\r?$",
    re.MULTILINE,
)
_REACH = 20_000


def kubernetes_secret(text: str, hit: int) -> Region:
    """Values under `data:` and `stringData:` of the YAML document that says `kind: Secret`.

    The kind may stand before or behind them.
    """
    low = max(0, hit - _REACH)
    start = max(text.rfind("\n---", low, hit), low)
    stop = text.find("\n---", hit, hit + _REACH)
    stop = stop if stop >= 0 else min(len(text), hit + _REACH)
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
            parts = [] if value[:1] in "|>" else [line.span(4)]
        else:
            parts.append((a + depth, b))
    into += _secret_value(text, parts, encoded=encoded)
    return max(at, start)


def _secret_value(text: str, parts: list[tuple[int, int]], *, encoded: bool) -> Iterator[Match]:
    value = "".join(text[a:b] for a, b in parts)
    plain = len(value) >= 4 and not encoded
    if (plain or (len(value) >= 8 and decode(value))) and not is_stand_in(value):
        inner = (decode_text(value) or "x9!x") if encoded else value
        if not is_reference(inner.strip()) and not is_stand_in(inner.strip()):
            yield Match("kubernetes_secret_data", tuple(parts), Rank.CONTEXT, "high")


def _yaml_lines(text: str, start: int, stop: int) -> Iterator[tuple[int, int]]:
    while start < stop:
        end = text.find("\n", start, stop)
        end = stop if end < 0 else end
        last = end - (end > start and text[end - 1] == "\r")
        if text[start:last].strip():
            yield start, last
        start = end + 1


def jwk_private(text: str, hit: int) -> Region:
    """The private members of the JSON object around `"kty"`."""
    start = max(text.rfind("{", max(0, hit - 4000), hit), hit - 4000, 0)
    stop = text.find("}", hit, hit + 8000)
    stop = stop if stop >= 0 else min(len(text), hit + 8000)
    return stop, [
        Match("jwk_private", (found.span(1),), Rank.CONTEXT, "high", published=True)
        for found in _JWK_MEMBER.finditer(text, start, stop)
    ]
