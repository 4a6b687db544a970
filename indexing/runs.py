"""The life of an index run: started, claimed by one worker, confirmed, cancelled, retaken.

A claim is a conditional update with a heartbeat. A worker that dies leaves a claim whose
heartbeat stops; after RUN_DEAD_AFTER_SECONDS another worker may take the run over and goes
on where the rows say it stood.
"""

import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Max, Q
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _
from django_q.tasks import async_task

from accounts.models import User
from indexing.models import IndexRun, RunFailure, RunStage
from repos.models import Repository, Snapshot

CHANNEL = "footnote_run"
JOB = "indexing.jobs.index_repository"
State = IndexRun.State
Stage = IndexRun.Stage


class RunRefused(Exception):
    """The run was not started; the message says why."""


def start_run(
    repository: Repository, *, person: User | None = None, preview: bool = False, full: bool = False
) -> IndexRun:
    """A queued run for the next snapshot. Raises RunRefused while another one is active.

    A run that only fills in vectors is ended: the new one goes on with them.
    """
    with transaction.atomic():
        locked = Repository.objects.select_for_update().get(pk=repository.pk)
        active = locked.runs.filter(state__in=IndexRun.ACTIVE).first()
        if active is not None and active.stage == Stage.EMBED and active.searchable:
            finish(active, State.DONE)
        elif active is not None:
            message = _("Run %(number)d of this repository is still going on.")
            raise RunRefused(message % {"number": active.number})
        run = IndexRun.objects.create(
            repository=locked,
            number=_next(locked.runs.aggregate(last=Max("number"))["last"]),
            snapshot=_next(locked.snapshots.aggregate(last=Max("number"))["last"]),
            preview=preview,
            full=full,
            started_by=person,
        )
        Snapshot.objects.create(repository=locked, number=run.snapshot)
        enqueue(run)
    return run


def _next(last: int | None) -> int:
    return (last or 0) + 1


def enqueue(run: IndexRun) -> None:
    """Hand the run to a worker; in the caller's transaction, with which it commits or not."""
    async_task(JOB, run.pk, task_name=f"run-{run.pk}-{run.attempt}")
    notify(run.pk)


def notify(run_id: int) -> None:
    """Tell the pages that follow this run to look at its rows (at commit)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(run_id)])


def claim(run_id: int) -> IndexRun | None:
    """The run, if it is ours now; None if it is gone, finished, or somebody else's."""
    token, now = uuid.uuid4(), timezone.now()
    dead = now - timedelta(seconds=settings.RUN_DEAD_AFTER_SECONDS)
    free = Q(state=State.QUEUED) | Q(state=State.RUNNING, heartbeat__lt=dead)
    taken = IndexRun.objects.filter(free, pk=run_id).update(
        state=State.RUNNING,
        claim=token,
        heartbeat=now,
        attempt=F("attempt") + 1,
        started=Coalesce("started", now),
    )
    if not taken:
        return None
    run = IndexRun.objects.select_related("repository").get(pk=run_id)
    if run.attempt > settings.RUN_ATTEMPTS:
        fail(run, "attempts", _("Given up after %d attempts.") % settings.RUN_ATTEMPTS)
        return None
    notify(run_id)
    return run


def dead_runs() -> list[IndexRun]:
    """Runs that say they are running but whose worker has stopped giving signs of life."""
    dead = timezone.now() - timedelta(seconds=settings.RUN_DEAD_AFTER_SECONDS)
    return list(IndexRun.objects.filter(state=State.RUNNING, heartbeat__lt=dead))


@contextmanager
def heartbeat(run: IndexRun) -> Iterator[None]:
    """Give signs of life from a thread with its own connection while the block runs."""
    stop = threading.Event()

    def beat() -> None:
        try:
            while not stop.wait(settings.RUN_HEARTBEAT_SECONDS):
                mine = IndexRun.objects.filter(pk=run.pk, claim=run.claim, state=State.RUNNING)
                if not mine.update(heartbeat=timezone.now()):
                    return
        finally:
            connection.close()

    thread = threading.Thread(target=beat, name=f"heartbeat-{run.pk}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def finish(run: IndexRun, state: str) -> None:
    IndexRun.objects.filter(pk=run.pk).update(state=state, finished=timezone.now(), claim=None)
    RunStage.objects.filter(run=run, finished__isnull=True).update(finished=timezone.now())
    notify(run.pk)


def fail(run: IndexRun, code: str, message: str, *, state: str = State.FAILED) -> None:
    """End the run with a reason for people; the published snapshot stays as it is."""
    with transaction.atomic():
        IndexRun.objects.filter(pk=run.pk).update(error_code=code, error=message)
        draft = Snapshot.objects.filter(
            repository_id=run.repository_id, number=run.snapshot, state=Snapshot.State.DRAFT
        )
        cancelled = state == State.CANCELLED
        draft.update(state=Snapshot.State.CANCELLED if cancelled else Snapshot.State.FAILED)
        finish(run, state)


def wait_for_confirmation(run: IndexRun) -> None:
    IndexRun.objects.filter(pk=run.pk, claim=run.claim).update(state=State.PREVIEW, claim=None)
    notify(run.pk)


def confirm(run: IndexRun, excludes: str) -> bool:
    """Go on after the preview; False where the run no longer waits for that."""
    with transaction.atomic():
        waiting = IndexRun.objects.filter(pk=run.pk, state=State.PREVIEW)
        if not waiting.update(state=State.QUEUED, preview=False):
            return False
        if excludes != run.repository.excludes:
            Repository.objects.filter(pk=run.repository_id).update(excludes=excludes)
            # What the preview walked is no longer what goes in: walk again.
            RunStage.objects.filter(run=run, stage=Stage.WALK).delete()
            RunFailure.objects.filter(run=run).delete()
            IndexRun.objects.filter(pk=run.pk).update(stage=Stage.WALK)
        enqueue(run)
    return True


def request_cancel(run: IndexRun) -> None:
    """Stop a run as soon as its worker looks; one that waits ends at once."""
    waiting = IndexRun.objects.filter(pk=run.pk, state__in=[State.QUEUED, State.PREVIEW])
    if waiting.update(cancel_requested=True, state=State.RUNNING, heartbeat=None):
        async_task("indexing.jobs.cancel_run", run.pk)
    else:
        IndexRun.objects.filter(pk=run.pk, state=State.RUNNING).update(cancel_requested=True)
    notify(run.pk)
