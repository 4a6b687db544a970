"""PHP: `require` of a computed path, several names a statement, visibility."""

from tree_sitter import Node

from indexing.parsing.hooks import Draft, Hooks, text_of
from indexing.parsing.visibility import mark, not_hidden, share_statement, trim_ends

STRINGS = frozenset({"string_content"})
MAX_NODES = 60


def imports(node: Node) -> list[tuple[str, tuple[str, ...]]]:
    """A group's names, or the fixed end of a path: `__DIR__ . '/boot.php'` gives `./boot.php`."""
    if node.type == "namespace_use_declaration":
        return _group(node)
    parts = _strings(node)
    if not parts:
        return []
    here = "." if b"__DIR__" in (node.text or b"") and parts[0].startswith("/") else ""
    return [(here + "".join(parts), ())]


def _group(node: Node) -> list[tuple[str, tuple[str, ...]]]:
    prefix = next((one for one in node.named_children if one.type == "namespace_name"), None)
    body = node.child_by_field_name("body")
    clauses = body.named_children if body is not None else []
    firsts = [one.named_children[:1] for one in clauses if one.type == "namespace_use_clause"]
    start = f"{text_of(prefix)}\\" if prefix is not None else ""
    return [(start + text_of(one), ()) for first in firsts for one in first]


def _strings(node: Node) -> list[str]:
    found: list[str] = []
    waiting = [node]
    for _ in range(MAX_NODES):
        if not waiting:
            break
        one = waiting.pop()
        if one.type in STRINGS:
            found.append(text_of(one))
        waiting += one.named_children[::-1]
    return found


def adjust(draft: Draft, _source: bytes) -> bool:
    draft.name = draft.name.removeprefix("$")
    return True


def finish(drafts: list[Draft], source: bytes) -> None:
    trim_ends(drafts, source)
    share_statement(drafts)
    mark(drafts, not_hidden)


HOOKS = Hooks(adjust=adjust, imports=imports, finish=finish)
