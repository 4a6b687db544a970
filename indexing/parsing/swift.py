"""Swift: only `public` and `open` leave the module, with what a public protocol asks for."""

from indexing.parsing.hooks import Draft, Hooks
from indexing.parsing.visibility import mark, modifier, share_statement, trim_ends
from indexing.records import SymbolKind

INHERITING = frozenset({SymbolKind.INTERFACE, SymbolKind.ENUM})


def visible(draft: Draft, outer: Draft | None) -> bool:
    written = modifier(draft.node)
    if written:
        return written in {"public", "open"}
    if outer is None or outer.kind not in INHERITING:
        return False
    return outer.kind is SymbolKind.INTERFACE or draft.node.type == "enum_entry"


def finish(drafts: list[Draft], source: bytes) -> None:
    trim_ends(drafts, source)
    share_statement(drafts)
    mark(drafts, visible)


HOOKS = Hooks(finish=finish)
