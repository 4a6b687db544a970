"""Workers, people and a failing server at the same time: real connections, real threads."""

import threading
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection, connections
from django.utils import timezone

from indexing import progress, runs, store
from indexing.jobs import index_repository
from indexing.models import IndexRun
from indexing.runs import RunRefused, start_run
from repos.models import Repository, Snapshot
from tests import factories
from tests.indexing.interfering import after_calling

pytestmark = pytest.mark.django_db(transaction=True)
FILES = {"a.py": "import b\n\n\ndef old():\n    return 1\n", "b.py": "x = 1\n", "c.md": "# C\n"}


@pytest.fixture
def lib(tmp_path: Path, here) -> Repository:
    folder = factories.write_files(tmp_path / "lib", FILES)
    repository = factories.repository_for(None, address=str(folder))
    factories.index(repository)
    factories.write_files(folder, {"a.py": "import d\n", "d.py": "y = 2\n"})
    return repository


def claimed(run: IndexRun) -> IndexRun:
    ours = runs.claim(run.pk)
    assert ours is not None
    return ours


@pytest.mark.parametrize("name", ["write_derived", "_content"])  # after and during a COPY
def test_a_dead_connection_leaves_the_run_to_the_next_worker(lib, monkeypatch, name):
    run = start_run(lib)
    with monkeypatch.context() as patched:
        after_calling(patched, store, name, cut_connection)
        with pytest.raises(OperationalError):
            index_repository(run.pk)
    connection.close()
    IndexRun.objects.update(heartbeat=timezone.now() - timedelta(hours=1))
    index_repository(run.pk)
    run.refresh_from_db()
    assert (run.state, run.attempt) == ("done", 2)


def cut_connection() -> None:
    """What a restart of the server does to a worker."""
    pid = connection.connection.info.backend_pid
    other = connections.create_connection("default")
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [pid])
    other.close()


def test_the_heart_beats_on_after_a_cut_connection(lib, settings):
    settings.RUN_HEARTBEAT_SECONDS = 0.05
    run = claimed(start_run(lib))
    beats: list[Any] = []
    with runs.heartbeat(run):
        while len(beats) < 4:
            (moment,) = IndexRun.objects.filter(pk=run.pk).values_list("heartbeat", flat=True)
            if moment not in beats:
                beats.append(moment)
                cut_heartbeat()
    assert beats == sorted(beats)


def cut_heartbeat() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            " AND query LIKE '%heartbeat%'"
        )


def in_threads(count: int, action) -> list[Any]:
    """The results of doing it in so many threads at once, each with its own connection."""
    barrier, results = threading.Barrier(count), []

    def one() -> None:
        barrier.wait()
        try:
            results.append(action())
        finally:
            connections.close_all()

    threads = [threading.Thread(target=one) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def test_of_many_workers_one_wins_the_claim(lib):
    run = start_run(lib)
    won = [one for one in in_threads(8, lambda: runs.claim(run.pk)) if one is not None]
    assert len(won) == 1
    run.refresh_from_db()
    assert (run.claim, run.attempt) == (won[0].claim, 1)


def test_of_many_who_retake_a_dead_run_one_wins(lib):
    run = start_run(lib)
    runs.claim(run.pk)
    IndexRun.objects.update(heartbeat=timezone.now() - timedelta(hours=1))
    won = [one for one in in_threads(8, lambda: runs.claim(run.pk)) if one is not None]
    assert len(won) == 1


def test_of_many_starts_one_run_comes(lib):
    def start() -> str:
        try:
            return f"run {start_run(lib).number}"
        except RunRefused:
            return "refused"

    assert sorted(in_threads(6, start)) == ["refused"] * 5 + ["run 2"]


def test_a_claim_cannot_be_won_while_its_holder_commits(lib):
    """The lock at the end of `writing` makes the next worker see all or nothing."""
    run = claimed(start_run(lib))
    IndexRun.objects.update(heartbeat=timezone.now() - timedelta(hours=1))
    locked, seen = threading.Event(), []

    def rob() -> None:
        locked.wait()
        runs.claim(run.pk)
        seen.append(Snapshot.objects.get(repository=lib, number=2).ref)
        connections.close_all()

    robber = threading.Thread(target=rob)
    robber.start()
    with progress.Progress(run).writing():
        Snapshot.objects.filter(repository=lib, number=2).update(ref="written")
        IndexRun.objects.select_for_update().get(pk=run.pk)
        locked.set()
        robber.join(0.3)
    robber.join()
    assert seen == ["written"]
