"""Which language has which hooks."""

from indexing.parsing import python
from indexing.parsing.hooks import NO_HOOKS, Hooks

HOOKS: dict[str, Hooks] = {
    "python": python.HOOKS,
}


def hooks_of(language: str) -> Hooks:
    return HOOKS.get(language, NO_HOOKS)
