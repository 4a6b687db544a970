"""Repositories for an evaluation: a commit of a git repository on this disk, indexed here."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import transaction
from django.db.models import F

from indexing import pipeline, postings, runs
from indexing.models import IndexRun
from indexing.progress import Progress
from indexing.runs import RunRefused
from indexing.undo import undo_snapshot
from repos import gitread, places
from repos.gitprocess import GitError
from repos.models import Repository, Snapshot


class SourceMissing(Exception):
    """A repository of the questions cannot be indexed; the message says which and why."""


def indexed_at(name: str, commit: str) -> Repository | None:
    """A repository whose published snapshot is this commit of `owner/name`."""
    return Repository.objects.filter(
        name=name,
        snapshots__number=F("published_snapshot"),
        snapshots__commit=commit,
        snapshots__state=Snapshot.State.PUBLISHED,
    ).first()


def prepare(name: str, commit: str, sources: Path) -> Repository:
    """The repository at this commit; indexed in this process where it is not yet."""
    found = indexed_at(name, commit)
    if found is not None:
        return found
    objects = _objects_of(sources / name)
    repository = _create(name, commit)
    try:
        _borrow(repository, objects, commit)
        _index(repository, commit)
    except (GitError, RunRefused) as error:
        raise SourceMissing(f"{name} at {commit[:8]}: {error}") from error
    repository.refresh_from_db()
    return repository


def _objects_of(folder: Path) -> Path:
    """The object store of a bare repository or of a checkout."""
    for objects in (folder / ".git" / "objects", folder / "objects"):
        if objects.is_dir():
            return objects.resolve()
    raise SourceMissing(f"{folder} is no git repository.")


def _create(name: str, commit: str) -> Repository:
    """Seen by administrators alone; a half-indexed one of an earlier attempt is taken up."""
    slug = f"{name.rpartition('/')[2]}-{commit[:8]}"
    repository, _ = Repository.objects.get_or_create(
        slug=slug,
        defaults={
            "name": name,
            "source": Repository.Source.GIT,
            "address": f"https://github.com/{name}",
            "provider": "github",
            "everyone": False,
        },
    )
    return repository


def _borrow(repository: Repository, objects: Path, commit: str) -> None:
    """A bare repository of ours that reads the objects where they are; nothing is copied."""
    git_dir = places.git_dir_of(repository)
    shutil.rmtree(git_dir, ignore_errors=True)
    git_dir.parent.mkdir(parents=True, exist_ok=True)
    gitread.init_bare(git_dir)
    (git_dir / "objects" / "info" / "alternates").write_text(f"{objects}\n")
    gitread.list_tree(git_dir, commit)  # says so at once where the commit is not there


def _index(repository: Repository, commit: str) -> None:
    """The stages of a run but for the fetch; claimed with its start, so that no worker has it."""
    with transaction.atomic():
        run = runs.claim(runs.start_run(repository).pk)
    if run is None:
        raise RunRefused(f"The run of {repository.slug} was taken by a worker.")
    Snapshot.objects.filter(repository=repository, number=run.snapshot).update(commit=commit)
    snapshot = Snapshot.objects.select_related("repository").get(
        repository=repository, number=run.snapshot
    )
    with runs.heartbeat(run), _undone_if_broken(run, snapshot):
        _stages(run, snapshot)
    runs.finish(run, IndexRun.State.DONE)


@contextmanager
def _undone_if_broken(run: IndexRun, snapshot: Snapshot) -> Iterator[None]:
    """A run that does not get through leaves nothing in the way of the next evaluation."""
    done = False
    try:
        yield
        done = True
    finally:
        snapshot.refresh_from_db()
        if not done and snapshot.state != Snapshot.State.PUBLISHED:
            undo_snapshot(snapshot)
        if not done:
            runs.fail(run, "evaluation", "The evaluation was stopped.")


def _stages(run: IndexRun, snapshot: Snapshot) -> None:
    progress = Progress(run)
    pipeline.walk_files(run, snapshot, progress)
    with pipeline.derive_pool(run.repository) as pool:
        pipeline.derive_files(run, snapshot, progress, pool)
    pipeline.resolve(snapshot, progress)
    pipeline.publish_snapshot(run, snapshot, progress)
    postings.write_postings(snapshot.repository_id, progress)
    pipeline.enter_trigrams(snapshot, progress)
    pipeline.embed(run, snapshot, progress)
