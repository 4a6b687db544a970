"""Kotlin: everything is public unless it says otherwise."""

from indexing.parsing.hooks import Draft, Hooks
from indexing.parsing.visibility import mark, not_hidden, trim_ends


def finish(drafts: list[Draft], source: bytes) -> None:
    trim_ends(drafts, source)
    mark(drafts, not_hidden)


HOOKS = Hooks(finish=finish)
