"""The life of an answer that a worker writes: waiting, claimed, ended, retaken, stopped.

An answer in state RUNNING without a claim waits. A claim is a conditional update with a
heartbeat; every write asks whether the claim still holds, so a worker that was merely slow, or
whose reader pressed stop, writes nothing more.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.db import connection, transaction
from django.db.models import F, Func, Q, QuerySet, TextField, Value
from django.db.models.functions import Cast, Now
from django.utils import timezone

from answers.models import Answer
from indexing.heartbeats import beating

CHANGED = "footnote_answer"  # channel: an answer has changed, by its id
WAITING = "footnote_answer_waiting"  # channel: one waits for a worker
BEAT_SECONDS = 5.0
DEAD_AFTER = timedelta(seconds=30)
ATTEMPTS = 3
State = Answer.State


class ClaimLost(Exception):
    """The answer is no longer ours: stopped by its reader, deleted, or retaken."""


def notify(answer_id: uuid.UUID) -> None:
    """Tell the pages that show it to look at its rows (at commit)."""
    _notify(CHANGED, str(answer_id))


def wake_workers() -> None:
    _notify(WAITING, "")


def _notify(channel: str, payload: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [channel, payload])


def claim_next() -> Answer | None:
    """The answer that has waited longest, or that a dead worker left; None if there is none."""
    for pk in waiting().order_by("created").values_list("pk", flat=True)[:20]:
        if (answer := claim(pk)) is not None:
            return answer
    return None


def waiting() -> QuerySet[Answer]:
    dead = Q(heartbeat__lt=Now() - DEAD_AFTER)
    return Answer.objects.filter(Q(claim=None) | dead, state=State.RUNNING)


def claim(pk: uuid.UUID) -> Answer | None:
    """The answer, if it is ours now. One attempt more may be too many: see `attempt`."""
    taken = (
        waiting()
        .filter(pk=pk)
        .update(claim=uuid.uuid4(), heartbeat=Now(), attempt=F("attempt") + 1)
    )
    if not taken:
        return None
    rows = Answer.objects.select_related("question__conversation__person")
    return rows.get(pk=pk)


@contextmanager
def writing(answer: Answer) -> Iterator[None]:
    """A transaction that commits only if the answer is still ours; pages hear of it."""
    mine = Answer.objects.select_for_update().filter(pk=answer.pk, claim=answer.claim)
    # One way to the database for both: it is on the way of every statement.
    told = Func(Value(CHANGED), Value(str(answer.pk)), function="pg_notify")
    with transaction.atomic():
        yield
        held = mine.filter(state=State.RUNNING).annotate(told=Cast(told, TextField()))
        if not held.values_list("told"):
            raise ClaimLost


def holds(answer: Answer) -> bool:
    return Answer.objects.filter(pk=answer.pk, claim=answer.claim, state=State.RUNNING).exists()


def end(answer: Answer, state: str, **fields: object) -> bool:
    """End it; False, and nothing done, where it is no longer ours."""
    mine = Answer.objects.filter(pk=answer.pk, claim=answer.claim, state=State.RUNNING)
    with transaction.atomic():
        ended = mine.update(state=state, claim=None, heartbeat=None, **fields)
        notify(answer.pk)
    return bool(ended)


def give_back(answer: Answer) -> None:
    """Let another worker write it: this one was told to stop, which is no attempt."""
    mine = Answer.objects.filter(pk=answer.pk, claim=answer.claim, state=State.RUNNING)
    with transaction.atomic():
        if mine.update(claim=None, heartbeat=None, attempt=F("attempt") - 1):
            notify(answer.pk)
            wake_workers()


def stop(answer: Answer) -> bool:
    """Stop it for its reader; what was checked stays. False where it has ended already."""
    running = Answer.objects.filter(pk=answer.pk, state=State.RUNNING)
    took = round((timezone.now() - answer.created).total_seconds() * 1000)
    with transaction.atomic():
        stopped = running.update(
            state=State.STOPPED, claim=None, heartbeat=None, milliseconds=max(took, 0)
        )
        notify(answer.pk)
    return bool(stopped)


@contextmanager
def heartbeat(answer: Answer) -> Iterator[None]:
    """Give signs of life while the block runs, as long as the answer is ours."""
    mine = Answer.objects.filter(pk=answer.pk, claim=answer.claim, state=State.RUNNING)
    beat, name = lambda: mine.update(heartbeat=Now()), f"heartbeat-{answer.pk}"
    with beating(beat, seconds=BEAT_SECONDS, name=name):
        yield
