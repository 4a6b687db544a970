"""Python: docstrings, `__future__` and the underscore rule."""

from tree_sitter import Node

from indexing.parsing.hooks import Draft, Hooks, text_of

DUNDER = "__"


def docstring(node: Node) -> str:
    body = node.child_by_field_name("body")
    first = body.named_child(0) if body is not None and body.named_child_count else None
    if first is not None and first.type == "expression_statement":
        first = first.named_child(0)
    if first is None or first.type != "string":
        return ""
    return _content(first)


def _content(string: Node) -> str:
    parts = [text_of(child) for child in string.named_children if child.type == "string_content"]
    return "".join(parts)


def exported(draft: Draft, _names: tuple[str, ...]) -> bool:
    name = draft.name
    return not name.startswith("_") or (name.startswith(DUNDER) and name.endswith(DUNDER))


def imports(node: Node) -> list[tuple[str, tuple[str, ...]]]:
    names = node.children_by_field_name("name")
    return [("__future__", tuple(text_of(one) for one in names))]


HOOKS = Hooks(doc=docstring, exported=exported, imports=imports)
