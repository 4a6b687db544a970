"""Lua: what is `local` stays in the file."""

from indexing.parsing.hooks import Draft, Hooks
from indexing.parsing.visibility import mark


def visible(draft: Draft, _outer: Draft | None) -> bool:
    return all(one.type != "local" for one in draft.node.children[:1])


def finish(drafts: list[Draft], _source: bytes) -> None:
    mark(drafts, visible)


HOOKS = Hooks(finish=finish)
