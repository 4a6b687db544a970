"""The life of an index run: started, claimed by one worker, confirmed, cancelled, retaken.

A claim is a conditional update with a heartbeat. A worker that dies leaves a claim whose
heartbeat stops; after RUN_DEAD_AFTER_SECONDS another worker may take the run over and goes
on where the rows say it stood.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, Max, Q
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce, Now
from django.utils import timezone
from django.utils.translation import gettext as _
from django_q.tasks import async_task

from accounts.models import User
from indexing.heartbeats import beating
from indexing.models import IndexRun, RunFailure, RunStage
from indexing.undo import undo_snapshot
from repos.fetching import forget_trees
from repos.models import Repository, Snapshot

CHANNEL = "footnote_run"
JOB = "indexing.jobs.index_repository"
# A worker that is killed between taking the job and claiming the run loses the job, not the run.
QUEUED_LOST_AFTER = timedelta(minutes=5)
State = IndexRun.State
Stage = IndexRun.Stage


class RunRefused(Exception):
    """The run was not started; the message says why."""


def start_run(
    repository: Repository, *, person: User | None = None, preview: bool = False, full: bool = False
) -> IndexRun:
    """A queued run for the next snapshot. Raises RunRefused while another one is active.

    A run that only fills in trigrams and vectors is ended: the new one goes on with them.
    """
    with transaction.atomic():
        locked = Repository.objects.select_for_update().get(pk=repository.pk)
        active = locked.runs.select_for_update().filter(state__in=IndexRun.ACTIVE).first()
        if active is not None and active.stage in IndexRun.AFTERWARDS and active.searchable:
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
    IndexRun.objects.filter(pk=run.pk, state=State.QUEUED).update(heartbeat=Now())
    async_task(JOB, run.pk, task_name=f"run-{run.pk}-{run.attempt}")
    notify(run.pk)


def notify(run_id: int) -> None:
    """Tell the pages that follow this run to look at its rows (at commit)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, str(run_id)])


def claim(run_id: int) -> IndexRun | None:
    """The run, if it is ours now; None if it is gone, finished, or somebody else's."""
    token = uuid.uuid4()
    free = Q(state=State.QUEUED) | Q(state=State.RUNNING, heartbeat__lt=_dead())
    taken = IndexRun.objects.filter(free, pk=run_id).update(
        state=State.RUNNING,
        claim=token,
        heartbeat=Now(),
        attempt=F("attempt") + 1,
        started=Coalesce("started", Now()),
    )
    if not taken:
        return None
    run = IndexRun.objects.select_related("repository").get(pk=run_id)
    if run.attempt > settings.RUN_ATTEMPTS:
        message = _("Given up after %d attempts: each time the worker or the database died.")
        fail(run, "attempts", message % settings.RUN_ATTEMPTS)
        return None
    notify(run_id)
    return run


def dead_runs() -> list[IndexRun]:
    """Runs whose worker has stopped giving signs of life, or whose job has got lost."""
    lost = Q(state=State.QUEUED, heartbeat__lt=Now() - QUEUED_LOST_AFTER)
    return list(IndexRun.objects.filter(Q(state=State.RUNNING, heartbeat__lt=_dead()) | lost))


def unclaimed(repository: Repository) -> IndexRun | None:
    """A run of the repository that no living worker holds: queued, or left behind by one."""
    lost = Q(state=State.RUNNING, heartbeat__lt=_dead())
    return repository.runs.filter(Q(state=State.QUEUED) | lost, searchable=None).first()


def _dead() -> CombinedExpression:
    """By the clock of the database: those of several worker hosts may differ by more."""
    return Now() - timedelta(seconds=settings.RUN_DEAD_AFTER_SECONDS)


@contextmanager
def heartbeat(run: IndexRun) -> Iterator[None]:
    """Give signs of life while the block runs, as long as the run is ours."""
    mine = IndexRun.objects.filter(pk=run.pk, claim=run.claim, state=State.RUNNING)
    seconds = settings.RUN_HEARTBEAT_SECONDS
    with beating(lambda: mine.update(heartbeat=Now()), seconds=seconds, name=f"heartbeat-{run.pk}"):
        yield


def finish(run: IndexRun, state: str) -> bool:
    """End an active run; False, and nothing done, where somebody else holds it by now."""
    mine = IndexRun.objects.filter(pk=run.pk, claim=run.claim, state__in=IndexRun.ACTIVE)
    if not mine.update(state=state, finished=timezone.now(), claim=None):
        return False
    RunStage.objects.filter(run=run, finished__isnull=True).update(finished=timezone.now())
    notify(run.pk)
    return True


def fail(run: IndexRun, code: str, message: str, *, state: str = State.FAILED) -> bool:
    """End the run with a reason for people, and take back what it wrote, in one transaction.

    The published snapshot stays as it is. False, and nothing done, where it is no longer ours.
    """
    with transaction.atomic():
        if not finish(run, state):
            return False
        remark(run, code, message)
        snapshot = Snapshot.objects.get(repository_id=run.repository_id, number=run.snapshot)
        undo_snapshot(snapshot)
        cancelled = state == State.CANCELLED
        Snapshot.objects.filter(pk=snapshot.pk, state=Snapshot.State.DRAFT).update(
            state=Snapshot.State.CANCELLED if cancelled else Snapshot.State.FAILED
        )
    return True


def remark(run: IndexRun, code: str, message: str) -> None:
    """What people should know about a run, whether it failed or not."""
    IndexRun.objects.filter(pk=run.pk).update(error_code=code, error=message)


def cancel(run: IndexRun) -> None:
    fail(run, "cancelled", _("Cancelled."), state=State.CANCELLED)


def give_back(run: IndexRun) -> None:
    """Let another worker go on with the run: this one was told to stop."""
    mine = IndexRun.objects.filter(pk=run.pk, claim=run.claim, state=State.RUNNING)
    with transaction.atomic():
        # An attempt that was not let end is none: only those that died count.
        if mine.update(state=State.QUEUED, claim=None, attempt=F("attempt") - 1):
            enqueue(run)


def wait_for_confirmation(run: IndexRun) -> bool:
    """False, and nothing done, where the run is not ours or somebody has asked it to stop."""
    mine = IndexRun.objects.filter(pk=run.pk, claim=run.claim, state=State.RUNNING)
    if not mine.filter(cancel_requested=False).update(state=State.PREVIEW, claim=None):
        return False
    notify(run.pk)
    return True


def confirm(run: IndexRun, excludes: str) -> bool:
    """Go on after the preview; False where the run no longer waits for that."""
    with transaction.atomic():
        waiting = IndexRun.objects.filter(pk=run.pk, state=State.PREVIEW)
        if not waiting.update(state=State.QUEUED, preview=False, attempt=0):
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
    """Stop a run as soon as its worker looks; one that no living worker holds ends at once."""
    with transaction.atomic():
        current = IndexRun.objects.select_for_update().get(pk=run.pk)
        alive = IndexRun.objects.filter(pk=current.pk, heartbeat__gte=_dead()).exists()
        if current.state == State.RUNNING and alive:
            IndexRun.objects.filter(pk=run.pk).update(cancel_requested=True)
        elif current.is_active:
            cancel(current)
    forget_unpublished(run)
    notify(run.pk)


def forget_unpublished(run: IndexRun) -> None:
    """Nothing that was unpacked for a snapshot which was not published stays on disk."""
    # An active run is another worker's by now, which may be reading the tree.
    ended = IndexRun.objects.filter(pk=run.pk).exclude(state__in=IndexRun.ACTIVE)
    for one in ended.select_related("repository"):
        forget_trees(one.repository, but=one.repository.published_snapshot or 0)
