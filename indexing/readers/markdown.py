"""Headings of Markdown, read line by line in linear time.

The grammar crashes on a few hundred nested quote marks; headings need none of it.
"""

import re
from collections.abc import Sequence

from indexing.readers.lines import lines_of
from indexing.readers.outline import Heading, sections
from indexing.records import ParsedFile

FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
ATX = re.compile(r" {0,3}(#{1,6})(?=[ \t]|$)")
UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
NO_PARAGRAPH = re.compile(
    r" {0,3}(?:[-+*>|<]|\d{1,9}[.)](?:\s|$)|:::|\[\^?[^\]]{1,200}\]:)|\t| {4}"
)
RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:_[ \t]*){3,}|(?:\*[ \t]*){3,})$")
RAW_OPEN = re.compile(r" {0,3}<(?:!--|(pre|script|style|textarea)\b)", re.IGNORECASE)
LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
ANCHOR = re.compile(r"\s*\{#?[^{}]*\}$")
MARKS = re.compile(r"[*`~]|(?<!\w)_+|_+(?!\w)|<[^<>]{1,100}>")
NAME_CHARS = 200
BLOCK_DEPTH = 6  # below every heading


class _Reader:
    """One pass over the lines; `paragraph` is the row where a plain paragraph began."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.headings: list[Heading] = []
        self.breaks: list[tuple[int, int]] = []
        self.paragraph: int | None = None
        self.in_paragraph = False

    def read(self) -> None:
        row = _after_front_matter(self.lines)
        while row < len(self.lines):
            line = self.lines[row].rstrip()
            row = self._line(row, line) if line else self._blank(row)

    def _blank(self, row: int) -> int:
        self.paragraph, self.in_paragraph = None, False
        return row + 1

    def _line(self, row: int, line: str) -> int:
        if not self.in_paragraph:
            self.breaks.append((row + 1, BLOCK_DEPTH))
        if line.lstrip(" ")[:1] in {"`", "~", "<", "#"}:
            after = self._special(row, line)
            if after is not None:
                return after
        if self.paragraph is not None and UNDERLINE.match(line):
            return self._setext(row, line)
        if RULE.match(line):
            return self._blank(row)
        self._text(row, line)
        return row + 1

    def _special(self, row: int, line: str) -> int | None:
        fence = FENCE.match(line)
        if fence and not (fence[1][0] == "`" and "`" in line[fence.end() :]):
            return self._blank(_fence_end(self.lines, row, fence[1]))
        raw = RAW_OPEN.match(line)
        if raw:
            return self._blank(_raw_end(self.lines, row, (raw[1] or "").lower()))
        atx = ATX.match(line)
        if atx:
            return self._atx(row, line, len(atx[1]), atx.end())
        return None

    def _text(self, row: int, line: str) -> None:
        if not self.in_paragraph and not NO_PARAGRAPH.match(line):
            self.paragraph = row
        elif self.in_paragraph and self.paragraph is not None and line.lstrip()[:2] in LIST_MARKS:
            self.paragraph = None
        self.in_paragraph = True

    def _atx(self, row: int, line: str, level: int, after: int) -> int:
        title = line[after:].strip()
        bare = title.rstrip("#")
        if not bare or (bare != title and bare[-1] in " \t"):
            title = bare.rstrip()
        self._heading(Heading(level, clean(title), line.strip(), row + 1, row + 1, row + 1))
        return self._blank(row)

    def _setext(self, row: int, line: str) -> int:
        first = self.paragraph or 0
        title = " ".join(text.strip() for text in self.lines[first:row][:5])
        level = 1 if "=" in line else 2
        self._heading(Heading(level, clean(title), title, first + 1, first + 1, row + 1))
        return self._blank(row)

    def _heading(self, heading: Heading) -> None:
        while self.breaks and self.breaks[-1][0] >= heading.start_line:
            self.breaks.pop()
        self.breaks.append((heading.start_line, heading.level - 1))
        if heading.name:
            self.headings.append(heading)


LIST_MARKS = frozenset({"- ", "* ", "+ "})


def clean(title: str) -> str:
    """A title without emphasis, code marks, link targets and anchors."""
    title = ANCHOR.sub("", title[: 2 * NAME_CHARS])
    bare = " ".join(MARKS.sub("", LINK.sub(r"\1", title)).split())
    return (bare or title.strip())[:NAME_CHARS]


def _after_front_matter(lines: Sequence[str]) -> int:
    if lines and lines[0].rstrip() in {"---", "+++"}:
        for row in range(1, len(lines)):
            if lines[row].rstrip() in {lines[0].rstrip(), "..."}:
                return row + 1
    return 0


def _fence_end(lines: Sequence[str], row: int, fence: str) -> int:
    """The row of the closing fence, else the last row."""
    for at in range(row + 1, len(lines)):
        line = lines[at].strip()
        if line.startswith(fence) and not line.strip(fence[0]):
            return at
    return len(lines) - 1


def _raw_end(lines: Sequence[str], row: int, tag: str) -> int:
    """The row where a comment or raw HTML element ends, else the last row."""
    end = f"</{tag}" if tag else "-->"
    for at in range(row, len(lines)):
        if end in lines[at].lower():
            return at
    return len(lines) - 1


def read(text: str) -> ParsedFile:
    reader = _Reader(lines_of(text))
    reader.read()
    return ParsedFile(symbols=sections(reader.headings, reader.lines), breaks=tuple(reader.breaks))
