"""manage.py import_repository SOURCE: the import as one command."""

import json
import sys
import threading
import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from accounts.models import User
from indexing.following import follow
from indexing.jobs import index_repository
from indexing.models import IndexRun
from indexing.progress import run_state
from indexing.runs import RunRefused, start_run, unclaimed
from indexing.secret_names import kinds_in
from repos.importing import (
    ImportRefused,
    Understood,
    create_repository,
    find_imported,
    understand,
)
from repos.models import Repository
from repos.removal import remove

WORKER_SECONDS = 3  # how long a queued run waits for a worker before this process takes it


class Command(BaseCommand):
    help = "Import a git address, a folder or an archive, or bring an imported one up to date."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", help="https address, folder, or .zip/.tar.gz file")
        parser.add_argument("--name", default="", help="name to show; default: from the source")
        parser.add_argument("--ref", default="", help="branch or tag; default: the default branch")
        parser.add_argument(
            "--wait", action="store_true", help="show progress and return when it is searchable"
        )
        parser.add_argument(
            "--embed", action="store_true", help="with --wait: wait for vectors too"
        )
        parser.add_argument("--json", action="store_true", help="print the final state as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            repository = _repository(options["source"], options["name"], options["ref"])
            # One that was interrupted, and that no worker has taken up, is gone on with.
            waiting = unclaimed(repository) if options["wait"] else None
            run = waiting or start_run(repository)
        except (ImportRefused, RunRefused) as error:
            raise CommandError(str(error)) from error
        except OSError as error:
            raise CommandError(f"{options['source']}: {error.strerror}") from error
        if options["wait"]:
            _wait(run, sys.stderr, embed=options["embed"])
        state: dict[str, Any] = {"repository": repository.slug, "run": run_state(run)}
        self.stdout.write(json.dumps(state) if options["json"] else _sentence(repository, run))
        if state["run"]["state"] in {"failed", "cancelled"}:
            _forget_refused(repository)
            raise CommandError(state["run"]["error"])


def _repository(source: str, name: str, ref: str) -> Repository:
    """The repository of this source: the imported one if there is one, else a new one."""
    if Path(source).exists():  # `.` and `code.zip` are paths here, whatever they look like
        source = str(Path(source).absolute())
    if kinds := {kind for text in (source, name, ref) for kind in kinds_in(text)}:
        raise ImportRefused(f"A name holds a credential ({', '.join(sorted(kinds))}).")
    understood = understand(source)
    same = find_imported(understood, Repository.objects.all(), ref=ref)
    if same is not None:
        return same
    owner = User.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
    if understood.source != Repository.Source.ARCHIVE:
        return create_repository(understood, owner=owner, name=name, ref=ref)
    return _from_archive(understood, source, owner, name)


def _from_archive(understood: Understood, source: str, owner: User | None, name: str) -> Repository:
    with Path(source).expanduser().open("rb") as archive:
        return create_repository(understood, owner=owner, name=name, archive=archive)


def _forget_refused(repository: Repository) -> None:
    """An archive that was refused leaves no half-imported repository behind."""
    repository.refresh_from_db()
    if repository.source == Repository.Source.ARCHIVE and repository.published_snapshot is None:
        remove(repository)


def _wait(run: IndexRun, out: TextIO, *, embed: bool) -> None:
    """Follow the run until it is searchable; where no worker takes it, do its work here.

    Nobody else would fill in the vectors then, so that is waited for too.
    """
    deadline = time.monotonic() + WORKER_SECONDS
    worker: threading.Thread | None = None
    told = ""
    for state in follow(run):
        told = _tell(state, out, told)
        if state["searchable"] and not embed and worker is None:
            break
        if worker is None and time.monotonic() > deadline and _is_free(run):
            out.write("No worker is running: the work is done here.\n")
            worker = threading.Thread(target=_work, args=[run.pk], daemon=True)
            worker.start()
    if worker is not None:
        worker.join()
    out.write("\n" if out.isatty() else "")


def _is_free(run: IndexRun) -> bool:
    return unclaimed(run.repository) == run


def _work(run_id: int) -> None:
    try:
        index_repository(run_id)
    finally:
        connection.close()


def _tell(state: dict[str, Any], out: TextIO, told: str) -> str:
    """A terminal is kept up to date; a file gets a line when a stage begins or the run ends."""
    if out.isatty():
        out.write(_line(state, end="\r"))
    else:
        news = f"{state['state']} {[stage['stage'] for stage in state['stages']]}"
        if news != told:
            out.write(_line(state, end="\n"))
        told = news
    out.flush()
    return told


def _line(state: dict[str, Any], end: str) -> str:
    parts = []
    for stage in state["stages"]:
        counts = f"{stage['done']:,}/{stage['total']:,} {stage['unit']}" if stage["total"] else ""
        parts.append(" ".join(p for p in (stage["stage"], counts, f"{stage['seconds']:.1f}s") if p))
    clear = "\x1b[2K" if end == "\r" else ""
    return f"{clear}{': '.join(p for p in (state['state'], ' | '.join(parts)) if p)}{end}"


def _sentence(repository: Repository, run: IndexRun) -> str:
    repository.refresh_from_db()
    snapshot = repository.snapshots.filter(number=repository.published_snapshot or 0).first()
    if snapshot is None:
        return f"{repository.slug}: run {run.number} {run_state(run)['state_label']}."
    return (
        f"{repository.slug}: {snapshot.indexed_files:,} of {snapshot.files:,} files searchable, "
        f"{snapshot.lines:,} lines, {snapshot.symbols:,} symbols, at {snapshot.commit[:8]}."
    )
