"""Jobs of the indexing app; started by name, given ids, safe to run twice or to be killed."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _

from indexing import runs
from indexing.models import IndexRun
from indexing.pipeline import run_stages
from indexing.progress import ClaimLost, Progress, RunCancelled
from indexing.undo import undo_snapshot
from repos.fetching import FetchFailed
from repos.models import Snapshot

logger = logging.getLogger(__name__)


def index_repository(run_id: int) -> None:
    """Carry a run on from where its rows say it stands; quietly nothing if it is not ours."""
    run = runs.claim(run_id)
    if run is None:
        return
    with runs.heartbeat(run), _outcome(run):
        if run_stages(run, Progress(run)):
            runs.finish(run, runs.State.DONE)
        else:
            runs.wait_for_confirmation(run)


def cancel_run(run_id: int) -> None:
    """End a run that was cancelled before a worker had it."""
    run = IndexRun.objects.filter(pk=run_id, cancel_requested=True).first()
    if run is not None and run.is_active:
        _cancel(run)


def retake_dead_runs() -> None:
    """Scheduled every minute: runs whose worker died go back to the queue."""
    for run in runs.dead_runs():
        runs.enqueue(run)


@contextmanager
def _outcome(run: IndexRun) -> Iterator[None]:
    """Whatever happens ends as a state of the run, except a dead database: then the claim
    goes stale and another worker takes over."""
    try:
        yield
    except ClaimLost:
        logger.info("run %s: another worker has it", run.pk)
    except RunCancelled:
        _cancel(run)
    except FetchFailed as error:
        _fetch_failed(run, error)
    except (OperationalError, InterfaceError):
        raise
    except BaseException as error:
        # The type alone: a message may quote what has not been scrubbed.
        name = type(error).__name__
        logger.error("run %s failed: %s", run.pk, name, exc_info=error)
        runs.fail(run, "internal", _("Something went wrong inside Footnote (%s).") % name)
        _undo(run)
        raise


def _fetch_failed(run: IndexRun, error: FetchFailed) -> None:
    if error.code == "cancelled":
        _cancel(run)
    elif error.code == "empty":
        # Not a fault: a repository without commits waits for its first push.
        runs.fail(run, "empty", str(error), state=runs.State.DONE)
    else:
        runs.fail(run, error.code, str(error))
        _undo(run)


def _cancel(run: IndexRun) -> None:
    if run.searchable is None:
        _undo(run)
    runs.fail(run, "cancelled", _("Cancelled."), state=runs.State.CANCELLED)


def _undo(run: IndexRun) -> None:
    undo_snapshot(Snapshot.objects.get(repository_id=run.repository_id, number=run.snapshot))
