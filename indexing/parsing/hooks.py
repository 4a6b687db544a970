"""What a language adds to its query: small functions over one draft or one import node."""

from collections.abc import Callable
from dataclasses import dataclass

from tree_sitter import Node

from indexing.records import SymbolKind

CLASS_LIKE = frozenset(
    {
        SymbolKind.CLASS,
        SymbolKind.INTERFACE,
        SymbolKind.STRUCT,
        SymbolKind.ENUM,
        SymbolKind.TRAIT,
        SymbolKind.OBJECT,
    }
)
FUNCTION_LIKE = frozenset(
    {SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CONSTRUCTOR, SymbolKind.MACRO}
)
VALUES = frozenset({SymbolKind.CONSTANT, SymbolKind.VARIABLE, SymbolKind.FIELD})


@dataclass(slots=True)
class Draft:
    """A definition on its way to a record; bytes and rows are 0-based, rows inclusive.

    `outer` are the names in front of its own (`Foo` of `Foo::bar`, a receiver), outermost first.
    `wording` is its signature line, set once kind and parent are known.
    """

    node: Node
    kind: SymbolKind
    name: str
    name_start: int
    name_row: int
    start: int
    end: int
    start_row: int
    end_row: int
    pattern: int
    body: Node | None = None
    doc: Node | None = None
    outer: tuple[str, ...] = ()
    marked: bool = False
    wording: str = ""


@dataclass(frozen=True, slots=True)
class Hooks:
    """All optional.

    `mask` blanks what the grammar would stumble over; the bytes keep their places. `mend` blanks
    more where it did stumble, and is followed where that leaves less of the file broken.
    `adjust` may change a draft, or drop it by answering False. `kind` decides again with the
    names around the draft, outermost first. `keep` answers False to drop a draft by the role of
    what is directly around it ("class", "function", "other", a scope's role or "").
    `exported` decides for `exports="hook"`.
    `doc` reads a docstring from the definition node ("" falls back to the comment above).
    `imports` reads an `@import` without `@import.module`: (module, names) pairs.
    `finish` sees all drafts of the file in order of start, for ends that follow from the next.
    """

    mask: Callable[[bytes], bytes] | None = None
    mend: Callable[[bytes], bytes] | None = None
    adjust: Callable[[Draft, bytes], bool] | None = None
    kind: Callable[[Draft, tuple[str, ...]], SymbolKind] | None = None
    keep: Callable[[Draft, str], bool] | None = None
    exported: Callable[[Draft, tuple[str, ...]], bool] | None = None
    doc: Callable[[Node], str] | None = None
    imports: Callable[[Node], list[tuple[str, tuple[str, ...]]]] | None = None
    finish: Callable[[list[Draft], bytes], None] | None = None


NO_HOOKS = Hooks()


def text_of(node: Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
