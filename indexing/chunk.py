"""Cut a file into chunks along its syntax: every line in exactly one chunk, in order.

1. Symbols become a clean tree of units, whatever a broken parse says about ranges.
2. A unit that fits is one piece; a larger one gives the pieces of its children and of the
   loose lines between them; what still does not fit is cut at statement boundaries.
3. Tiny loose pieces join a neighbour. Small siblings (constants, one-line functions) are
   packed up to PACK_CHARS: alone they would fill results with fragments, and together they
   stay below the size of an ordinary function. A pack shows its enclosing symbol.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

from indexing.records import ChunkRecord, ParsedFile, SymbolKind, SymbolRecord

MAX_CHARS = 1600
PACK_CHARS = 800
SMALL_CHARS = 200
TINY_LINES = 3  # fewer lines with text than this are not worth a chunk of their own
MAX_DEPTH = 60  # nesting below this is cut like plain statements

_CLOSERS = ("}", ")", "]", "end", "#endif", "</", "fi", "done", "esac")
_SCOPES = frozenset({SymbolKind.MODULE, SymbolKind.OBJECT})
_VALUES = frozenset({SymbolKind.CONSTANT, SymbolKind.VARIABLE})


@dataclass(slots=True)
class _Unit:
    """A symbol with the lines it may claim; `start` includes its leading comment."""

    start: int
    end: int
    name: str
    kind: str
    children: "list[_Unit]" = field(default_factory=list)


@dataclass(slots=True)
class _Piece:
    start: int
    end: int
    unit: _Unit  # what it shows
    owner: _Unit  # the unit around it, shown by a pack
    loose: bool
    pack: bool = False


class _Text:
    """Sizes of line ranges in O(1); white lines weigh nothing, so they never force a cut."""

    def __init__(self, lines: Sequence[str], breaks: Sequence[tuple[int, int]]) -> None:
        self.lines = lines
        weights = [len(line) + 1 if line and not line.isspace() else 0 for line in lines]
        self.chars = [0, *accumulate(weights)]
        self.filled = [0, *accumulate(map(bool, weights))]
        self.breaks = sorted((line, depth) for line, depth in breaks if 1 < line <= len(lines))

    def size(self, start: int, end: int) -> int:
        return self.chars[end] - self.chars[start - 1]

    def blank(self, line: int) -> bool:
        return self.chars[line] == self.chars[line - 1]

    def begins_paragraph(self, line: int) -> bool:
        return self.blank(line - 1) and line <= len(self.lines) and not self.blank(line)

    def tiny(self, start: int, end: int) -> bool:
        filled = self.filled[end] - self.filled[start - 1]
        return filled < TINY_LINES and self.size(start, end) < SMALL_CHARS


def chunk(lines: Sequence[str], parsed: ParsedFile, *, prose: bool) -> tuple[ChunkRecord, ...]:
    """Chunks of at most MAX_CHARS characters of text, or one longer line; none if all blank."""
    text = _Text(lines, parsed.breaks)
    if not text.chars[-1]:
        return ()
    root = _Unit(1, len(lines), "", "")
    if prose:
        _add_sections(root, parsed.symbols)
    else:
        _add_units(root, parsed.symbols)
    pieces = _join(text, list(_pieces(text, root, root, 0)))
    return _number(pieces)


def _add_sections(root: _Unit, symbols: Sequence[SymbolRecord]) -> None:
    """Headings cut the text; each section runs to the next heading, of whatever level."""
    starts: dict[int, SymbolRecord] = {}
    for symbol in symbols:
        if symbol.kind is SymbolKind.HEADING and 1 <= symbol.lead_line <= root.end:
            starts.setdefault(symbol.lead_line, symbol)
    ordered = sorted(starts)
    for line, following in zip(ordered, [*ordered[1:], root.end + 1], strict=False):
        symbol = starts[line]
        root.children.append(_Unit(line, following - 1, symbol.qualified_name, symbol.kind.value))


def _add_units(root: _Unit, symbols: Sequence[SymbolRecord]) -> None:
    """Nest the symbols by their lines; partial overlaps are cut off at the outer end."""
    path = [root]
    for symbol in sorted(symbols, key=lambda found: (_first_line(found), -found.end_line)):
        start, end = max(1, _first_line(symbol)), min(root.end, symbol.end_line)
        while len(path) > 1 and symbol.start_line > path[-1].end:
            start = max(start, path.pop().end + 1)
        outer = path[-1]
        if outer.children:
            start = max(start, outer.children[-1].end + 1)
        end = min(end, outer.end)
        if start <= end and _is_unit(symbol, outer):
            unit = _Unit(start, end, symbol.qualified_name, symbol.kind.value)
            outer.children.append(unit)
            path.append(unit)


def _first_line(symbol: SymbolRecord) -> int:
    return min(symbol.lead_line, symbol.start_line)


def _is_unit(symbol: SymbolRecord, outer: _Unit) -> bool:
    """Fields, and values inside functions and classes, belong to what is around them."""
    if symbol.kind in _VALUES:
        return outer.kind in {"", *_SCOPES}
    return symbol.kind is not SymbolKind.FIELD


def _pieces(text: _Text, unit: _Unit, owner: _Unit, depth: int) -> Iterator[_Piece]:
    """The lines of a unit in order: itself, or its children and the loose lines between."""
    if unit.name and text.size(unit.start, unit.end) <= MAX_CHARS:
        yield _Piece(unit.start, unit.end, unit, owner, loose=False)
        return
    line = unit.start
    for child in unit.children if depth < MAX_DEPTH else ():
        yield from _loose(text, line, child.start - 1, unit)
        yield from _pieces(text, child, unit, depth + 1)
        line = child.end + 1
    yield from _loose(text, line, unit.end, unit)


def _loose(text: _Text, start: int, end: int, unit: _Unit) -> Iterator[_Piece]:
    while start <= end:
        cut = _cut(text, start, end)
        yield _Piece(start, cut, unit, unit, loose=True)
        start = cut + 1


def _cut(text: _Text, start: int, end: int) -> int:
    """The last line of the first piece of start..end."""
    total = text.size(start, end)
    if total <= MAX_CHARS:
        return end
    before = text.chars[start - 1]
    last = min(bisect_right(text.chars, before + MAX_CHARS) - 1, end)
    if last < start:  # the first line alone is too long
        return start
    # Even pieces: three of 1,100 characters rather than two full ones and a crumb.
    target = total / -(-total // MAX_CHARS)
    earliest = max(bisect_left(text.chars, before + target * 0.5), start) + 1
    line = _best_break(text, earliest, last + 1, before + target)
    return line - 1 if line else last


def _best_break(text: _Text, first: int, last: int, ideal: float) -> int:
    """The shallowest place to begin a piece, then the nearest to `ideal`; 0 if there is none."""
    low = bisect_left(text.breaks, (first, 0))
    high = bisect_left(text.breaks, (last + 1, 0))
    places = text.breaks[low:high] or [
        (line, 0) for line in range(first, last + 1) if text.begins_paragraph(line)
    ]
    if not places:
        return 0
    return min(places, key=lambda place: (place[1], abs(text.chars[place[0] - 1] - ideal)))[0]


def _join(text: _Text, pieces: list[_Piece]) -> list[_Piece]:
    """Let blank lines, tiny loose pieces and small siblings join a neighbour."""
    joined: list[_Piece] = []
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        _give_blank_lines(text, joined, piece)
        if piece.start > piece.end:
            continue
        if joined and _joins(text, joined[-1], piece, following):
            joined[-1] = _merged(text, joined[-1], piece)
        else:
            joined.append(piece)
    return joined


def _give_blank_lines(text: _Text, joined: list[_Piece], piece: _Piece) -> None:
    """Blank lines at the top of a piece end the piece before it."""
    while joined and piece.start <= piece.end and text.blank(piece.start):
        joined[-1].end = piece.start
        piece.start += 1


def _joins(text: _Text, left: _Piece, right: _Piece, following: _Piece | None) -> bool:
    if not text.size(left.start, left.end):
        return True
    size = text.size(left.start, right.end)
    if size > MAX_CHARS:
        return False
    if _tiny(text, left) or _introduces(text, left, right):
        return True
    if _tiny(text, right):
        return not _belongs_to_next(text, right, following)
    both_small = _small(text, left) and _small(text, right)
    return left.owner is right.owner and size <= PACK_CHARS and both_small


def _tiny(text: _Text, piece: _Piece) -> bool:
    return piece.loose and text.tiny(piece.start, piece.end)


def _small(text: _Text, piece: _Piece) -> bool:
    return piece.pack or text.size(piece.start, piece.end) < SMALL_CHARS


def _belongs_to_next(text: _Text, piece: _Piece, following: _Piece | None) -> bool:
    """A comment or statement introduces its next sibling; a closing bracket does not."""
    if following is None or following.owner is not piece.owner:
        return False
    fits = text.size(piece.start, following.end) <= MAX_CHARS
    return fits and not text.lines[piece.start - 1].lstrip().startswith(_CLOSERS)


def _introduces(text: _Text, left: _Piece, right: _Piece) -> bool:
    """A heading with hardly any text stands over its first subsection."""
    inside = right.unit.name.startswith(f"{left.unit.name}.")
    return inside and right.unit.kind == SymbolKind.HEADING and _small(text, left)


def _merged(text: _Text, left: _Piece, right: _Piece) -> _Piece:
    introduced = _tiny(text, left) or _introduces(text, left, right)
    shown = right if introduced or not text.size(left.start, left.end) else left
    pack = left.pack or right.pack or not (introduced or _tiny(text, right))
    unit = shown.owner if pack and shown.unit.kind != SymbolKind.HEADING else shown.unit
    loose = left.loose and right.loose
    return _Piece(left.start, right.end, unit, shown.owner, loose=loose, pack=pack)


def _number(pieces: list[_Piece]) -> tuple[ChunkRecord, ...]:
    parts: Counter[int] = Counter()
    records = []
    for ordinal, piece in enumerate(pieces):
        unit = piece.unit
        part = parts[id(unit)] if unit.name else 0
        parts[id(unit)] += 1
        records.append(ChunkRecord(ordinal, piece.start, piece.end, unit.name, unit.kind, part))
    return tuple(records)
