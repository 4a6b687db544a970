"""The frozen values that one indexing step hands to the next.

No Django in this file: parser children import it and must start fast.
Lines are 1-based and inclusive; only LF ends a line (CR LF counts once).
"""

from dataclasses import dataclass
from enum import StrEnum


class SymbolKind(StrEnum):
    """What a symbol is; one vocabulary for all languages."""

    CLASS = "class"
    INTERFACE = "interface"  # interface, protocol
    STRUCT = "struct"
    ENUM = "enum"
    TRAIT = "trait"
    OBJECT = "object"  # Kotlin and Scala objects
    TYPE = "type"  # type alias
    MODULE = "module"  # module, namespace, package
    FUNCTION = "function"
    METHOD = "method"
    CONSTRUCTOR = "constructor"
    MACRO = "macro"
    CONSTANT = "constant"
    VARIABLE = "variable"
    FIELD = "field"  # field, property
    TABLE = "table"
    VIEW = "view"
    TRIGGER = "trigger"
    HEADING = "heading"
    KEY = "key"


@dataclass(frozen=True, slots=True)
class SymbolRecord:
    """One definition in one file.

    `lead_line` is the first line that belongs to it (leading comment, decorators);
    `start_line` the first line of the definition with decorators or attributes;
    `name_line` the line its name stands on; `end_line` its last line.
    `qualified_name` joins the names of the enclosing symbols and its own by ".";
    `parent` is the qualified name of the enclosing symbol, or "".
    `doc` is the first sentence of its docstring or comment, at most 300 characters.
    `signature` is one line, white space folded, at most 300 characters.
    """

    name: str
    qualified_name: str
    kind: SymbolKind
    signature: str
    doc: str
    lead_line: int
    start_line: int
    name_line: int
    end_line: int
    parent: str
    exported: bool


@dataclass(frozen=True, slots=True)
class ImportRecord:
    """One import as written: `module` the path or dotted name, `names` what is taken from it."""

    module: str
    names: tuple[str, ...]
    line: int


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What the parser found in one file.

    `breaks` are (line, depth) pairs, ascending by line, at most one a line: a statement or
    block begins on that line at that nesting depth (0 is the top of the file). A chunk may
    be cut before such a line; the shallowest depth is the best place.
    `broken` says that the grammar saw a syntax error somewhere.
    """

    symbols: tuple[SymbolRecord, ...] = ()
    imports: tuple[ImportRecord, ...] = ()
    breaks: tuple[tuple[int, int], ...] = ()
    broken: bool = False


@dataclass(frozen=True, slots=True)
class FindingRecord:
    """One redacted or flagged span of one line; columns are 0-based half-open code points.

    A secret that spans several lines gives one record a line, with the same `group`.
    The value itself is never kept: `fingerprint` is a keyed HMAC-SHA-256 of it.
    """

    line: int
    start_col: int
    end_col: int
    kind: str
    action: str  # "redact" or "flag"
    confidence: str  # "high", "medium" or "low"
    group: int
    fingerprint: bytes


@dataclass(frozen=True, slots=True)
class ChunkRecord:
    """A run of whole lines; the chunks of a file cover each line once.

    `symbol` is the qualified name of the symbol it shows ("" outside any), `kind` its kind
    ("" for loose lines), `part` counts 0, 1, ... where one symbol needed several chunks.
    """

    ordinal: int
    start_line: int
    end_line: int
    symbol: str
    kind: str
    part: int


@dataclass(frozen=True, slots=True)
class ChunkTerms:
    """The lexical side of a chunk: `vector` as COPY sends a tsvector, `length` in tokens."""

    vector: bytes
    length: int
    terms: tuple[str, ...]
