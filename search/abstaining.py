"""Whether an answer to a question would abstain. The judge is that of answers, which stands to
the right of search and registers it: there is one rule, for answers and for their measurement.
"""

from collections.abc import Callable

from search.scope import Scope

Judge = Callable[[Scope, str], bool]
_registered: list[Judge] = []


def register(judge: Judge) -> None:
    """Called once, when Django is ready."""
    _registered[:] = [judge]


def judge() -> Judge | None:
    """None where nothing answers questions."""
    return _registered[0] if _registered else None
