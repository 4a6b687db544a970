"""What a run says of itself: counters, rates, and who still holds it."""

import uuid
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone

from indexing import progress, runs
from indexing.models import IndexRun, RunStage
from indexing.progress import ClaimLost, Progress, RunCancelled, run_state
from tests import factories


@pytest.fixture
def run(db, monkeypatch) -> IndexRun:
    monkeypatch.setattr(progress, "WRITE_EVERY_SECONDS", 0)
    claimed = runs.claim(runs.start_run(factories.repository_for(None)).pk)
    assert claimed is not None
    return claimed


def test_counts_are_written_while_the_stage_goes_on(run):
    mine = Progress(run)
    with mine.stage("derive", total=10, unit="files"):
        mine.set(3)
        mine.add(1)
        row = RunStage.objects.get()
        assert (row.done, row.total, row.unit, row.finished) == (4, 10, "files", None)
    assert RunStage.objects.get().finished is not None


def test_counts_are_not_written_too_often(run, monkeypatch, django_assert_num_queries):
    monkeypatch.setattr(progress, "WRITE_EVERY_SECONDS", 100)
    mine = Progress(run)
    with mine.stage("walk", total=1000, unit="files"):
        mine.set(1)
        with django_assert_num_queries(0):
            for done in range(1000):
                mine.set(done)
    assert RunStage.objects.get().done == 999


def test_a_worker_that_slept_opens_no_stage_that_its_heir_has_closed(run, monkeypatch):
    slept = Progress(run)
    with slept.stage("walk", total=5, unit="files"):
        slept.set(5)
    monkeypatch.setattr(slept, "check", lambda: None)  # it has looked, and then it slept
    IndexRun.objects.update(claim=uuid.uuid4())
    with pytest.raises(ClaimLost), slept.stage("walk"):
        pass
    row = RunStage.objects.get()
    assert (row.done, row.finished is None) == (5, False)


def test_a_worker_that_lost_its_run_counts_no_further(run, monkeypatch):
    lost = Progress(run)
    monkeypatch.setattr(lost, "check", lambda: None)
    with lost.stage("derive", total=5):
        IndexRun.objects.update(claim=uuid.uuid4())
        lost.set(3)
    row = RunStage.objects.get()
    assert (row.done, row.finished) == (0, None)


def test_a_stage_done_again_begins_at_zero(run):
    for done in (7, 2):
        mine = Progress(run)
        with mine.stage("walk", unit="files"):
            mine.set(done)
    assert (RunStage.objects.get().done, RunStage.objects.count()) == (2, 1)


def count_after(run: IndexRun, event: Callable[[], object]) -> None:
    mine = Progress(run)
    with mine.stage("walk"):
        event()
        mine.set(1)


def test_a_finished_stage_done_again_takes_its_own_time(run):
    mine = Progress(run)
    with mine.stage("fetch"):
        pass
    RunStage.objects.update(started=timezone.now() - timedelta(hours=1))
    with mine.stage("fetch"):
        pass
    assert run_state(run)["stages"][0]["seconds"] < 60


def test_a_cancelled_run_stops_at_the_next_count(run):
    with pytest.raises(RunCancelled):
        count_after(run, lambda: IndexRun.objects.update(cancel_requested=True))


def test_a_lost_run_stops_at_the_next_count(run):
    with pytest.raises(ClaimLost):
        count_after(run, lambda: IndexRun.objects.update(claim=uuid.uuid4()))


def test_a_run_that_is_gone_counts_as_lost(run):
    with pytest.raises(ClaimLost):
        count_after(run, lambda: IndexRun.objects.all().delete())


def test_nothing_is_written_once_the_run_is_lost(run):
    mine = Progress(run)
    IndexRun.objects.update(claim=uuid.uuid4())
    with pytest.raises(ClaimLost), mine.writing():
        RunStage.objects.create(run=run, stage="walk", started=timezone.now())
    assert not RunStage.objects.exists()


def test_the_state_tells_rate_and_time_left(run):
    started = timezone.now() - timedelta(seconds=10)
    RunStage.objects.create(run=run, stage="derive", done=50, total=150, started=started)
    (stage,) = run_state(run)["stages"]
    assert stage["rate"] == pytest.approx(5.0, abs=0.2)
    assert stage["seconds_left"] in {19, 20, 21}
    assert run_state(run)["active"]


def test_a_finished_stage_has_no_time_left(run):
    now = timezone.now()
    RunStage.objects.create(run=run, stage="walk", done=1, total=9, started=now, finished=now)
    assert run_state(run)["stages"][0]["seconds_left"] is None
