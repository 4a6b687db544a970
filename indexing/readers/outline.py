"""Headings of prose as symbols: each section runs until the next heading of its level."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from indexing.parsing.wording import MAX_CHARS, first_sentence, folded
from indexing.records import SymbolKind, SymbolRecord

MAX_HEADINGS = 5_000  # more is data, and the heading paths would grow without a bound
DOC_LINES = 12


@dataclass(frozen=True, slots=True)
class Heading:
    """`start_line` to `last_line` are the lines of the heading itself, 1-based."""

    level: int
    name: str
    wording: str
    start_line: int
    name_line: int
    last_line: int


def sections(headings: Sequence[Heading], lines: Sequence[str]) -> tuple[SymbolRecord, ...]:
    headings = headings[:MAX_HEADINGS]
    ends = _ends(headings, len(lines))
    open_names: list[tuple[int, str]] = []
    found: list[SymbolRecord] = []
    nexts = [*(heading.start_line for heading in headings[1:]), len(lines) + 1][: len(headings)]
    for heading, end_line, following in zip(headings, ends, nexts, strict=True):
        while open_names and open_names[-1][0] >= heading.level:
            open_names.pop()
        parent = ".".join(name for _, name in open_names)
        open_names.append((heading.level, heading.name))
        found.append(_record(heading, parent, end_line, _opening(heading, lines[: following - 1])))
    return tuple(found)


def _ends(headings: Sequence[Heading], last_line: int) -> list[int]:
    ends = [last_line] * len(headings)
    open_rows: list[int] = []
    for row, heading in enumerate(headings):
        while open_rows and headings[open_rows[-1]].level >= heading.level:
            ends[open_rows.pop()] = heading.start_line - 1
        open_rows.append(row)
    return ends


def _opening(heading: Heading, lines: Sequence[str]) -> str:
    """The first sentence under a heading when it is plain prose."""
    after = lines[heading.last_line : heading.last_line + DOC_LINES]
    first = next((row for row, line in enumerate(after) if line.strip()), len(after))
    if first == len(after) or not after[first][:1].isalpha():
        return ""
    return first_sentence("\n".join(_until_blank(after[first:])))


def _until_blank(lines: Sequence[str]) -> Iterable[str]:
    for line in lines:
        if not any(char.isalnum() for char in line[:MAX_CHARS]):
            return  # blank, or a ruler
        yield line


def _record(heading: Heading, parent: str, end_line: int, doc: str) -> SymbolRecord:
    return SymbolRecord(
        name=heading.name,
        qualified_name=f"{parent}.{heading.name}" if parent else heading.name,
        kind=SymbolKind.HEADING,
        signature=folded(heading.wording)[:MAX_CHARS],
        doc=doc,
        lead_line=heading.start_line,
        start_line=heading.start_line,
        name_line=heading.name_line,
        end_line=end_line,
        parent=parent,
        exported=True,
    )
