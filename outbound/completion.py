"""Asks a chat model, whole or as a stream. One of the two files that know litellm."""

from collections.abc import Iterator

from outbound.asking import Completion, CompletionRequest, Piece
from outbound.failures import no_model


def complete(request: CompletionRequest) -> Completion:
    """The whole reply. Raises failures.ModelFailed; the call is recorded either way."""
    raise no_model()


def stream(request: CompletionRequest) -> Iterator[Piece]:
    """The reply as it comes, cut at the ends of words; the last piece has the `completion`.

    Raises failures.ModelFailed, also in the middle. Closing the iterator stops the call.
    """
    raise no_model()
    yield
