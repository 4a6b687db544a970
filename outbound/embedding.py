"""Asks an embedding model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _

from accounts.models import User
from outbound import failures, pricing, scanning, sealing, tokens, vectors
from outbound.asking import EmbeddedBatch, Purpose, SentRange, Usage
from outbound.failures import ModelFailed
from outbound.providers import Target, embedding_target
from outbound.recording import Course, Intent, recorded
from outbound.retrying import Pause, retried, slept
from outbound.translating import failure_of

# Of one request, below what providers are known to take (OpenAI: 2,048 texts, 300,000 tokens).
MOST_TEXTS = 96
MOST_TOKENS = 30_000
TIMEOUT = 60.0  # seconds
PATIENCE = 900.0  # seconds of waiting in all for one batch: nobody waits for it
TRIES = 8
SHORTEST = 16  # characters: a text is not cut below that


@dataclass(frozen=True, slots=True)
class _Asking:
    """What all batches of one task share."""

    target: Target
    person: User | None
    subject: str
    pause: Pause


@dataclass(slots=True)
class _Piece:
    place: int
    text: str
    tokens: int
    sent: Sequence[SentRange] = field(default_factory=tuple)
    cut: bool = False


def embed_batches(
    texts: Sequence[str],
    *,
    model: str,
    person: User | None,
    subject: str,
    sent: Sequence[Sequence[SentRange]] = (),
    pause: Pause = slept,
) -> Iterator[EmbeddedBatch]:
    """Vectors batch by batch, so that what is paid can be kept at once; each text is in exactly
    one batch, with a vector or with a reason. `sent` has the lines of each text; `pause` waits
    before another try and may raise to stop.

    Raises failures.ModelFailed where nothing more is to be had; the batches before it are good.
    """
    asking = _Asking(embedding_target(model), person, subject, pause)
    pieces, refused = _sorted_out(texts, sent, model)
    if refused:
        yield EmbeddedBatch({}, refused)
    for batch in _batches(pieces):
        yield from _embed(batch, asking)


def embed_query(text: str, *, model: str, person: User | None, timeout: float) -> list[float]:
    """The vector of one question, asked once: search does not wait for a second try."""
    target = embedding_target(model)
    piece = _Piece(0, text, tokens.count(model, text))
    with recorded(_intent([piece], target, person, "search")) as course:
        found = _ask([piece], target, course, timeout)
    return list(found[0])


def _sorted_out(
    texts: Sequence[str], sent: Sequence[Sequence[SentRange]], model: str
) -> tuple[list[_Piece], dict[int, str]]:
    """What may be sent, and why the rest may not."""
    scan = scanning.scan_for(sorted({one.repository_id for lines in sent for one in lines}))
    pieces: list[_Piece] = []
    refused: dict[int, str] = {}
    for place, text in enumerate(texts):
        if not text.strip():
            refused[place] = _("nothing but blanks")
        elif problem := scanning.found_in([text], scan):
            refused[place] = problem
        else:
            lines = sent[place] if sent else ()
            pieces.append(_Piece(place, text, tokens.count(model, text), lines))
    return pieces, refused


def _batches(pieces: Sequence[_Piece]) -> Iterator[list[_Piece]]:
    batch: list[_Piece] = []
    total = 0
    for piece in pieces:
        if batch and (len(batch) >= MOST_TEXTS or total + piece.tokens > MOST_TOKENS):
            yield batch
            batch, total = [], 0
        batch.append(piece)
        total += piece.tokens
    if batch:
        yield batch


def _embed(batch: list[_Piece], asking: _Asking) -> Iterator[EmbeddedBatch]:
    """One batch in one call; where that is too much, in halves, down to half a text."""
    try:
        found = _call(batch, asking)
    except (failures.ContextTooLong, failures.BatchTooLarge, failures.RequestRefused) as failure:
        yield from _smaller(batch, asking, failure)
        return
    cut = frozenset(piece.place for piece in batch if piece.cut)
    yield EmbeddedBatch(
        {piece.place: vector for piece, vector in zip(batch, found, strict=True)}, cut=cut
    )


def _smaller(batch: list[_Piece], asking: _Asking, failure: ModelFailed) -> Iterator[EmbeddedBatch]:
    if len(batch) > 1:
        middle = len(batch) // 2
        yield from _embed(batch[:middle], asking)
        yield from _embed(batch[middle:], asking)
        return
    piece = batch[0]
    half = piece.text[: len(piece.text) // 2]
    too_long = not isinstance(failure, failures.RequestRefused)
    if too_long and len(half.strip()) >= SHORTEST:
        shorter = _Piece(
            piece.place, half, tokens.count(asking.target.name, half), piece.sent, cut=True
        )
        yield from _embed([shorter], asking)
    else:
        yield EmbeddedBatch({}, {piece.place: str(failure)})


def _call(batch: list[_Piece], asking: _Asking) -> list[Sequence[float]]:
    with recorded(_intent(batch, asking.target, asking.person, asking.subject)) as course:
        return retried(
            lambda: _ask(batch, asking.target, course, TIMEOUT),
            patience=PATIENCE,
            tries=TRIES,
            pause=asking.pause,
            told=course.told,
        )


def _ask(
    batch: Sequence[_Piece], target: Target, course: Course, timeout: float
) -> list[Sequence[float]]:
    lib = sealing.load()
    try:
        reply = lib.embedding(**_parameters(batch, target, timeout))
    except sealing.errors_of(lib) as error:
        raise failure_of(error, target) from None
    prompt = course.call.prompt_tokens
    course.usage = _usage(target.name, getattr(reply, "usage", None), prompt)
    return vectors.checked(getattr(reply, "data", None), len(batch), target)


def _parameters(batch: Sequence[_Piece], target: Target, timeout: float) -> dict[str, Any]:
    found: dict[str, Any] = {
        "model": target.name,
        "input": [piece.text for piece in batch],
        "api_key": target.key,
        "timeout": timeout,
        "max_retries": 0,
    }
    return {**found, "api_base": target.base_url} if target.base_url else found


def _usage(model: str, reported: Any, expected: int) -> Usage:
    said = getattr(reported, "prompt_tokens", None)
    known = isinstance(said, int) and said > 0
    prompt = said if isinstance(said, int) and known else expected
    return Usage(prompt, 0, estimated=not known, cost=pricing.cost_of(model, prompt, 0))


def _intent(batch: Sequence[_Piece], target: Target, person: User | None, subject: str) -> Intent:
    return Intent(
        purpose=Purpose.EMBED,
        target=target,
        texts=[piece.text for piece in batch],
        prompt_tokens=sum(piece.tokens for piece in batch),
        completion_tokens=0,
        person=person,
        subject=subject,
        sent=[lines for piece in batch for lines in piece.sent],
    )
