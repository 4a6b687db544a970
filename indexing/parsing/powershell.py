"""PowerShell: scope prefixes, constructors, `hidden` members and comment-based help."""

import re

from tree_sitter import Node

from indexing.parsing.hooks import Draft, Hooks, text_of
from indexing.parsing.visibility import mark, share_statement
from indexing.records import SymbolKind

SCOPE = re.compile(r"^(?:script|global|local|private):", re.IGNORECASE)
SYNOPSIS = re.compile(
    r"\.(?:SYNOPSIS|DESCRIPTION)[ \t\r]*\n(.*?)(?=\n[ \t]*\.[A-Z]|#>|\Z)", re.DOTALL
)
HELP_CHARS = 4_000


def adjust(draft: Draft, _source: bytes) -> bool:
    draft.name = SCOPE.sub("", draft.name).lstrip("$")
    return True


def kind(draft: Draft, names: tuple[str, ...]) -> SymbolKind:
    builds = draft.kind is SymbolKind.METHOD and bool(names) and names[-1] == draft.name
    return SymbolKind.CONSTRUCTOR if builds else draft.kind


def doc(node: Node) -> str:
    above = node.prev_named_sibling
    if above is None and node.parent is not None:
        above = node.parent.prev_named_sibling  # the comment at the top is outside the list
    if above is None or above.type != "comment":
        return ""
    written = text_of(above)[:HELP_CHARS]
    if above.end_point[0] + 1 < node.start_point[0] or not written.startswith("<#"):
        return ""
    found = SYNOPSIS.search(written)
    return (found[1] if found else written.strip("<#>")).strip()


def visible(draft: Draft, _outer: Draft | None) -> bool:
    words = (child for child in draft.node.children if child.type == "class_attribute")
    return all(text_of(word).lower() != "hidden" for word in words)


def finish(drafts: list[Draft], _source: bytes) -> None:
    share_statement(drafts)
    mark(drafts, visible)


HOOKS = Hooks(adjust=adjust, kind=kind, doc=doc, finish=finish)
