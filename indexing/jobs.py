"""Jobs of the indexing app; started by name, given ids, safe to run twice or to be killed."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError
from django.utils.translation import gettext as _
from django_q.tasks import async_task

from indexing import reembed, retention, runs, vectors
from indexing.faults import place_of
from indexing.models import IndexRun
from indexing.pipeline import run_stages
from indexing.progress import ClaimLost, Progress, RunCancelled
from repos.fetching import FetchFailed
from repos.folders import FolderRefused
from repos.git import GitError
from repos.importing import forget_archive
from repos.models import Repository

PRUNE = "indexing.jobs.prune_snapshots"
logger = logging.getLogger(__name__)


class RunFailed(Exception):
    """A fault of ours ended the run; the message names no more than its type and place."""


def index_repository(run_id: int) -> None:
    """Carry a run on from where its rows say it stands; quietly nothing if it is not ours."""
    run = runs.claim(run_id)
    if run is None:
        return
    with runs.heartbeat(run), _outcome(run):
        progress = Progress(run)
        if run_stages(run, progress):
            runs.finish(run, runs.State.DONE)
            if retention.has_old_snapshots(run.repository):
                async_task(PRUNE, run.repository_id, task_name=f"prune-{run.pk}")
        elif not runs.wait_for_confirmation(run):
            progress.check()  # raises what has come between


def retake_dead_runs() -> None:
    """Scheduled every minute: runs whose worker died go back to the queue."""
    for run in runs.dead_runs():
        runs.enqueue(run)


def catch_up_vectors() -> None:
    """Scheduled every minute: what has no vector of the configured model gets one."""
    reembed.catch_up()


def index_vectors(model: str) -> None:
    """After many new vectors: search by them must not read each."""
    vectors.ensure_index(model)


def prune_snapshots(repository_id: int) -> None:
    """Take away what only snapshots show that are no longer kept."""
    for repository in Repository.objects.filter(pk=repository_id):
        gone = retention.prune(repository)
        logger.info("repository %s: %s snapshots pruned", repository_id, gone)


@contextmanager
def _outcome(run: IndexRun) -> Iterator[None]:
    """Whatever happens ends as a state of the run, except a dead database: then the claim
    goes stale and another worker takes over."""
    try:
        yield
    except ClaimLost:
        logger.info("run %s: another worker has it", run.pk)
    except RunCancelled:
        runs.cancel(run)
        runs.forget_unpublished(run)
    except (FetchFailed, GitError) as error:
        _source_failed(run, error.code, str(error))
    except FolderRefused as error:
        _source_failed(run, "refused", str(error))
    except (OperationalError, InterfaceError):
        raise
    except (KeyboardInterrupt, SystemExit):
        runs.give_back(run)
        raise
    except BaseException as error:
        # Type and place alone: a message may quote what has not been scrubbed.
        name, where = type(error).__name__, place_of(error)
        logger.error("run %s failed: %s at %s", run.pk, name, where)
        runs.fail(run, "internal", _("Something went wrong inside Footnote (%s).") % name)
        runs.forget_unpublished(run)
        raise RunFailed(f"{name} at {where}") from None


def _source_failed(run: IndexRun, code: str, message: str) -> None:
    if code == "cancelled":
        runs.cancel(run)
    elif code == "empty":
        # Not a fault: a repository without commits waits for its first push.
        runs.fail(run, "empty", message, state=runs.State.DONE)
    elif runs.fail(run, code, message) and run.repository.source == Repository.Source.ARCHIVE:
        forget_archive(run.repository)  # refused: it must be uploaded again
    runs.forget_unpublished(run)
