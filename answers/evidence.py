"""Choose the lines an answer may use from ranked hits, within a budget. Pure.

1. Hits are tried in order of rank. A chunk that is a part of a function stands for the whole
   function where that fits; otherwise the chunk itself is tried.
2. What overlaps a piece of the same file, or continues one of the same symbol, becomes one
   piece with it, at the better rank.
3. A piece that does not fit, or would be the fourth of its file, is left out; the next is tried.
4. Blank lines at the edges of a piece go.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from indexing.records import SymbolKind
from search.scope import FileKey

MAX_PIECES = 8
PIECES_A_FILE = 3
BUDGET = 6_000  # tokens of all pieces together
WHOLE = 2_000  # tokens up to which a function is taken whole
# A token of code is 3 to 4 bytes for the tokenizers in use, one of CJK text about 3 bytes;
# three never undercounts by much. A line costs its number, a piece its label and path.
BYTES_A_TOKEN = 3
LINE_TOKENS = 2
PIECE_TOKENS = 40

CALLABLES = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.MACRO}
)
# Neither letters that look like digits nor vowels, which could make words.
_LABEL_LETTERS = "bcdfghjkmnpqrstvwxz23456789"
_LABEL_LENGTH = 5

Lines = tuple[int, int]  # first and last, counted from 1


@dataclass(frozen=True, slots=True)
class Hit:
    """Lines of one file as a search found them."""

    file: FileKey
    start_line: int
    end_line: int
    symbol: str
    score: float
    channels: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Extent:
    """Where a symbol stands, from its leading comment to its last line."""

    symbol: str
    kind: str
    first: int
    last: int
    name_line: int = 0
    doc: str = ""


@dataclass(frozen=True, slots=True)
class Source:
    """The lines of a file and the symbols in it."""

    lines: Sequence[str]
    extents: Sequence[Extent] = ()


@dataclass(frozen=True, slots=True)
class Piece:
    """Lines that were chosen; `rank` is the place of its best hit, counted from 0."""

    file: FileKey
    start_line: int
    end_line: int
    symbol: str
    score: float
    channels: tuple[str, ...]
    rank: int
    tokens: int

    def holds(self, file: FileKey, lines: Lines) -> bool:
        return self.file == file and self.start_line <= lines[0] and lines[1] <= self.end_line


def choose(
    hits: Sequence[Hit],
    sources: Mapping[FileKey, Source],
    *,
    budget: int = BUDGET,
    most: int = MAX_PIECES,
    per_file: int = PIECES_A_FILE,
) -> list[Piece]:
    """Pieces in order of rank; hits whose file or lines are not in `sources` are left out."""
    pieces: list[Piece] = []
    for rank, hit in enumerate(hits):
        source = sources.get(hit.file)
        if source is None or not _inside(hit, source):
            continue
        for lines in _options(hit, source):
            tried = _with(pieces, hit, lines, rank, source)
            if _allowed(tried, budget, most, per_file):
                pieces = tried
                break
    ordered = sorted(pieces, key=lambda piece: piece.rank)
    trimmed = (_trimmed(piece, sources[piece.file]) for piece in ordered)
    return [piece for piece in trimmed if piece.start_line <= piece.end_line]


def _trimmed(piece: Piece, source: Source) -> Piece:
    """Without the blank lines at its edges; upside down where nothing else is in it."""
    first, last = piece.start_line, piece.end_line
    while first <= last and not source.lines[first - 1].strip():
        first += 1
    while last >= first and not source.lines[last - 1].strip():
        last -= 1
    tokens = tokens_of(source.lines, (first, last))
    return replace(piece, start_line=first, end_line=last, tokens=tokens)


def _inside(hit: Hit, source: Source) -> bool:
    return 1 <= hit.start_line <= hit.end_line <= len(source.lines)


def _options(hit: Hit, source: Source) -> Iterator[Lines]:
    """The whole function first, then the lines that were found."""
    whole = _function_around(hit, source)
    if whole is not None and tokens_of(source.lines, whole) <= WHOLE:
        yield whole
    yield hit.start_line, hit.end_line


def _function_around(hit: Hit, source: Source) -> Lines | None:
    around = [
        (extent.first, min(extent.last, len(source.lines)))
        for extent in source.extents
        if extent.kind in CALLABLES
        and extent.symbol == hit.symbol
        and extent.first <= hit.end_line
        and hit.start_line <= extent.last
    ]
    if not around:
        return None
    # Several when a name is defined twice: the smallest, with the lines that were found.
    first, last = min(around, key=lambda lines: lines[1] - lines[0])
    return min(first, hit.start_line), max(last, hit.end_line)


def _with(
    pieces: Sequence[Piece], hit: Hit, lines: Lines, rank: int, source: Source
) -> list[Piece]:
    """The pieces with these lines in them; those they touch become one piece with them."""
    touched = [piece for piece in pieces if _touches(piece, hit, lines)]
    others = [piece for piece in pieces if piece not in touched]
    if len(touched) == 1 and touched[0].holds(hit.file, lines):
        channels = _joined(touched[0].channels, hit.channels)
        return [*others, replace(touched[0], channels=channels)]
    best = min(touched, key=lambda piece: piece.rank, default=None)
    first = min([lines[0], *(piece.start_line for piece in touched)])
    last = max([lines[1], *(piece.end_line for piece in touched)])
    channels = _joined(*(piece.channels for piece in touched), hit.channels)
    new = Piece(
        file=hit.file,
        start_line=first,
        end_line=last,
        symbol=best.symbol if best else hit.symbol,
        score=best.score if best else hit.score,
        channels=channels,
        rank=best.rank if best else rank,
        tokens=tokens_of(source.lines, (first, last)),
    )
    return [*others, new]


def _touches(piece: Piece, hit: Hit, lines: Lines) -> bool:
    if piece.file != hit.file:
        return False
    gap = 1 if piece.symbol == hit.symbol else 0
    return piece.start_line <= lines[1] + gap and lines[0] <= piece.end_line + gap


def _joined(*found: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(channel for channels in found for channel in channels))


def _allowed(pieces: Sequence[Piece], budget: int, most: int, per_file: int) -> bool:
    files = [piece.file for piece in pieces]
    return (
        len(pieces) <= most
        and sum(piece.tokens for piece in pieces) <= budget
        and all(files.count(file) <= per_file for file in files)
    )


def tokens_of(lines: Sequence[str], span: Lines) -> int:
    """An estimate from above of what a model counts for these lines with their numbers."""
    taken = lines[span[0] - 1 : span[1]]
    sizes = (-(-len(line.encode(errors="replace")) // BYTES_A_TOKEN) for line in taken)
    return PIECE_TOKENS + sum(sizes) + LINE_TOKENS * len(taken)


def new_labels(count: int) -> list[str]:
    """Random and distinct, so that text of a repository cannot name one beforehand."""
    found: dict[str, None] = {}
    while len(found) < count:
        found["".join(secrets.choice(_LABEL_LETTERS) for _ in range(_LABEL_LENGTH))] = None
    return list(found)
