"""House formats: patterns of an administrator, run by RE2, which cannot go back over a text.

So a pattern takes time linear in the text whatever it is; what RE2 does not take (look-around,
back-references) is refused on entry.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2

from indexing.scrubbing.matches import Match, Rank

# From here on the rest of the file is covered: fail closed, in bounded time.
MOST_MATCHES = 20_000
_MEMORY = 8 << 20  # bytes that one pattern may use; a larger one is refused

_PLAIN = (
    ("invalid perl operator", "look-around such as (?=…) or (?<!…) is not possible here"),
    ("invalid escape sequence", "this escape is not known (back-references are not possible)"),
    ("missing )", "a closing ) is missing"),
    ("unexpected )", "there is a ) without its ("),
    ("missing ]", "a closing ] is missing"),
    ("invalid character class range", "a range in [ ] runs backwards"),
    ("invalid character class", "what stands in [ ] is not understood"),
    ("no argument for repetition", "a *, + or ? has nothing before it to repeat"),
    ("invalid repetition size", "a repetition may be at most {1000}"),
    ("bad repetition operator", "two repetitions follow each other"),
    ("invalid nested repetition", "two repetitions follow each other"),
    ("trailing \\", "it ends with a \\ that escapes nothing"),
    ("invalid named capture", "the name of a group is not written properly"),
    ("invalid UTF-8", "it holds a character that cannot be stored"),
    ("pattern too large", "it is too large"),
)


class PatternRefused(Exception):
    """The message says in plain words what is wrong with a pattern."""


@dataclass(frozen=True, slots=True)
class CustomPattern:
    """A house format. Where `keywords` (lower case) are given, one must stand in the file.

    With a group in the pattern, what the first one matched is the secret; else all of it.
    """

    kind: str
    pattern: str
    keywords: tuple[str, ...] = ()
    confidence: str = "high"


@lru_cache(maxsize=256)
def compiled(pattern: str) -> Any:
    """Raises PatternRefused."""
    options = re2.Options()
    options.max_mem = _MEMORY
    options.log_errors = False
    try:
        return re2.compile(f"(?m){pattern}", options)
    except re2.error as error:
        said = error.args[0]
        raise PatternRefused(
            _plain(said.decode(errors="replace") if isinstance(said, bytes) else str(said))
        ) from error


def _plain(said: str) -> str:
    for sign, words in _PLAIN:
        if sign in said:
            return words
    return said


def check(pattern: str) -> None:
    """Raises PatternRefused for what cannot be a rule: bad syntax, or matching nothing at all."""
    found = compiled(pattern)
    if found.search(b"") or any(not m.group() for m in found.finditer(b"a 0\n_-")):
        raise PatternRefused("it matches the empty text, which stands everywhere")


def custom_matches(custom: CustomPattern, text: str, raw: bytes) -> Iterator[Match]:
    """`raw` is the text with one byte a code point."""
    if custom.keywords:
        low = raw.lower()
        if not any(word.encode() in low for word in custom.keywords):
            return
    ascii_only = text.isascii()
    data = raw if ascii_only else text.encode("utf-8", "replace")
    done_bytes, done = 0, 0
    for number, found in enumerate(compiled(custom.pattern).finditer(data)):
        first, last = found.span(1) if found.re.groups and found.span(1)[0] >= 0 else found.span()
        if first >= last:
            continue
        start, end = first, last
        if not ascii_only:
            start = done + _length(data, done_bytes, first)
            end = start + _length(data, first, last)
            done_bytes, done = last, end
        if number >= MOST_MATCHES:
            yield _match(custom, start, len(text))
            return
        yield _match(custom, start, end)


def _length(data: bytes, start: int, end: int) -> int:
    return len(data[start:end].decode("utf-8"))


def _match(custom: CustomPattern, start: int, end: int) -> Match:
    return Match(custom.kind, ((start, end),), Rank.CUSTOM, custom.confidence, published=True)
