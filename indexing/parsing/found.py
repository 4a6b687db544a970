"""Sort what a query matched into drafts, regions, comments, imports and blocks."""

import re
from dataclasses import dataclass, field

from tree_sitter import Node

from indexing.languages import Language
from indexing.parsing.grammar import Matches
from indexing.parsing.hook_table import hooks_of
from indexing.parsing.hooks import Draft, text_of
from indexing.records import ImportRecord, SymbolKind

MAX_NAME = 200  # characters; a longer "name" is data or a parse error
KINDS = {f"definition.{kind}": kind for kind in SymbolKind}
REGIONS = ("wrap", "export", "scope", "scope.type", "scope.local")
GENERIC = re.compile(r"<[^<>]*>")
MAX_GENERICS = 6  # levels of `<...>` in a name
OPERATOR = re.compile(r"\boperator\b|^[^\w\"'`<#$@]")
QUOTES = "\"'`<>"

Captures = dict[str, list[Node]]


@dataclass(slots=True)
class Region:
    """A stretch of bytes that says something about the definitions in it."""

    role: str
    start: int
    end: int
    start_row: int
    names: tuple[str, ...] = ()


@dataclass(slots=True)
class Found:
    """`comments` and `attributes` map the last row of one to its (first row, start, end) bytes."""

    drafts: dict[int, Draft] = field(default_factory=dict)
    regions: list[Region] = field(default_factory=list)
    comments: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    attributes: dict[int, tuple[int, int, int]] = field(default_factory=dict)
    imports: list[ImportRecord] = field(default_factory=list)
    blocks: list[Node] = field(default_factory=list)
    embedded: list[tuple[Node, str]] = field(default_factory=list)
    export_names: set[str] = field(default_factory=set)


@dataclass(slots=True)
class _Import:
    module: str
    line: int
    names: list[str] = field(default_factory=list)


def sort_out(language: Language, matches: Matches, source: bytes) -> Found:
    found = Found()
    imports: dict[tuple[int, int], _Import] = {}
    for pattern, captures in matches:
        if "block" in captures:
            found.blocks += captures["block"]
        elif "comment" in captures:
            _lone_lines(captures["comment"], source, found.comments)
        elif "name" in captures and _add_draft(language, pattern, captures, source, found):
            continue
        elif "import" in captures:
            _add_import(language, captures, imports)
        else:
            _add_rest(language, captures, source, found)
    found.imports = [
        ImportRecord(one.module, tuple(dict.fromkeys(one.names)), one.line)
        for one in sorted(imports.values(), key=lambda one: one.line)
    ]
    return found


def last_row(node: Node) -> int:
    """The last row that holds text of the node; some grammars include the line's end."""
    row, column = node.end_point
    return row - 1 if column == 0 and row > node.start_point[0] else row


def starts_line(source: bytes, start: int, column: int) -> bool:
    return not source[start - column : start].strip()


def _lone_lines(nodes: list[Node], source: bytes, rows: dict[int, tuple[int, int, int]]) -> None:
    for node in nodes:
        start, end, (row, column) = node.start_byte, node.end_byte, node.start_point
        if not starts_line(source, start, column):
            continue
        line_end = source.find(b"\n", end - 1)
        if not source[end : len(source) if line_end < 0 else line_end].strip():
            rows[last_row(node)] = (row, start, end)


def _add_rest(language: Language, captures: Captures, source: bytes, found: Found) -> None:
    if "attribute" in captures:
        _lone_lines(captures["attribute"], source, found.attributes)
    if "embedded" in captures:
        tag = captures.get("embedded.tag")
        found.embedded += [(node, text_of(tag[0]) if tag else "") for node in captures["embedded"]]
    found.export_names.update(text_of(node) for node in captures.get("export.name", ()))
    names = tuple(
        part for node in captures.get("name", ()) for part in split_name(language, text_of(node))
    )
    for role in REGIONS:
        for node in captures.get(role, ()):
            start, row = node.start_byte, node.start_point[0]
            found.regions.append(Region(role, start, node.end_byte, row, names))


def _add_draft(
    language: Language, pattern: int, captures: Captures, source: bytes, found: Found
) -> bool:
    """Whether the match was a definition; a name that an earlier pattern took stays with it."""
    for capture, nodes in captures.items():
        if capture in KINDS:
            draft = _draft(language, pattern, KINDS[capture], nodes[0], captures)
            taken = found.drafts.get(draft.name_start)
            if taken is None or draft.pattern < taken.pattern:
                adjust = hooks_of(language.name).adjust
                if adjust is None or adjust(draft, source):
                    found.drafts[draft.name_start] = draft
            return True
    return False


def _draft(
    language: Language, pattern: int, kind: SymbolKind, node: Node, captures: Captures
) -> Draft:
    name = captures["name"][0]
    parts = split_name(language, text_of(name))
    receiver = captures.get("receiver")
    bodies = captures.get("body")
    if receiver:
        parts = [*split_name(language, text_of(receiver[0])), *parts]
        kind = SymbolKind.METHOD if kind is SymbolKind.FUNCTION else kind
    return Draft(
        node=node,
        kind=kind,
        name=parts[-1],
        name_start=name.start_byte,
        name_row=name.start_point[0],
        start=node.start_byte,
        end=node.end_byte,
        start_row=node.start_point[0],
        end_row=last_row(node),
        pattern=pattern,
        body=bodies[0] if bodies else node.child_by_field_name("body"),
        doc=captures["doc"][0] if "doc" in captures else None,
        outer=tuple(parts[:-1]),
        marked="export" in captures,
    )


def bare_name(text: str) -> str:
    """A name without generic arguments, pointer marks, quotes and white space."""
    if OPERATOR.search(text):
        return " ".join(text.split())
    for _ in range(MAX_GENERICS):
        text, count = GENERIC.subn("", text)
        if not count:
            break
    return text.strip(" \t\r\n*&\"'`") or text.strip()


def split_name(language: Language, text: str) -> list[str]:
    """The parts of a qualified name, outermost first; one part where the language has none."""
    text = bare_name(text)
    for separator in language.name_separators:
        if separator in text:
            parts = [part.strip() for part in text.split(separator)]
            return [part for part in parts if part] or [text]
    return [text]


def _add_import(
    language: Language, captures: Captures, imports: dict[tuple[int, int], _Import]
) -> None:
    node = captures["import"][0]
    line = node.start_point[0] + 1
    if "import.module" not in captures:
        read = hooks_of(language.name).imports
        for place, (module, names) in enumerate(read(node) if read else ()):
            imports[node.start_byte, -1 - place] = _Import(module, line, list(names))
        return
    for source in captures["import.module"]:
        key = (node.start_byte, source.start_byte)
        if key not in imports:
            imports[key] = _Import(text_of(source).strip(QUOTES), source.start_point[0] + 1)
        imports[key].names += [text_of(name) for name in captures.get("import.name", ())]
