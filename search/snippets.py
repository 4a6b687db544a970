"""Which lines of a hit to show, and what in them to mark. Pure; text stays plain until `marked`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass

from django.utils.html import escape, format_html_join
from django.utils.safestring import SafeString

from indexing.terms import tokenize

WINDOWS = 3  # a file
BEFORE = 1
AFTER = 2
WINDOW_LINES = 9
LINE_CHARS = 220
LEAD_CHARS = 60  # of a cut line, before its first mark
SCAN_CHARS = 20_000  # of one line; longer lines are data
SCAN_LINES = 400  # of one chunk
DEFINED_SCORE = 1_000.0
LITERAL_SCORE = 100.0
NAME_SCORE = 2.5

Span = tuple[int, int]

_WORD = re.compile(r"\w+")
_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\da-zA-Z_]+|\d+")


@dataclass(frozen=True, slots=True)
class Line:
    """`marks` are half-open columns of `text`; `cut_start`, `cut_end`: more of it is not shown."""

    number: int
    text: str
    marks: tuple[Span, ...] = ()
    cut_start: bool = False
    cut_end: bool = False

    @property
    def html(self) -> SafeString:
        return marked(self.text, self.marks)


@dataclass(frozen=True, slots=True)
class Window:
    start: int
    end: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class _Word:
    """What of one word a query is about: columns to mark, terms that are asked for, a name."""

    spans: tuple[Span, ...] = ()
    held: frozenset[str] = frozenset()
    named: bool = False


_OTHER_WORD = _Word()


class Matcher:
    """What of a line a query is about: literal texts first, else words that share a term."""

    def __init__(
        self,
        *,
        terms: Iterable[str] = (),
        literals: Iterable[str] = (),
        names: Iterable[str] = (),
    ) -> None:
        self._terms = frozenset(terms)
        self._names = frozenset(name.lower() for name in names)
        self._anchors: Mapping[int, str] = {}
        texts = sorted({text for text in literals if text}, key=len, reverse=True)
        pattern = "|".join(map(re.escape, texts))
        self._literal = re.compile(pattern, re.IGNORECASE) if texts else None
        self._known: dict[str, _Word] = {}

    def naming(self, anchors: Mapping[int, str]) -> "Matcher":
        """The same for a file that defines names on the given lines."""
        if not anchors:
            return self
        other = copy(self)
        other._anchors = anchors  # noqa: SLF001 - a copy of its own class
        other._names = self._names | {name.lower() for name in anchors.values()}  # noqa: SLF001
        other._known = {}  # noqa: SLF001
        return other

    @property
    def has_literal(self) -> bool:
        return self._literal is not None

    def literal_spans(self, line: str) -> list[Span]:
        if self._literal is None:
            return []
        return [match.span() for match in self._literal.finditer(line[:SCAN_CHARS])]

    def spans(self, line: str) -> list[Span]:
        """Columns to mark: the literal text where it occurs, else the words of the query."""
        return self.literal_spans(line) or [
            (match.start() + start, match.start() + end)
            for match in _WORD.finditer(line[:SCAN_CHARS])
            for start, end in self._about(match.group()).spans
        ]

    def score(self, number: int, line: str) -> float:
        """How much of the query the line holds; one that defines its name holds most."""
        if number in self._anchors:
            return DEFINED_SCORE
        if found := self.literal_spans(line):
            return LITERAL_SCORE + len(found)
        held: set[str] = set()
        named = False
        for word in set(_WORD.findall(line[:SCAN_CHARS])):
            about = self._about(word)
            held |= about.held
            named = named or about.named
        return len(held) + NAME_SCORE * named

    def _about(self, word: str) -> _Word:
        known = self._known.get(word)
        if known is None:
            known = self._known[word] = self._look(word)
        return known

    def _look(self, word: str) -> _Word:
        """The whole word where it is asked for as one, else the parts that are asked for."""
        held = self._terms.intersection(tokenize(word))
        if word.lower() in self._names:
            return _Word(((0, len(word)),), held, named=True)
        if not held:
            return _OTHER_WORD
        parts = [m.span() for m in _PART.finditer(word) if self._asked(m.group())]
        return _Word(tuple(_joined(parts) or [(0, len(word))]), held)

    def _asked(self, part: str) -> bool:
        return not self._terms.isdisjoint(tokenize(part))


def _joined(spans: list[Span]) -> list[Span]:
    """Neighbours become one mark."""
    joined: list[Span] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def windows(
    lines: Sequence[str], ranges: Sequence[Span], matcher: Matcher, *, most: int = WINDOWS
) -> list[Window]:
    """Up to `most` windows in order of line; `ranges` are the hits' lines, the best first."""
    best: dict[int, tuple[float, int]] = {}
    for rank, (first, last) in enumerate(ranges):
        for number, score in _best_lines(lines, first, last, matcher):
            best.setdefault(number, (-score, rank))
    ordered = sorted(best, key=lambda number: (*best[number], number))
    chosen: list[Span] = []
    for number in ordered:
        chosen = _merged([*chosen, _around(number, len(lines))])
        if len(chosen) > most:
            chosen = _merged(_around(kept, len(lines)) for kept in ordered[: ordered.index(number)])
            break
    return [_window(lines, *_without_blank_edges(lines, *span), matcher) for span in chosen]


def _best_lines(
    lines: Sequence[str], first: int, last: int, matcher: Matcher
) -> list[tuple[int, float]]:
    """Every literal line of a range, or its one best line; its first where none has a word."""
    scored = [
        (number, matcher.score(number, lines[number - 1]))
        for number in range(first, min(last, first + SCAN_LINES, len(lines)) + 1)
        if 0 < number <= len(lines)
    ]
    literal = [(number, score) for number, score in scored if score >= LITERAL_SCORE]
    return literal or sorted(scored, key=lambda pair: -pair[1])[:1]


def _around(number: int, count: int) -> Span:
    return max(1, number - BEFORE), min(count, number + AFTER)


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Neighbours become one window, as long as it stays short; no line is in two."""
    merged: list[Span] = []
    for start, end in sorted(spans):
        last = merged[-1] if merged else (0, -1)
        if start <= last[1] + 1 and max(end, last[1]) - last[0] < WINDOW_LINES:
            merged[-1] = (last[0], max(end, last[1]))
        elif end > last[1]:
            merged.append((max(start, last[1] + 1), end))
    return merged


def _without_blank_edges(lines: Sequence[str], start: int, end: int) -> Span:
    """At least one line stays."""
    while start < end and not lines[start - 1].strip():
        start += 1
    while start < end and not lines[end - 1].strip():
        end -= 1
    return start, end


def _window(lines: Sequence[str], start: int, end: int, matcher: Matcher) -> Window:
    shown = (shown_line(number, lines[number - 1], matcher) for number in range(start, end + 1))
    return Window(start, end, tuple(shown))


def shown_line(number: int, text: str, matcher: Matcher) -> Line:
    """The line with its marks; of a long line the part around its first mark."""
    spans = matcher.spans(text)
    if len(text) <= LINE_CHARS:
        return Line(number, text, tuple(spans))
    first = spans[0][0] if spans else 0
    start = max(0, min(first - LEAD_CHARS, len(text) - LINE_CHARS))
    end = start + LINE_CHARS
    inside = (
        (max(a, start) - start, min(b, end) - start) for a, b in spans if a < end and b > start
    )
    return Line(number, text[start:end], tuple(inside), start > 0, end < len(text))


def literal_lines(lines: Sequence[str], matcher: Matcher, *, most: int) -> list[int]:
    """The numbers of the lines that hold the literal text."""
    if not matcher.has_literal:
        return []
    found = (n for n, line in enumerate(lines, 1) if matcher.literal_spans(line))
    return [number for number, _ in zip(found, range(most), strict=False)]


def marked(text: str, spans: Iterable[Span]) -> SafeString:
    """HTML: every piece is escaped first, then the asked ones are wrapped in <mark>."""
    pieces: list[tuple[str, str]] = []
    at = 0
    for start, end in spans:
        pieces.append((text[at:start], text[start:end]))
        at = end
    return format_html_join("", "{}<mark>{}</mark>", pieces) + escape(text[at:])
