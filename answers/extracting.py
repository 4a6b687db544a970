"""The writer that needs no model: the best lines of each piece, and the doc sentence."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from answers import remarks
from answers.drafts import Claim, Draft, Kind
from answers.evidence import CALLABLES, Extent, Piece
from answers.extracts import Extract, Weights, best_lines, doc_lines, matches, weigh
from answers.gathering import Gathered
from indexing.deriving import PROSE
from indexing.records import SymbolKind

# Symbols that are parts of a list or a body; the others are read one at a time.
INLINE_KINDS = frozenset(
    {SymbolKind.KEY, SymbolKind.FIELD, SymbolKind.CONSTANT, SymbolKind.VARIABLE}
)
TEXT_KINDS = frozenset({SymbolKind.HEADING, SymbolKind.KEY})
WHOLE_LINES = 16  # of a function that is quoted whole
SIGNATURE_LINES = 8  # between the name of a symbol and its doc sentence
HEARD = 0.6  # what words in comments are worth where a symbol is chosen
APART = 4  # lines; two quotes of one symbol that are nearer are one


@dataclass(frozen=True, slots=True)
class Written:
    """`pieces` as they came, each with the name of the symbol that its best lines are in."""

    pieces: tuple[Piece, ...]
    drafts: tuple[Draft, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """Lines that begin with the number `start_line`, and the symbols in them."""

    start_line: int
    lines: Sequence[str]
    extents: Sequence[Extent]
    weights: Weights
    shares: Mapping[int, float]

    @property
    def end_line(self) -> int:
        return self.start_line + len(self.lines) - 1

    @property
    def telling(self) -> Extract | None:
        """The best lines where comments are heard: they say which symbol it is about."""
        heard = {
            line: share if share == remarks.IMPORT else HEARD for line, share in self.shares.items()
        }
        return replace(self, shares=heard).best()

    def best(self, without: Extract | None = None) -> Extract | None:
        # A heading says nothing that the lines below it do not say better.
        names = [one.name_line for one in self.extents if one.kind not in TEXT_KINDS]
        blocks = [one for one in self.extents if one.kind not in INLINE_KINDS]
        return best_lines(
            self.lines,
            self.start_line,
            self.weights,
            name_lines=names,
            breaks={edge for one in blocks for edge in (one.first, one.last + 1)},
            shares=self.shares,
            without=without,
        )

    def innermost(self, extract: Extract) -> Extent | None:
        around = [
            one
            for one in self.extents
            if one.first <= extract.start_line and extract.end_line <= one.last
        ]
        return min(around, key=lambda one: one.last - one.first, default=None)

    def within(self, extent: Extent) -> "Sheet":
        first = max(extent.first, self.start_line)
        lines = self.lines[first - self.start_line : extent.last - self.start_line + 1]
        return replace(self, start_line=first, lines=lines)

    def between(self, first: int, last: int) -> Extract:
        lines = self.lines[first - self.start_line : last - self.start_line + 1]
        return Extract(first, last, "\n".join(lines))

    def imports_only(self, extract: Extract) -> bool:
        numbered = enumerate(extract.quote.split("\n"), extract.start_line)
        return all(
            not line.strip() or self.shares.get(number) == remarks.IMPORT
            for number, line in numbered
        )

    def whole(self, extent: Extent) -> Extract | None:
        """A function that is short enough to be read as one."""
        first, last = max(extent.first, self.start_line), min(extent.last, self.end_line)
        if extent.kind in CALLABLES and last - first < WHOLE_LINES:
            return self.between(first, last)
        return None

    def with_name(self, extract: Extract, extent: Extent) -> Extract:
        """With the line that names the symbol, where that is near: one without the other is
        half of what a reader looks for."""
        name = extent.name_line
        if extent.kind in TEXT_KINDS | INLINE_KINDS or not self.start_line <= name <= self.end_line:
            return extract
        if abs(name - extract.start_line) > SIGNATURE_LINES:
            return extract
        return self.between(min(name, extract.start_line), max(name, extract.end_line))


def write(gathered: Gathered, labels: Sequence[str]) -> Written:
    """For each piece that is worth it the doc sentence, if it matches, and the best lines."""
    texts = ["\n".join(gathered.lines(piece)) for piece in gathered.pieces]
    weights = weigh(gathered.query.terms, texts)
    pieces: list[Piece] = []
    drafts: list[Draft] = []
    last: list[Draft] = []  # imports say where a name is from; all else says more
    for place, (piece, label) in enumerate(zip(gathered.pieces, labels, strict=True)):
        sheet = _sheet(gathered, place, weights)
        best = sheet.telling
        extent = sheet.innermost(best) if best else None
        pieces.append(replace(piece, symbol=extent.symbol if extent else piece.symbol))
        if gathered.relevance.worth(place):
            for text, extract in _quotes(sheet, extent):
                to = last if sheet.imports_only(extract) else drafts
                to.append(_draft(label, text, extract))
    return Written(tuple(pieces), tuple(drafts or last))


def _sheet(gathered: Gathered, place: int, weights: Weights) -> Sheet:
    piece = gathered.pieces[place]
    lines = gathered.lines(piece)
    is_prose = gathered.languages.get(piece.file, "") in {*PROSE, ""}
    shares = {} if is_prose else remarks.shares(lines, piece.start_line)
    return Sheet(piece.start_line, lines, gathered.extents[place], weights, shares)


def _quotes(sheet: Sheet, extent: Extent | None) -> Iterator[tuple[str, Extract]]:
    """(text, lines): a short function whole; else the best lines, after the doc sentence where
    that matches and is not among them."""
    if extent is None:
        if best := sheet.best():
            yield "", best
    elif whole := sheet.whole(extent):
        yield "", whole
    elif doc := _doc(sheet, extent):
        yield from _doc_and_best(sheet, extent, doc)
    elif best := sheet.within(extent).best():
        yield "", sheet.with_name(best, extent)


def _doc(sheet: Sheet, extent: Extent) -> Extract | None:
    if not matches(extent.doc, sheet.weights):
        return None
    return doc_lines(extent.doc, sheet.lines, sheet.start_line)


def _doc_and_best(sheet: Sheet, extent: Extent, doc: Extract) -> Iterator[tuple[str, Extract]]:
    named = sheet.with_name(doc, extent)
    rest = sheet.within(extent).best(without=named)
    if rest is None:
        yield ("", named) if named != doc else (extent.doc, doc)
    elif _gap(named, rest) <= APART:
        first, last = min(named.start_line, rest.start_line), max(named.end_line, rest.end_line)
        yield "", sheet.between(first, last)
    else:
        yield extent.doc, named
        yield "", rest


def _gap(one: Extract, other: Extract) -> int:
    """From the end of the first to the start of the second, in lines."""
    return max(one.start_line, other.start_line) - min(one.end_line, other.end_line)


def _draft(label: str, text: str, extract: Extract) -> Draft:
    claim = Claim(label, extract.start_line, extract.end_line, extract.quote)
    return Draft(Kind.EXTRACT, text, (claim,))
