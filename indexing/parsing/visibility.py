"""Who can see a definition: by its own modifiers, and by what it stands in."""

from collections.abc import Callable
from itertools import pairwise

from tree_sitter import Node

from indexing.parsing.hooks import FUNCTION_LIKE, Draft, text_of

WHITE = b" \t\r\n\f\v"
HIDDEN = frozenset({"private", "protected", "internal", "fileprivate", "package"})

Rule = Callable[[Draft, Draft | None], bool]  # (definition, the one around it) -> visible


def mark(drafts: list[Draft], rule: Rule) -> None:
    """Set `marked`: visible itself, in visible company, and not local to a function."""
    around: list[Draft] = []
    for draft in drafts:
        while around and around[-1].end <= draft.start:
            around.pop()
        outer = around[-1] if around else None
        local = outer is not None and (not outer.marked or outer.kind in FUNCTION_LIKE)
        draft.marked = not local and rule(draft, outer)
        around.append(draft)


def modifier(node: Node) -> str:
    """`private`, `public`, ... as written before a definition, or ""."""
    for child in node.children:
        if child.type == "visibility_modifier":
            return _word(child)
        if child.type == "modifiers":
            inner = (one for one in child.children if one.type in ACCESS)
            return next((_word(one) for one in inner), "")
    return ""


def _word(node: Node) -> str:
    return text_of(node).partition("[")[0].partition("(")[0].strip()


ACCESS = frozenset({"visibility_modifier", "access_modifier"})


def not_hidden(draft: Draft, _outer: Draft | None) -> bool:
    return modifier(draft.node) not in HIDDEN


def share_statement(drafts: list[Draft]) -> None:
    """`const A = 1, B = 2` is two definitions side by side, not one in the other."""
    for first, second in pairwise(drafts):
        if first.node == second.node and first.name_start < second.name_start:
            second.start, second.start_row = second.name_start, second.name_row
            first.end, first.end_row = second.name_start, second.name_row


def trim_ends(drafts: list[Draft], source: bytes) -> None:
    """Grammars of indented languages let a body run on to the next word."""
    for draft in drafts:
        end = draft.end
        while end > draft.start and source[end - 1] in WHITE:
            end -= 1
        if end < draft.end:
            draft.end_row = draft.node.end_point[0] - source.count(b"\n", end, draft.end)
            draft.end = end
