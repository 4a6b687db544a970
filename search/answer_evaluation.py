"""`manage.py evaluate --answers`: what is done is that of answers, which stands to the right of
search and registers it, so that people have one command for what is found and what is said.
"""

from collections.abc import Mapping
from typing import Any, Protocol

from django.core.management.base import CommandParser, OutputWrapper


class AnswerEvaluation(Protocol):
    """`run` raises CommandError."""

    def add_arguments(self, parser: CommandParser) -> None: ...

    def run(
        self, options: Mapping[str, Any], *, out: OutputWrapper, log: OutputWrapper
    ) -> None: ...


_registered: list[AnswerEvaluation] = []


def register(evaluation: AnswerEvaluation) -> None:
    """Called once, when Django is ready."""
    _registered[:] = [evaluation]


def registered() -> AnswerEvaluation | None:
    """None where nothing answers questions."""
    return _registered[0] if _registered else None
