"""The writer that needs no model: the best lines of each piece, and the doc sentence."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from answers.drafts import Claim, Draft, Kind
from answers.evidence import Extent, Piece
from answers.extracts import Extract, Weights, best_lines, doc_lines, matches, weigh
from answers.gathering import Gathered
from indexing.records import SymbolKind

# Symbols that are parts of a list or a body; the others are read one at a time.
INLINE_KINDS = frozenset(
    {SymbolKind.KEY, SymbolKind.FIELD, SymbolKind.CONSTANT, SymbolKind.VARIABLE}
)
TEXT_KINDS = frozenset({SymbolKind.HEADING, SymbolKind.KEY})


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


def write(gathered: Gathered, labels: Sequence[str]) -> Written:
    """For each piece that is worth it the doc sentence, if it matches, and the best lines."""
    texts = ["\n".join(gathered.lines(piece)) for piece in gathered.pieces]
    weights = weigh(gathered.query.terms, texts)
    pieces: list[Piece] = []
    drafts: list[Draft] = []
    for place, (piece, label) in enumerate(zip(gathered.pieces, labels, strict=True)):
        extents = gathered.extents[place]
        sheet = Sheet(piece.start_line, gathered.lines(piece), extents, weights)
        best = sheet.best()
        extent = sheet.innermost(best) if best else None
        pieces.append(replace(piece, symbol=extent.symbol if extent else piece.symbol))
        if best is not None and gathered.relevance.worth(place):
            drafts += [_draft(label, *found) for found in _quotes(sheet, extent, best)]
    return Written(tuple(pieces), tuple(drafts))


def _quotes(sheet: Sheet, extent: Extent | None, best: Extract) -> Iterator[tuple[str, Extract]]:
    """(text, lines): the doc sentence if it matches, then the best lines without it."""
    doc = None
    if extent is not None and matches(extent.doc, sheet.weights):
        doc = doc_lines(extent.doc, sheet.lines, sheet.start_line)
    if extent is None or doc is None:
        yield "", best
        return
    yield extent.doc, doc
    if rest := sheet.within(extent).best(without=doc):
        yield "", rest


def _draft(label: str, text: str, extract: Extract) -> Draft:
    claim = Claim(label, extract.start_line, extract.end_line, extract.quote)
    return Draft(Kind.EXTRACT, text, (claim,))
