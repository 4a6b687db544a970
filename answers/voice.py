"""Who replies to the prompts of answers: the provider, unless an evaluation plays back replies."""

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from outbound import completion
from outbound.asking import Completion, CompletionRequest, Piece


class Voice(Protocol):
    """As outbound.completion: both raise failures.ModelFailed."""

    def complete(self, request: CompletionRequest) -> Completion: ...

    def stream(self, request: CompletionRequest) -> Generator[Piece]: ...


class Provider:
    """The model that is set up, over the network."""

    def complete(self, request: CompletionRequest) -> Completion:
        return completion.complete(request)

    def stream(self, request: CompletionRequest) -> Generator[Piece]:
        return completion.stream(request)


_speaking: ContextVar[Voice | None] = ContextVar("speaking", default=None)


def current() -> Voice:
    return _speaking.get() or Provider()


def is_evaluated() -> bool:
    """Then every answer is written as if it were the first: what was learned of the model between
    two questions would not be there when replies are played back."""
    return _speaking.get() is not None


@contextmanager
def speaking(voice: Voice) -> Iterator[None]:
    """Of this thread alone."""
    token = _speaking.set(voice)
    try:
        yield
    finally:
        _speaking.reset(token)
