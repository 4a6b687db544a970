"""Scala: imports with selectors, bodies that end by indentation, access modifiers."""

import re

from tree_sitter import Node

from indexing.parsing.hooks import Draft, Hooks, text_of
from indexing.parsing.visibility import mark, not_hidden, trim_ends

CLAUSE = re.compile(r"\s*([\w.`$]+?)(?:\.\{([^{}]*)\}|\.([_*]))?\s*(?:,|\bas\b|$)")

WILD = frozenset({"_", "*", "given"})


def imports(node: Node) -> list[tuple[str, tuple[str, ...]]]:
    written = text_of(node).removeprefix("import")
    found: list[tuple[str, tuple[str, ...]]] = []
    at = 0
    while clause := CLAUSE.match(written, at):
        path, selected, wild = clause.groups()
        names = _selected(selected) if selected else ()
        found += [(f"{path}.{name}", ()) for name in names if name not in WILD]
        if not names or WILD & set(names):
            found.append((path, ("*",) if names or wild else ()))
        at = clause.end()
    return found


def _selected(written: str) -> tuple[str, ...]:
    parts = (re.split(r"=>|\bas\b", part)[0].strip() for part in written.split(","))
    return tuple(part for part in parts if part)


def finish(drafts: list[Draft], source: bytes) -> None:
    trim_ends(drafts, source)
    mark(drafts, not_hidden)


HOOKS = Hooks(imports=imports, finish=finish)
