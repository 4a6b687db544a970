"""Read a broken file anew from the next definition at the margin that the break swallowed."""

import re
from dataclasses import replace

from tree_sitter import Node, Point, Range

from indexing.languages import Language
from indexing.records import ParsedFile, SymbolRecord

MAX_RESTARTS = 20  # a file; each may parse the rest of it again
LEAD = re.compile(rb"#|//|/\*| ?\*|@")
TEXTS = ("string", "comment", "heredoc", "template")


def restart_range(language: Language, root: Node, source: bytes) -> Range | None:
    """From the first definition head inside the first broken top-level node to the end."""
    if not language.restart or not root.has_error:
        return None
    head = re.compile(rb"^(?:" + language.restart.encode() + rb")", re.MULTILINE)
    broken = [root] if root.is_error else [one for one in root.children if one.has_error]
    for node in broken:
        line_end = source.find(b"\n", node.start_byte) + 1
        for match in head.finditer(source, max(line_end, 1), node.end_byte):
            if not _in_text(root, match.start()):
                start = _with_lead(source, match.start(), max(line_end, 1))
                row = source.count(b"\n", 0, start)
                return Range(Point(row, 0), root.end_point, start, len(source))
    return None


def _with_lead(source: bytes, start: int, least: int) -> int:
    """Up over the comment and attribute lines at the margin that touch the definition."""
    while start > least:
        above = source.rfind(b"\n", 0, start - 1) + 1
        if above < least or not LEAD.match(source, above):
            break
        start = above
    return start


def _in_text(root: Node, byte: int) -> bool:
    at = root.descendant_for_byte_range(byte, byte)
    return at is not None and any(word in at.type for word in TEXTS)


def joined(before: ParsedFile, after: ParsedFile, row: int, source: bytes) -> ParsedFile:
    """What was found above the row, and what the new reading found from it on."""
    upper = source.split(b"\n")[:row]
    while upper and not upper[-1].strip():
        upper.pop()
    kept = [_clipped(one, len(upper)) for one in before.symbols if one.start_line <= row]
    return ParsedFile(
        symbols=(*kept, *after.symbols),
        imports=(*(one for one in before.imports if one.line <= row), *after.imports),
        breaks=(*(one for one in before.breaks if one[0] <= row), *after.breaks),
        broken=True,
    )


def _clipped(symbol: SymbolRecord, last: int) -> SymbolRecord:
    end = max(symbol.name_line, min(symbol.end_line, last))
    return replace(symbol, end_line=end, name_line=min(symbol.name_line, end))
