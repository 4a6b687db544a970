"""Ruby: symbols as names, and the several ways to make a method private."""

from dataclasses import dataclass, field

from tree_sitter import Node

from indexing.parsing.hooks import CLASS_LIKE, Draft, Hooks, text_of
from indexing.parsing.visibility import mark, share_statement, trim_ends
from indexing.records import SymbolKind

HIDING = frozenset({"private", "protected", "private_class_method", "private_constant"})
SWITCHES = HIDING | {"public"}
HOLDERS = CLASS_LIKE | {SymbolKind.MODULE}


@dataclass(slots=True)
class _Hidden:
    """`starts` are first bytes of definitions, `names` (first byte of the class, name) pairs."""

    starts: set[int] = field(default_factory=set)
    names: set[tuple[int, str]] = field(default_factory=set)


def adjust(draft: Draft, _source: bytes) -> bool:
    draft.name = draft.name.removeprefix(":")
    return True


def finish(drafts: list[Draft], source: bytes) -> None:
    trim_ends(drafts, source)
    hidden = _Hidden()
    for draft in drafts:
        if draft.kind in HOLDERS and draft.body is not None:
            _read_body(draft.body, draft.start, hidden)

    def visible(draft: Draft, outer: Draft | None) -> bool:
        named = outer is not None and (outer.start, draft.name) in hidden.names
        return not named and draft.node.start_byte not in hidden.starts

    share_statement(drafts)
    mark(drafts, visible)


def _read_body(body: Node, owner: int, hidden: _Hidden) -> None:
    hiding = False
    for child in body.named_children:
        if child.type == "identifier" and text_of(child) in SWITCHES:
            hiding = text_of(child) != "public"
        elif child.type == "singleton_class":
            inner = child.child_by_field_name("body")
            if inner is not None:
                _read_body(inner, owner, hidden)
        elif child.type == "call" and _method(child) in SWITCHES:
            _read_switch(child, owner, hidden)
        elif hiding and child.type in {"method", "call"}:
            hidden.starts.add(child.start_byte)


def _method(call: Node) -> str:
    method = call.child_by_field_name("method")
    return text_of(method) if method is not None else ""


def _read_switch(call: Node, owner: int, hidden: _Hidden) -> None:
    arguments = call.child_by_field_name("arguments")
    if _method(call) not in HIDING or arguments is None:
        return
    for one in arguments.named_children:
        if one.type == "simple_symbol":
            hidden.names.add((owner, text_of(one)[1:]))
        else:
            hidden.starts.add(one.start_byte)


HOOKS = Hooks(adjust=adjust, finish=finish)
