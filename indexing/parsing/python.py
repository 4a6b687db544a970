"""Python: docstrings, `__future__` and the underscore rule."""

from tree_sitter import Node

from indexing.parsing.hooks import Draft, Hooks, text_of

DUNDER = "__"


def docstring(node: Node) -> str:
    body = node.child_by_field_name("body")
    first = body.named_child(0) if body is not None and body.named_child_count else None
    if first is None or first.type != "string":
        return ""
    return "".join(text_of(one) for one in first.named_children if one.type == "string_content")


def exported(draft: Draft, _names: tuple[str, ...]) -> bool:
    name = draft.name
    return not name.startswith("_") or (name.startswith(DUNDER) and name.endswith(DUNDER))


def imports(node: Node) -> list[tuple[str, tuple[str, ...]]]:
    names = node.children_by_field_name("name")
    return [("__future__", tuple(text_of(one) for one in names))]


HOOKS = Hooks(doc=docstring, exported=exported, imports=imports)
