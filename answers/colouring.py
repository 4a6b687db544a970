"""Coloured lines of evidence. Pygments runs behind a time limit in a process of its own."""

from collections.abc import Sequence

from django.core.cache import cache
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import ngettext

from answers.models import Evidence
from indexing.guarded import TookTooLong, guarded
from indexing.highlighting import LONGEST_LINE, Piece, colour, html_line

# Evidence never changes, so its colours change with these rules only.
VERSION = 1
CACHED_SECONDS = 3600


def coloured(row: Evidence) -> list[SafeString]:
    """One safe HTML string a line of the evidence, cut where a line is very long."""
    lines = row.text.split("\n")
    # Every character of the file is escaped by html_line.
    return [
        mark_safe(html_line(pieces) + _cut_note(len(line) - LONGEST_LINE))  # noqa: S308
        for pieces, line in zip(_pieces(row, lines), lines, strict=True)
    ]


def _pieces(row: Evidence, lines: Sequence[str]) -> list[list[Piece]]:
    key = f"evidence-colours:{VERSION}:{row.answer_id}:{row.ordinal}"
    if (stored := cache.get(key)) is not None:
        return list(stored)
    shown = [line[:LONGEST_LINE] for line in lines]
    try:
        pieces = guarded(colour, shown, row.language)
    except TookTooLong:
        return [[("", line)] for line in shown]
    cache.set(key, pieces, CACHED_SECONDS)
    return pieces


def _cut_note(count: int) -> str:
    if count <= 0:
        return ""
    words = ngettext("%(n)s more character", "%(n)s more characters", count)
    return f"<span class=cut> … {words % {'n': f'{count:,}'}}</span>"
