"""Lua: what is `local` stays in the file."""

from indexing.parsing.hooks import Draft, Hooks
from indexing.parsing.visibility import mark


def adjust(draft: Draft, _source: bytes) -> bool:
    """`a.B:c` has both separators; the table's last part is the nearest parent."""
    *tables, draft.name = draft.name.split(":")
    draft.outer = (*draft.outer, *tables)
    return True


def visible(draft: Draft, _outer: Draft | None) -> bool:
    return all(one.type != "local" for one in draft.node.children[:1])


def finish(drafts: list[Draft], _source: bytes) -> None:
    mark(drafts, visible)


HOOKS = Hooks(adjust=adjust, finish=finish)
