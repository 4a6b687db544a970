"""The writer that needs no model: the best lines of each piece, and the doc sentence."""

from collections.abc import Iterator, Sequence

from answers.drafts import Claim, Draft, Kind
from answers.evidence import Piece
from answers.extracts import Extract, Weights, best_lines, doc_lines, matches, weigh
from answers.gathering import Gathered
from indexing.records import SymbolKind


def write(gathered: Gathered, labels: Sequence[str]) -> list[Draft]:
    """For each piece that is worth it the doc sentence, if it matches, and the best lines."""
    texts = ["\n".join(gathered.lines(piece)) for piece in gathered.pieces]
    weights = weigh(gathered.query.terms, texts)
    return [
        draft
        for place, (piece, label) in enumerate(zip(gathered.pieces, labels, strict=True))
        if gathered.relevance.worth(place)
        for draft in _drafts(gathered, piece, label, weights)
    ]


def _drafts(gathered: Gathered, piece: Piece, label: str, weights: Weights) -> Iterator[Draft]:
    lines = gathered.lines(piece)
    extent = gathered.extent(piece)
    doc = None
    if extent and matches(extent.doc, weights):
        doc = doc_lines(extent.doc, lines, piece.start_line)
        if doc is not None:
            yield Draft(Kind.EXTRACT, extent.doc, [_claim(label, doc)])
    # A heading says nothing that the lines below it do not say better.
    named = extent is not None and extent.kind not in {SymbolKind.HEADING, SymbolKind.KEY}
    name_line = extent.name_line if extent and named else None
    best = best_lines(lines, piece.start_line, weights, name_line=name_line, without=doc)
    if best is not None:
        yield Draft(Kind.EXTRACT, "", [_claim(label, best)])


def _claim(label: str, extract: Extract) -> Claim:
    return Claim(label, extract.start_line, extract.end_line, extract.quote)
