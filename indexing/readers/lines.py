"""What the line readers share: lines, places to cut, and the comment above a line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from indexing.parsing.breaks import ascending, with_leads
from indexing.parsing.wording import bare_comment, first_sentence, folded
from indexing.records import ParsedFile, SymbolKind, SymbolRecord

INDENTED = re.compile(r"^( {0,6})[^\s#})\]]", re.MULTILINE)
MAX_KEYS = 2_000  # a file with more is data, and nobody looks for the rest
MAX_NAME = 200


@dataclass(frozen=True, slots=True)
class Key:
    """A named stretch of a data file; `last_line` may include what belongs to the next one."""

    name: str
    line: int
    last_line: int
    parent: str = ""


def lines_of(text: str) -> list[str]:
    """The lines as they are counted: a final line feed does not begin another."""
    lines = text.split("\n")
    if len(lines) > 1 and not lines[-1]:
        lines.pop()
    return lines


def until_next(found: Sequence[tuple[str, int]], last_line: int) -> list[Key]:
    """Keys that reach to the line before the next name; "" ends one without beginning another."""
    ends = [max(line, after - 1) for (_, line), (_, after) in pairwise(found)]
    ends += [last_line] if found else []
    return [Key(name, line, end) for (name, line), end in zip(found, ends, strict=True) if name]


def indent_rows(text: str) -> dict[int, int]:
    """Row of each line with content and at most six spaces before it; the spaces are its depth."""
    found: dict[int, int] = {}
    row, seen = 0, 0
    for match in INDENTED.finditer(text):
        row += text.count("\n", seen, match.start())
        seen = match.start()
        found[row] = match.end(1) - seen
    return found


def parsed_lines(
    symbols: tuple[SymbolRecord, ...], rows: dict[int, int], *, broken: bool = False
) -> ParsedFile:
    """The result of a reader; no cut falls between a comment and what it is about."""
    return ParsedFile(symbols, breaks=ascending(with_leads(rows, symbols)), broken=broken)


def lead_of(lines: Sequence[str], start_line: int, marks: tuple[str, ...]) -> int:
    """The first line of the comment lines that touch `start_line` from above."""
    lead = start_line
    while lead > 1 and lines[lead - 2].lstrip().startswith(marks):
        lead -= 1
    return lead


def doc_of(lines: Sequence[str], lead_line: int, start_line: int) -> str:
    return first_sentence(bare_comment(lines[lead_line - 1 : start_line - 1]))


def last_code_line(lines: Sequence[str], first: int, last: int, marks: tuple[str, ...]) -> int:
    """`last` without the blank and comment lines at the end, not above `first`."""
    while last > first:
        line = lines[last - 1].strip()
        if line and not line.startswith(marks):
            break
        last -= 1
    return last


def key_records(
    keys: Sequence[Key], lines: Sequence[str], marks: tuple[str, ...]
) -> tuple[SymbolRecord, ...]:
    return tuple(_key_record(key, lines, marks) for key in keys[:MAX_KEYS])


def _key_record(key: Key, lines: Sequence[str], marks: tuple[str, ...]) -> SymbolRecord:
    lead = lead_of(lines, key.line, marks)
    name = key.name[:MAX_NAME]
    return SymbolRecord(
        name=name,
        qualified_name=f"{key.parent}.{name}" if key.parent else name,
        kind=SymbolKind.KEY,
        signature=folded(lines[key.line - 1][:1_000]),
        doc=doc_of(lines, lead, key.line),
        lead_line=lead,
        start_line=key.line,
        name_line=key.line,
        end_line=last_code_line(lines, key.line, key.last_line, marks),
        parent=key.parent,
        exported=True,
    )
