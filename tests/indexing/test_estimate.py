"""The estimate: first from the measured constants, then from the runs of this installation."""

from datetime import timedelta

import pytest
from django.utils import timezone

from indexing.durations import about, took
from indexing.estimate import BYTES_A_SECOND, estimate
from indexing.models import RunStage
from repos.models import File, Snapshot

MEGABYTE = 2**20


@pytest.mark.django_db
def test_the_first_estimate_is_from_the_constants():
    found = estimate(int(10 * BYTES_A_SECOND))
    assert (found.search, found.vectors) == (10, 0)
    assert found.basis == "1,035 KiB a second as measured on two cores"


@pytest.mark.django_db
def test_vectors_are_estimated_where_they_are_made(settings):
    settings.EMBEDDING_MODEL = "local"
    found = estimate(790_000)
    assert found.vectors == 50
    assert found.basis.endswith("; about 1,000 texts to embed, 20 a second")


@pytest.fixture
def measured(index_files):
    """A run that read 4 MiB in 2 seconds."""
    repository = index_files({"a.py": "a = 1\n"})
    run = repository.runs.get()
    File.objects.update(size=4 * MEGABYTE)
    derive = RunStage.objects.get(run=run, stage="derive")
    derive.started = run.searchable - timedelta(seconds=2)
    derive.save()
    return repository


def test_later_estimates_are_from_the_runs_here(measured):
    found = estimate(20 * MEGABYTE)
    assert found.search == 10
    assert found.basis == "2,048 KiB a second as in the last run here"


def test_small_runs_measure_nothing(measured):
    File.objects.update(size=100)
    assert "two cores" in estimate(MEGABYTE).basis


def test_embedding_runs_and_chunks_are_measured_too(measured, settings):
    settings.EMBEDDING_MODEL = "local"
    now = timezone.now()
    RunStage.objects.create(
        run=measured.runs.get(), stage="embed", done=300, started=now,
        finished=now + timedelta(seconds=10),
    )  # fmt: skip
    Snapshot.objects.update(bytes=10_000, chunks=10)
    assert estimate(900_000).vectors == 30


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "a few seconds"),
        (7, "about 7 seconds"),
        (44, "about 40 seconds"),
        (100, "about 2 minutes"),
        (7000, "about 2 hours"),
    ],
)
def test_times_in_words(seconds, words):
    assert about(seconds) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.44, "0.4 s"), (12.4, "12 s"), (185, "3 min 5 s"), (3725, "1 h 2 min")],
)
def test_what_it_took(seconds, words):
    assert took(seconds) == words
