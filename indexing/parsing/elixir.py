"""Elixir: `@doc` and `@moduledoc`, private forms, and clauses of one function."""

from tree_sitter import Node

from indexing.parsing.hooks import Draft, Hooks, text_of
from indexing.parsing.visibility import mark, trim_ends
from indexing.records import SymbolKind

PRIVATE = ("defp", "defmacrop", "defguardp", "defnp")
MODULES = frozenset({"defmodule", "defprotocol", "defimpl"})
CLAUSES = frozenset({SymbolKind.FUNCTION, SymbolKind.MACRO})
LOOK_BACK = 12  # attributes between a doc and its function


def _word(node: Node) -> str:
    target = node.child_by_field_name("target")
    return text_of(target) if target is not None else ""


def _attribute(node: Node) -> Node | None:
    """The call in `@doc "..."`."""
    return node.child_by_field_name("operand") if node.type == "unary_operator" else None


def _written(call: Node, name: str) -> str:
    if _word(call) != name:
        return ""
    waiting = [call]
    for _ in range(LOOK_BACK):
        if not waiting:
            break
        one = waiting.pop()
        if one.type == "quoted_content":
            return text_of(one)
        waiting += one.named_children[:2][::-1]
    return ""


def doc(node: Node) -> str:
    return _module_doc(node) if _word(node) in MODULES else _doc_above(node)


def _module_doc(node: Node) -> str:
    block = _child(node, -1)
    for child in block.named_children[:LOOK_BACK] if block is not None else []:
        call = _attribute(child)
        if call is not None and _word(call) == "moduledoc":
            return _written(call, "moduledoc")
    return ""


def _doc_above(node: Node) -> str:
    above = node.prev_named_sibling
    for _ in range(LOOK_BACK):
        call = _attribute(above) if above is not None else None
        if above is None or call is None:
            break
        written = _written(call, "doc") or _written(call, "typedoc")
        if written:
            return written
        above = above.prev_named_sibling
    return ""


def imports(node: Node) -> list[tuple[str, tuple[str, ...]]]:
    """`alias A.{B, C}` is two imports."""
    dot = _child(_child(node, 1), 0)
    left = dot.child_by_field_name("left") if dot is not None else None
    right = dot.child_by_field_name("right") if dot is not None else None
    if left is None or right is None:
        return []
    return [(f"{text_of(left)}.{text_of(one)}", ()) for one in right.named_children]


def visible(draft: Draft, _outer: Draft | None) -> bool:
    if draft.kind is SymbolKind.CONSTANT:
        return False  # a module attribute
    call = _attribute(draft.node)
    return _word(call) != "typep" if call is not None else _word(draft.node) not in PRIVATE


def finish(drafts: list[Draft], source: bytes) -> None:
    trim_ends(drafts, source)
    _join_clauses(drafts, source)
    mark(drafts, visible)


def _join_clauses(drafts: list[Draft], source: bytes) -> None:
    """Clauses of a function that follow each other without a word between are one symbol."""
    kept: list[Draft] = []
    for draft in drafts:
        first = kept[-1] if kept else None
        if (
            first is not None
            and _same(first, draft)
            and not source[first.end : draft.start].strip()
        ):
            first.end, first.end_row = draft.end, draft.end_row
        else:
            kept.append(draft)
    drafts[:] = kept


def _same(first: Draft, second: Draft) -> bool:
    same = first.name == second.name and first.kind is second.kind and first.kind in CLAUSES
    return same and first.end <= second.start and _arity(first) == _arity(second)


def _arity(draft: Draft) -> int:
    head = _child(draft.node, 1)
    for _ in range(3):  # arguments of def, perhaps a guard, then the call itself
        if head is None or head.type == "call":
            break
        head = _child(head, 0)
    arguments = _child(head, -1)
    return arguments.named_child_count if arguments is not None else 0


def _child(node: Node | None, place: int) -> Node | None:
    children = node.named_children[place:] if node is not None else []
    return children[0] if children else None


HOOKS = Hooks(doc=doc, imports=imports, finish=finish)
