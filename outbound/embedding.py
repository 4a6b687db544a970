"""Asks an embedding model. One of the two files that know litellm."""

from collections.abc import Iterator, Sequence

from accounts.models import User
from outbound.asking import EmbeddedBatch, SentRange
from outbound.failures import no_model


def embed_batches(
    texts: Sequence[str],
    *,
    model: str,
    person: User | None,
    subject: str,
    sent: Sequence[Sequence[SentRange]] = (),
) -> Iterator[EmbeddedBatch]:
    """Vectors batch by batch, so that what is paid can be kept at once; each text is in exactly
    one batch, with a vector or with a reason. `sent` has the lines of each text.

    Raises failures.ModelFailed where nothing more is to be had; the batches before it are good.
    """
    raise no_model()
    yield


def embed_query(text: str, *, model: str, person: User | None, timeout: float) -> list[float]:
    """The vector of one question, asked once: search does not wait for a second try."""
    raise no_model()
