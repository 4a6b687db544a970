"""Symbols, imports and places to cut, from the text of one file.

Runs in a child process, because some grammars crash on hostile text: no Django here.
"""

import re

from tree_sitter import Node, Point, Range, Tree

from indexing.languages import LANGUAGES, Language
from indexing.parsing import breaks
from indexing.parsing.found import Found, sort_out
from indexing.parsing.grammar import bytes_broken, matches_of, tree_of
from indexing.parsing.guard import check
from indexing.parsing.hook_table import hooks_of
from indexing.parsing.restart import MAX_RESTARTS, joined, restart_range
from indexing.parsing.sweep import Sweep
from indexing.readers.table import READERS
from indexing.records import ParsedFile

LANG_ATTRIBUTE = re.compile(r"\blang\s*=\s*[\"']?([\w/+-]+)")
SCRIPT_LANGUAGES = {
    "": "javascript",
    "js": "javascript",
    "jsx": "javascript",
    "javascript": "javascript",
    "ts": "typescript",
    "typescript": "typescript",
    "tsx": "tsx",
}


def parse(language: Language, text: str) -> ParsedFile:
    """What the grammar sees in the text; raises a NotParsedError that says why not."""
    if language.name in READERS:
        return READERS[language.name](text)
    if not language.grammar:
        return ParsedFile()
    source = text.encode("utf-8", "replace")
    check(language, source)
    return _parse(language, source, ())


def _parse(language: Language, source: bytes, ranges: tuple[Range, ...]) -> ParsedFile:
    parsed, again = _parse_once(language, source, ranges)
    if again and not ranges:
        for _ in range(MAX_RESTARTS):
            rest, further = _parse_once(language, source, (again,))
            parsed = joined(parsed, rest, again.start_point[0], source)
            if further is None or further.start_byte <= again.start_byte:
                break
            again = further
    return parsed


def _parse_once(
    language: Language, source: bytes, ranges: tuple[Range, ...]
) -> tuple[ParsedFile, Range | None]:
    """What one reading finds, and from where a broken text should be read anew."""
    root = _tree(language, source, ranges).root_node
    found = sort_out(language, matches_of(language, root), source)
    symbols = Sweep(language, found, source).records()
    depths = breaks.break_rows(root, found.blocks, source)
    here = ParsedFile(
        symbols=tuple(symbols),
        imports=tuple(found.imports),
        breaks=breaks.ascending(breaks.with_leads(depths, symbols)),
        broken=root.has_error,
    )
    return _with_embedded(here, found, source), restart_range(language, root, source)


def _tree(language: Language, source: bytes, ranges: tuple[Range, ...]) -> Tree:
    hooks = hooks_of(language.name)
    text = hooks.mask(source) if hooks.mask else source
    tree = tree_of(language, text, ranges)
    if not tree.root_node.has_error or hooks.mend is None:
        return tree
    again = hooks.mend(text)
    if again == text:
        return tree
    mended = tree_of(language, again, ranges)
    return min(tree, mended, key=lambda one: bytes_broken(language, one))


def _with_embedded(outer: ParsedFile, found: Found, source: bytes) -> ParsedFile:
    parts = [outer]
    for node, tag in found.embedded:
        written = LANG_ATTRIBUTE.search(tag)
        name = SCRIPT_LANGUAGES.get(written.group(1).lower() if written else "")
        if name:
            parts.append(_parse(LANGUAGES[name], source, (_range(node),)))
    return outer if len(parts) == 1 else _merged(parts)


def _range(node: Node) -> Range:
    start, end = Point(*node.start_point), Point(*node.end_point)
    return Range(start, end, node.start_byte, node.end_byte)


def _merged(parts: list[ParsedFile]) -> ParsedFile:
    """The file with its scripts; a script's statements lie one deeper than its block."""
    depths = {line: depth + 1 for part in parts[1:] for line, depth in part.breaks}
    depths |= dict(parts[0].breaks)
    return ParsedFile(
        symbols=tuple(symbol for part in parts for symbol in part.symbols),
        imports=tuple(one for part in parts for one in part.imports),
        breaks=tuple(sorted(depths.items())),
        broken=any(part.broken for part in parts),
    )
