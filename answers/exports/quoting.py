"""The lines behind an answer, for paper: what is cited, a little around it, marks for the rest."""

from collections.abc import Iterator, Mapping, Sequence

from answers.exports.lines import MOST_CHARS, Piece, Row, rows, visible
from answers.exports.paper import PrintedPiece, Room
from answers.models import Evidence
from answers.reading import SHORT_COMMIT, Shown, ShownCitation, ShownPiece
from indexing.guarded import TookTooLong, guarded
from indexing.highlighting import colour
from repos.addresses import host_link
from repos.models import File, Repository

AROUND = 2  # lines above and below the cited ones
NEAREST_LINES = 20  # of a piece that nothing cites
GAP = Row("⋯", "")

Colours = Mapping[int, Sequence[Sequence[Piece]]]  # by the number of the evidence row, a line each


def colours_of(shown: Shown) -> Colours:
    return {piece.row.pk: _coloured(piece.row) for piece in shown.pieces}


def _coloured(row: Evidence) -> list[list[Piece]]:
    lines = row.text.split("\n")
    cut = [line[:MOST_CHARS] for line in lines]
    try:
        found = guarded(colour, cut, row.language)
    except TookTooLong:
        found = [[("", line)] for line in cut]
    # What is not shown of a line is not coloured either; lines.rows says how much it is.
    return [
        [*pieces, ("", line[MOST_CHARS:])] if len(line) > MOST_CHARS else list(pieces)
        for pieces, line in zip(found, lines, strict=True)
    ]


def quoted(citation: ShownCitation, colours: Colours, room: Room) -> list[Row]:
    """The lines of one citation."""
    piece = citation.piece.row
    found: list[Row] = []
    for number in range(citation.row.start_line, citation.row.end_line + 1):
        line = colours[piece.pk][number - piece.start_line]
        some = rows(number, line, cited=False, notes=())
        if room.holds(some):
            found += some
    return found


def pieces(shown: Shown, colours: Colours, room: Room) -> Iterator[PrintedPiece]:
    """The cited ones; where nothing is claimed, the nearest ones."""
    for piece in shown.pieces:
        if not piece.citations and not shown.abstained:
            continue
        start, end = _range(piece)
        yield PrintedPiece(
            place=visible(piece.place),
            symbol=visible(piece.row.symbol),
            source=piece.row.repository.name,
            commit=piece.row.commit[:SHORT_COMMIT],
            url=host_page(piece.row, start, end),
            notes=[(one.number, one.row.get_verdict_display()) for one in piece.citations],
            rows=list(_rows(piece, colours[piece.row.pk], room)),
        )


def _range(piece: ShownPiece) -> tuple[int, int]:
    cited = [(one.row.start_line, one.row.end_line) for one in piece.citations]
    if not cited:
        return piece.row.start_line, piece.row.end_line
    return min(start for start, _ in cited), max(end for _, end in cited)


def _rows(piece: ShownPiece, colours: Sequence[Sequence[Piece]], room: Room) -> Iterator[Row]:
    cited = {
        number
        for one in piece.citations
        for number in range(one.row.start_line, one.row.end_line + 1)
    }
    begins: dict[int, list[int]] = {}
    for one in piece.citations:
        begins.setdefault(one.row.start_line, []).append(one.number)
    before = piece.row.start_line - 1
    for number in _shown_lines(piece, cited):
        if number > before + 1:
            yield GAP
        before = number
        line = colours[number - piece.row.start_line]
        found = rows(number, line, cited=number in cited, notes=begins.get(number, ()))
        if room.holds(found):
            yield from found
    if before < piece.row.end_line:
        yield GAP


def _shown_lines(piece: ShownPiece, cited: set[int]) -> list[int]:
    every = range(piece.row.start_line, piece.row.end_line + 1)
    if not cited:
        return list(every[:NEAREST_LINES])
    near = {one + by for one in cited for by in range(-AROUND, AROUND + 1)}
    return [number for number in every if number in near]


def host_page(row: Evidence, start: int, end: int) -> str:
    """The lines on the code host at their commit; "" where there is none."""
    repository = row.repository
    if repository.source != Repository.Source.GIT:
        return ""
    file = File.objects.in_snapshot(repository.pk, row.snapshot).filter(path=row.path).first()
    path = row.path
    if file is not None and file.raw_path:
        path = bytes(file.raw_path).decode("utf-8", "surrogateescape")
    return host_link(repository.address, repository.provider, row.commit, path, start, end)
