"""Lines around findings as the console shows them: placeholders as stored, and what still stands
in the text because it is only flagged, or dismissed, covered too. Never a value."""

from collections.abc import Sequence
from dataclasses import dataclass

from compliance.findings.listing import Row, Span, spans_of

COVER = "•"
ALLOW_MARK = "footnote:allow"


@dataclass(frozen=True, slots=True)
class Shown:
    """A line in three parts; `value` is the placeholder or the cover of the finding itself."""

    before: str
    value: str
    after: str
    allow: bool  # a comment on the line asks to leave it alone


def masked(text: str, spans: Sequence[Span], *, cut: int = 0) -> str:
    """`text` begins at column `cut`; its length does not change."""
    signs = list(text)
    for start, end, action in spans:
        if action == "redact":
            continue
        for at in range(max(0, start - cut), min(len(signs), end - cut)):
            signs[at] = COVER
    return "".join(signs)


def shown(row: Row, spans: Sequence[Span]) -> Shown:
    line = masked(row.text, spans, cut=row.cut)
    start, end = row.start_col - row.cut, row.end_col - row.cut
    before = line[:start].lstrip() if row.cut == 0 else f"…{line[:start]}"
    return Shown(before, line[start:end], line[end:], ALLOW_MARK in line.lower())


def with_lines(found: list[Row]) -> list[tuple[Row, Shown]]:
    spans = spans_of(found)
    return [(row, shown(row, spans[row.file_id, row.line])) for row in found]
