"""One page of a file: its lines in colour, what is redacted in them, and where they lie."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from django.core.cache import cache
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from indexing import explore
from indexing.decode import split_lines
from indexing.guarded import TookTooLong, guarded
from indexing.highlighting import LONGEST_LINE, Mark, Piece, colour, html_line
from indexing.models import Content, Symbol
from repos.models import File
from repos.paths import PAGE_LINES, page_of

# How far above a page the colouring begins, at a definition that reaches into the page.
LOOK_BACK = 300
# A file row never changes, so its colours change with these rules only.
COLOUR_VERSION = 1
CACHED_SECONDS = 3600


@dataclass(frozen=True, slots=True)
class FilePage:
    html: SafeString  # a <div> a line, see static/css/code.css
    number: int
    pages: int
    first: int
    last: int
    total: int
    redactions: int
    plain: bool  # the colouring took too long

    @property
    def digits(self) -> int:
        return max(3, len(str(self.total)))

    @property
    def previous_line(self) -> int:
        return max(1, self.first - PAGE_LINES)

    @property
    def next_line(self) -> int:
        return self.last + 1


def file_page(file: File, content: Content, symbols: Sequence[Symbol], number: int) -> FilePage:
    """Page `number` (from 1), or the last one where there are fewer."""
    lines = split_lines(content.text)
    pages = max(1, page_of(len(lines)))
    number = min(max(number, 1), pages)
    first = (number - 1) * PAGE_LINES + 1
    last = min(first + PAGE_LINES - 1, len(lines))
    start = _colour_from(first, symbols)
    pieces, plain = _coloured(file, lines, start, first, last)
    marks = _marks(file, first, last)
    made = [
        _line(at, pieces[at - first], lines[at - 1], marks.get(at, ()))
        for at in range(first, last + 1)
    ]
    # _line escapes every character of the file; what is left are its own tags.
    html = mark_safe("".join(made))  # noqa: S308
    redactions = sum(len(found) for found in marks.values())
    return FilePage(html, number, pages, first, last, len(lines), redactions, plain)


def _colour_from(first: int, symbols: Sequence[Symbol]) -> int:
    """A line at which a lexer may begin, so that a page starts in the right state."""
    outer = [s.lead_line for s in symbols if not s.parent and s.lead_line < first <= s.end_line]
    near = [line for line in outer if first - line <= LOOK_BACK]
    return min(near, default=first)


def _coloured(
    file: File, lines: list[str], start: int, first: int, last: int
) -> tuple[list[list[Piece]], bool]:
    """The pieces of the lines `first` to `last`, and whether they had to stay plain."""
    key = f"colours:{COLOUR_VERSION}:{file.repository_id}:{file.id}:{file.language}:{first}"
    if (stored := cache.get(key)) is not None:
        return stored, False
    shown = [line[:LONGEST_LINE] for line in lines[start - 1 : last]]
    try:
        pieces = guarded(colour, shown, file.language)[first - start :]
    except TookTooLong:
        return [[("", line)] for line in shown[first - start :]], True
    cache.set(key, pieces, CACHED_SECONDS)
    return pieces, False


def _marks(file: File, first: int, last: int) -> dict[int, list[Mark]]:
    marks: dict[int, list[Mark]] = defaultdict(list)
    for finding in explore.redactions_of(file, first, last):
        label = _("Redacted before it was stored: %(kind)s") % {
            "kind": finding.kind.replace("_", " ").lower()
        }
        marks[finding.line].append(Mark(finding.start_col, finding.end_col, label))
    return marks


def _line(number: int, pieces: list[Piece], whole: str, marks: Sequence[Mark]) -> str:
    cut = _cut_note(len(whole) - LONGEST_LINE) if len(whole) > LONGEST_LINE else ""
    # A line without text keeps a line feed: browsers leave it out of what is copied otherwise.
    html = html_line(pieces, marks) or "\n"
    return f"<div id=L{number}><a href=#L{number}>{number}</a><span>{html}{cut}</span></div>"


def _cut_note(count: int) -> str:
    words = ngettext("%(n)s more character", "%(n)s more characters", count)
    return f"<span class=cut> … {escape(words % {'n': f'{count:,}'})}</span>"
