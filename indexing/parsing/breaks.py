"""The lines before which a chunk may be cut."""

from collections.abc import Iterable

from tree_sitter import Node

from indexing.parsing.found import starts_line
from indexing.records import SymbolRecord

MAX_DEPTH = 12


def break_rows(root: Node, blocks: Iterable[Node], source: bytes) -> dict[int, int]:
    """Row of each statement that starts a line, with its depth (the lower one wins)."""
    depths: dict[int, int] = {}
    ends: list[int] = []
    holding = [block for block in blocks if _holds_line_starts(block, source)]
    for block in sorted({root, *holding}, key=_place):
        while ends and ends[-1] <= block.start_byte:
            ends.pop()
        if len(ends) <= MAX_DEPTH:
            _add(block, len(ends), source, depths)
        ends.append(block.end_byte)
    return depths


def _place(block: Node) -> tuple[int, int]:
    return block.start_byte, -block.end_byte


def _holds_line_starts(block: Node, source: bytes) -> bool:
    """Whether a child may start a line: not in `{ return 1; }` behind something else."""
    row, column = block.start_point
    return row != block.end_point[0] or starts_line(source, block.start_byte, column)


def _add(block: Node, depth: int, source: bytes, depths: dict[int, int]) -> None:
    for child in block.named_children:
        row, column = child.start_point
        if depths.get(row, depth + 1) > depth and starts_line(source, child.start_byte, column):
            depths[row] = depth


def with_leads(depths: dict[int, int], symbols: Iterable[SymbolRecord]) -> dict[int, int]:
    """No cut between a definition and its comment, decorators or attributes."""
    for symbol in symbols:
        if symbol.lead_line == symbol.name_line:
            continue
        rows = range(symbol.lead_line - 1, symbol.name_line)
        inside = [depths.pop(row) for row in rows if row in depths]
        if inside:
            depths[rows[0]] = min(inside)
    return depths


def ascending(depths: dict[int, int]) -> tuple[tuple[int, int], ...]:
    return tuple((row + 1, depths[row]) for row in sorted(depths))
