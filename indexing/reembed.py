"""Vectors that are behind are made in the background, while the old ones serve.

Behind is a repository whose texts do not all have a vector of the configured model: because
the model was changed, or because a provider failed. Nothing here needs a queue of its own: the
schedule looks every minute, one worker at a time works for TURN_SECONDS, and the rows say how
far it is.
"""

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import F, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone
from django_q.tasks import async_task

from indexing import vectors
from indexing.embed import Sender, count_set, embed_missing, embedding_model
from indexing.local_model import ModelUnavailable
from indexing.models import IndexRun
from indexing.progress import Progress
from indexing.vector_models import Embedding, EmbedRefusal, VectorSet
from outbound.failures import ModelFailed, OverBudget, Stopped
from repos.models import Repository, Snapshot

TURN_SECONDS = 300.0  # then the worker is free for other jobs, until the next minute
TRY_AGAIN_AFTER = timedelta(minutes=10)
INDEX_JOB = "indexing.jobs.index_vectors"

# Locks of the database go with the connection: a worker that dies holds none.
LOCK_SPACE = 4_100
EVERYTHING = 0
TRY_LOCK = "/* vectors_lock */ SELECT pg_try_advisory_lock(%(space)s, %(number)s)"
UNLOCK = "/* vectors_unlock */ SELECT pg_advisory_unlock(%(space)s, %(number)s)"


class TurnOver(Stopped):
    """The time of this turn is up; the next one goes on."""


class Turn:
    """Work in the background until a moment; the sink of embed_missing."""

    def __init__(self, seconds: float) -> None:
        self._until = time.monotonic() + seconds

    def writing(self) -> AbstractContextManager[Any]:
        return transaction.atomic()

    def add(self, _count: int) -> None:
        if time.monotonic() > self._until:
            raise TurnOver

    def pause(self, seconds: float) -> None:
        if time.monotonic() + seconds > self._until:
            raise TurnOver
        time.sleep(seconds)


@contextmanager
def locked(number: int) -> Iterator[bool]:
    """Whether this connection has the vectors of a repository (or EVERYTHING) to itself."""
    parameters = {"space": LOCK_SPACE, "number": number}
    with connection.cursor() as cursor:
        cursor.execute(TRY_LOCK, parameters)
        mine = bool(cursor.fetchone()[0])
    try:
        yield mine
    finally:
        if mine:
            with connection.cursor() as cursor:
                cursor.execute(UNLOCK, parameters)


def behind(model: str) -> QuerySet[Repository]:
    """Published repositories without a complete set of the model's vectors that serves, but for
    those that a run works on, or that are to be left alone for a while."""
    mine = VectorSet.objects.filter(repository=OuterRef("pk"), model=model)
    active = IndexRun.objects.filter(state__in=IndexRun.ACTIVE).values("repository")
    ready = VectorSet.objects.filter(
        model=model, serving=True, texts__lte=F("embedded") + F("refused")
    )
    empty = VectorSet.objects.filter(model=model, texts=0)
    return (
        Repository.objects.filter(published_snapshot__isnull=False)
        .exclude(pk__in=active)
        .exclude(pk__in=ready.values("repository"))
        .exclude(pk__in=empty.values("repository"))
        .annotate(again=Subquery(mine.values("try_again")[:1]))
        .filter(Q(again__isnull=True) | Q(again__lte=timezone.now()))
        .order_by("pk")
    )


def catch_up(seconds: float = TURN_SECONDS) -> int:
    """Work on what is behind for so long; how many repositories were finished."""
    model, finished = embedding_model(), 0
    if not model:
        return 0
    with locked(EVERYTHING) as mine:
        if not mine:
            return 0
        turn = Turn(seconds)
        try:
            for repository in behind(model):
                finished += _catch_up_one(repository, turn)
                turn.add(0)
        except TurnOver:
            pass  # what is done is kept
    return finished


def _catch_up_one(repository: Repository, turn: Turn) -> bool:
    with locked(repository.pk) as mine:
        if not mine:
            return False
        try:
            sender = sender_of(repository, subject=f"reembed:{repository.slug}")
            return _worked_off(sender, turn)
        except (Repository.DoesNotExist, Snapshot.DoesNotExist, VectorSet.DoesNotExist):
            return False  # the repository was removed meanwhile


def _worked_off(sender: Sender, turn: Turn) -> bool:
    count_set(sender, embedding_model())
    try:
        embed_missing(sender, turn)
    except (ModelFailed, ModelUnavailable) as failure:
        note_problem(sender, failure)
        return False
    settle(sender)
    return True


def sender_of(repository: Repository, *, subject: str) -> Sender:
    number = repository.published_snapshot or 0
    snapshot = Snapshot.objects.get(repository=repository, number=number)
    return Sender(repository.pk, repository.slug, number, snapshot.commit, None, subject)


def embed_in_run(sender: Sender, progress: Progress) -> None:
    """The stage of a run: waits while the background works on the same repository."""
    while True:
        with locked(sender.repository_id) as mine:
            if mine:
                embed_missing(sender, progress)
                settle(sender)
                return
        progress.pause(1.0)


def note_problem(sender: Sender, failure: Exception) -> None:
    again = timezone.now() + TRY_AGAIN_AFTER
    if isinstance(failure, OverBudget):
        tomorrow = timezone.now() + timedelta(days=1)
        again = tomorrow.replace(hour=0, minute=0, second=0, microsecond=0)
    VectorSet.objects.filter(repository_id=sender.repository_id, model=embedding_model()).update(
        problem=str(failure), try_again=again
    )


def settle(sender: Sender) -> None:
    """At the end: count again, let the best set serve, and throw away what it replaces."""
    model = embedding_model()
    row = count_set(sender, model)
    VectorSet.objects.filter(pk=row.pk).update(problem="", try_again=None)
    serving = vectors.choose_serving(sender.repository_id, model)
    if row.is_complete and serving in {model, ""}:
        _forget_others(sender.repository_id, model)
    if vectors.lacks_index(model):
        async_task(INDEX_JOB, model)


def _forget_others(repository_id: int, model: str) -> None:
    mine = {"repository_id": repository_id}
    others = VectorSet.objects.filter(**mine).exclude(model=model)
    replaced = list(others.values_list("model", flat=True))
    if not replaced:
        return
    with transaction.atomic():
        Embedding.objects.filter(**mine, model__in=replaced).delete()
        EmbedRefusal.objects.filter(**mine, model__in=replaced).delete()
        others.delete()
    for gone in replaced:
        if not VectorSet.objects.filter(model=gone).exists():
            async_task(INDEX_JOB, gone)


def ask_again(repositories: QuerySet[Repository]) -> None:
    """Give what was refused, or failed, another try."""
    model = embedding_model()
    EmbedRefusal.objects.filter(repository__in=repositories, model=model).delete()
    VectorSet.objects.filter(repository__in=repositories, model=model).update(
        refused=0, problem="", try_again=None
    )
