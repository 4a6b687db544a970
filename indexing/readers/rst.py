"""Section titles of reStructuredText: adornment styles rank by first appearance."""

import re
from collections.abc import Sequence

from indexing.readers.lines import lines_of
from indexing.readers.outline import Heading, sections
from indexing.records import ParsedFile

ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1*$")
ROLE = re.compile(r"(?::[\w:.+-]{1,60}:)?`+([^`<]*?)(?:\s*<[^`<>]*>)?`+_*")
MARKS = re.compile(r"\*{1,2}|\|")
SHORT = 4  # docutils reads a shorter line under a longer title as text
NAME_CHARS = 200
BLOCK_DEPTH = 9


class _Reader:
    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.styles: list[tuple[str, bool]] = []
        self.headings: list[Heading] = []
        self.breaks: list[tuple[int, int]] = []

    def read(self) -> None:
        row, fresh = 0, True
        while row < len(self.lines):
            line = self.lines[row].rstrip()
            if not line:
                row, fresh = row + 1, True
                continue
            if fresh and not self._over(row, line) and not self._under(row, line):
                self.breaks.append((row + 1, BLOCK_DEPTH))
            last = self._last_title_row(row)
            row, fresh = last + 1, last > row or line.startswith("..")

    def _last_title_row(self, row: int) -> int:
        found = self.headings[-1] if self.headings else None
        return found.last_line - 1 if found and found.start_line == row + 1 else row

    def _over(self, row: int, line: str) -> bool:
        if len(line) < 2 or row + 2 >= len(self.lines) or not ADORNMENT.match(line):
            return False
        title = self.lines[row + 1].strip()
        if not title or self.lines[row + 2].rstrip() != line or ADORNMENT.match(title):
            return False
        self._add(line[0], title, row, row + 1, row + 2, over=True)
        return True

    def _under(self, row: int, line: str) -> bool:
        below = self.lines[row + 1].rstrip() if row + 1 < len(self.lines) else ""
        if line[0] == " " or line.startswith("..") or below in {"::", ".."}:
            return False
        if not below or not ADORNMENT.match(below) or ADORNMENT.match(line):
            return False
        if len(below) < len(line) and len(below) < SHORT:
            return False
        self._add(below[0], line, row, row, row + 1, over=False)
        return True

    def _add(
        self, mark: str, title: str, row: int, name_row: int, last: int, *, over: bool
    ) -> None:
        style = (mark, over)
        if style not in self.styles:
            self.styles.append(style)
        level = self.styles.index(style) + 1
        name = clean(title)
        self.headings.append(Heading(level, name, title, row + 1, name_row + 1, last + 1))
        self.breaks.append((row + 1, min(level, BLOCK_DEPTH) - 1))


def clean(title: str) -> str:
    """A title without roles, code marks and emphasis."""
    title = title[: 2 * NAME_CHARS]
    bare = " ".join(MARKS.sub("", ROLE.sub(r"\1", title)).split())
    return (bare or title)[:NAME_CHARS]


def read(text: str) -> ParsedFile:
    reader = _Reader(lines_of(text))
    reader.read()
    return ParsedFile(symbols=sections(reader.headings, reader.lines), breaks=tuple(reader.breaks))
