"""Claims, cancellation, attempts: what a run may and may not do when others interfere."""

import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone
from django_q.models import OrmQ

from indexing import pipeline, progress, publish, runs, store
from indexing.jobs import RunFailed, index_repository, retake_dead_runs
from indexing.models import IndexRun
from indexing.runs import RunRefused, start_run
from repos.git import GitError
from repos.importing import create_repository, understand_archive
from repos.models import Repository, Snapshot
from repos.places import tree_of
from tests import factories
from tests.indexing.interfering import (
    after_calling,
    all_rows,
    ask_to_cancel,
    before_calling,
    steal,
)
from tests.rows import snapshot_rows

FILES = {"a.py": "import b\n\n\ndef old():\n    return 1\n", "b.py": "x = 1\n", "c.md": "# C\n"}
STAGES = ("fetch_source", "walk_files", "derive_files", "resolve", "publish_snapshot")


@pytest.fixture
def lib(tmp_path: Path, owner, here) -> Repository:
    """Indexed once; then every file changes, one goes and one comes."""
    folder = factories.write_files(tmp_path / "lib", FILES)
    repository = factories.repository_for(owner, address=str(folder))
    factories.index(repository)
    (folder / "b.py").unlink()
    factories.write_files(folder, {"a.py": "import d\n", "d.py": "y = 2\n", "c.md": "# D\n"})
    return repository


@pytest.mark.parametrize("stage", STAGES)
def test_a_run_cancelled_at_a_stage_leaves_the_rows_as_before(lib, monkeypatch, stage):
    before = all_rows()
    before_calling(monkeypatch, pipeline, stage, ask_to_cancel)
    run = factories.index(lib)
    assert (run.state, run.error_code, lib.published_snapshot) == ("cancelled", "cancelled", 1)
    assert Snapshot.objects.get(repository=lib, number=2).state == "cancelled"
    assert all_rows() == before


@pytest.mark.parametrize(
    ("module", "name"),
    [(pipeline, "_read_text"), (store, "write_derived"), (publish, "count_totals")],
)
def test_a_run_cancelled_in_the_middle_leaves_the_rows_as_before(lib, monkeypatch, module, name):
    before = all_rows()
    monkeypatch.setattr(progress, "WRITE_EVERY_SECONDS", 0)
    after_calling(monkeypatch, module, name, ask_to_cancel)
    assert factories.index(lib).state == "cancelled"
    assert all_rows() == before


def test_after_a_cancelled_run_the_next_one_is_whole(lib, monkeypatch):
    with monkeypatch.context() as patched:
        before_calling(patched, pipeline, "resolve", ask_to_cancel)
        factories.index(lib)
    assert factories.index(lib).state == "done"
    other = Repository.objects.create(slug="fresh", source="folder", address=lib.address)
    factories.index(other)
    assert snapshot_rows(lib) == snapshot_rows(other)


@pytest.mark.parametrize("name", ["walk", "store_outcomes", "resolve", "publish_snapshot"])
def test_a_worker_that_lost_its_run_stops_without_writing(lib, monkeypatch, name):
    before_calling(monkeypatch, pipeline, name, steal)
    run = start_run(lib)
    index_repository(run.pk)
    run.refresh_from_db()
    lib.refresh_from_db()
    assert (run.state, run.claim, lib.published_snapshot) == ("running", uuid.UUID(int=7), 1)
    assert not lib.snapshots.get(number=2).published


def test_a_claim_lost_while_the_walk_is_written_takes_it_back(lib, monkeypatch):
    before = all_rows()
    after_calling(monkeypatch, pipeline, "write_difference", steal)
    index_repository(start_run(lib).pk)
    assert all_rows() == before


def test_a_claim_lost_while_a_batch_is_written_takes_it_back(lib, monkeypatch):
    after_calling(monkeypatch, store, "write_derived", steal)
    index_repository(start_run(lib).pk)
    written = [row for row in all_rows()["indexing_content"] if "import d" in str(row)]
    assert written == []


def test_a_worker_that_lost_its_run_cannot_end_it(lib, monkeypatch):
    before_calling(monkeypatch, runs, "finish", steal)
    run = start_run(lib)
    index_repository(run.pk)
    run.refresh_from_db()
    assert (run.state, run.finished) == ("running", None)


def test_a_fetch_stopped_because_the_claim_was_lost_cancels_nothing(lib, monkeypatch):
    def fetch(*_, **__):
        steal()
        raise GitError("cancelled", "stopped")

    monkeypatch.setattr(pipeline, "fetch", fetch)
    run = start_run(lib)
    index_repository(run.pk)
    run.refresh_from_db()
    assert run.state == "running"


def test_five_attempts_are_made(lib):
    before, run = all_rows(), start_run(lib)
    stale = timezone.now() - timedelta(hours=1)
    for _ in range(5):
        assert runs.claim(run.pk) is not None
        IndexRun.objects.filter(pk=run.pk).update(heartbeat=stale)
    assert runs.claim(run.pk) is None
    run.refresh_from_db()
    assert (run.state, run.error_code) == ("failed", "attempts")
    assert "5 attempts" in run.error
    assert all_rows() == before


def test_giving_up_takes_back_what_the_last_attempt_wrote(lib, monkeypatch):
    before, run = all_rows(), start_run(lib)
    before_calling(monkeypatch, pipeline, "resolve", steal)
    index_repository(run.pk)
    assert all_rows() != before
    IndexRun.objects.update(attempt=5, heartbeat=timezone.now() - timedelta(hours=1))
    index_repository(run.pk)
    assert all_rows() == before


def test_a_fault_of_ours_is_named_by_type_and_place_alone(lib, monkeypatch, caplog):
    def broken(*_):
        raise ValueError("what nobody has scrubbed")

    before = all_rows()
    monkeypatch.setattr(publish, "count_terms", broken)
    run = start_run(lib)
    with pytest.raises(RunFailed) as caught:
        index_repository(run.pk)
    run.refresh_from_db()
    assert (run.state, run.error) == (
        "failed", "Something went wrong inside Footnote (ValueError)."
    )  # fmt: skip
    assert "test_jobs.py" in caplog.text
    assert "scrubbed" not in f"{caplog.text}{caught.value}{run.error}"
    assert caught.value.__suppress_context__
    assert all_rows() == before


def test_a_worker_told_to_stop_gives_the_run_back(lib, monkeypatch):
    def stopped(*_):
        raise SystemExit

    run = start_run(lib)
    with monkeypatch.context() as patched:
        patched.setattr(publish, "count_terms", stopped)
        with pytest.raises(SystemExit):
            index_repository(run.pk)
    run.refresh_from_db()
    assert (run.state, run.claim, run.attempt) == ("queued", None, 0)
    index_repository(run.pk)
    run.refresh_from_db()
    assert (run.state, run.attempt) == ("done", 1)


def test_a_waiting_run_is_cancelled_at_once(lib):
    run = start_run(lib)
    runs.request_cancel(run)
    run.refresh_from_db()
    assert (run.state, run.snapshot) == ("cancelled", 2)
    assert start_run(lib).snapshot == 3


def test_a_run_without_a_living_worker_is_cancelled_at_once(lib):
    run = start_run(lib)
    runs.claim(run.pk)
    IndexRun.objects.update(heartbeat=timezone.now() - timedelta(hours=1))
    runs.request_cancel(run)
    run.refresh_from_db()
    assert run.state == "cancelled"


def test_a_run_of_a_living_worker_is_asked_to_stop(lib):
    run = start_run(lib)
    runs.claim(run.pk)
    runs.request_cancel(run)
    run.refresh_from_db()
    assert (run.state, run.cancel_requested) == ("running", True)


def test_a_preview_waits_and_leaves_readers_alone(lib):
    before = snapshot_rows(lib)
    run = factories.index(lib, preview=True)
    assert (run.state, lib.published_snapshot) == ("preview", 1)
    assert snapshot_rows(lib) == before


def test_a_cancelled_preview_leaves_the_rows_as_before(lib):
    before = all_rows()
    runs.request_cancel(factories.index(lib, preview=True))
    assert all_rows() == before
    assert lib.runs.order_by("number").last().state == "cancelled"


def test_a_cancelled_preview_leaves_nothing_unpacked(here, owner):
    archive = factories.zip_of(FILES)
    lib = create_repository(understand_archive("lib.zip"), owner=owner, archive=archive)
    run = factories.index(lib, preview=True)
    assert tree_of(lib, 1).is_dir()
    runs.request_cancel(run)
    assert not tree_of(lib, 1).exists()


def test_cancelling_as_the_preview_ends_is_heard(lib, monkeypatch):
    before = all_rows()
    before_calling(monkeypatch, runs, "wait_for_confirmation", ask_to_cancel)
    assert factories.index(lib, preview=True).state == "cancelled"
    assert all_rows() == before


def test_a_confirmed_preview_goes_on_with_the_excludes(lib):
    run = factories.index(lib, preview=True)
    assert runs.confirm(run, "c.md\n")
    index_repository(run.pk)
    lib.refresh_from_db()
    kinds = {row[0]: row[7] for row in snapshot_rows(lib)["files"]}
    assert kinds == {"a.py": "indexed", "c.md": "ignored", "d.py": "indexed"}
    assert not runs.confirm(run, "")


def test_a_lost_job_is_queued_again(lib):
    start_run(lib)
    OrmQ.objects.all().delete()
    retake_dead_runs()
    assert OrmQ.objects.count() == 0
    IndexRun.objects.update(heartbeat=timezone.now() - runs.QUEUED_LOST_AFTER)
    retake_dead_runs()
    retake_dead_runs()
    assert OrmQ.objects.count() == 1


def test_a_run_that_only_embeds_gives_way_to_a_new_one(lib, monkeypatch, settings):
    settings.EMBEDDING_MODEL = "local"
    before_calling(monkeypatch, pipeline, "embed_in_run", lambda: start_run(lib))
    run = factories.index(lib)
    assert (run.state, run.error, lib.published_snapshot) == ("done", "", 2)
    assert lib.runs.order_by("number").last().state == "queued"


def test_a_second_run_is_refused_while_one_goes_on(lib):
    start_run(lib)
    with pytest.raises(RunRefused, match="Run 2 of this repository is still going on"):
        start_run(lib)


@pytest.mark.django_db
def test_a_run_that_is_gone_is_nobodys():
    assert runs.claim(4711) is None
    index_repository(4711)


def test_heartbeats_are_told_by_the_clock_of_the_database(lib, monkeypatch):
    """A worker whose own clock is an hour ahead must not take a living worker's run."""
    run = start_run(lib)
    assert runs.claim(run.pk) is not None
    ahead = timezone.now() + timedelta(hours=1)
    monkeypatch.setattr(timezone, "now", lambda: ahead)
    assert runs.claim(run.pk) is None
    assert runs.dead_runs() == []
