"""`kill -9` at every point of a run: another worker ends it with the rows of a quiet run."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings as django_settings
from django.utils import timezone

from indexing.embed import embedded_counts
from indexing.jobs import index_repository, retake_dead_runs
from indexing.models import Content, IndexRun
from indexing.runs import start_run
from repos.models import Repository
from tests import factories
from tests.indexing.worker_process import run_worker
from tests.marked import eventually, living
from tests.rows import HerePool, snapshot_rows

FIRST = {"a.py": "import b\n\n\ndef old():\n    return 1\n", "b.py": "x = 1\n", "c.md": "# C\n"}
SECOND = {
    **FIRST,
    "a.py": "import b\nimport d\n\n\ndef new():\n    return 2\n",
    "d.py": "def d():\n    return 4\n",
    "e.py": "import a\n",
    "f.md": "# F\n\nText of it.\n",
}
POINTS = (
    "claimed", "fetched", "walking", "walk written", "walked", "batch stored", "batch committed",
    "derived", "imports resolved", "resolved", "publishing", "published", "text entered",
    "embedding", "embedded", "finishing",
)  # fmt: skip
FAST = {"walk written", "batch committed", "publishing", "embedding"}
AFTER_PUBLISHING = {"published", "text entered", "embedding", "embedded", "finishing"}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def lib(tmp_path: Path, settings, here) -> Repository:
    """Indexed once; then the folder changes."""
    settings.EMBEDDING_MODEL = "local"
    folder = factories.write_files(tmp_path / "lib", FIRST)
    repository = Repository.objects.create(slug="lib", source="folder", address=str(folder))
    factories.index(repository)
    factories.write_files(folder, SECOND)
    return repository


def killed(run: IndexRun, point: str) -> str:
    """Let a worker process die at the point; the mark of its children."""
    ended = run_worker(run, point)
    assert ended.status == -9, ended.errors
    return ended.mark


def retake(run: IndexRun) -> None:
    """What the next worker does once the heartbeat is old enough."""
    stale = timezone.now() - timedelta(seconds=django_settings.RUN_DEAD_AFTER_SECONDS + 1)
    IndexRun.objects.filter(pk=run.pk).update(heartbeat=stale)
    retake_dead_runs()
    index_repository(run.pk)
    run.refresh_from_db()


@pytest.mark.parametrize(
    "point",
    [p if p in FAST else pytest.param(p, marks=pytest.mark.slow) for p in POINTS],
)
def test_a_run_survives_the_death_of_its_worker(lib, point):
    before, run = snapshot_rows(lib, 1), start_run(lib)
    mark = killed(run, point)
    assert eventually(lambda: not living(mark))
    lib.refresh_from_db()
    assert lib.published_snapshot == (2 if point in AFTER_PUBLISHING else 1)
    assert snapshot_rows(lib, 1) == before
    assert IndexRun.objects.get(pk=run.pk).state == "running"
    retake(run)
    assert (run.state, run.attempt, run.error) == ("done", 2, "")
    lib.refresh_from_db()
    assert snapshot_rows(lib, 1) == before
    assert snapshot_rows(lib) == quiet_rows(lib)
    assert run.failures.count() == 0
    assert not Content.objects.filter(repository=lib, trigram_indexed=False).exists()
    total, done = embedded_counts(lib.pk, 2)
    assert done == total > 0


def quiet_rows(lib: Repository):
    """The rows of a repository that was indexed without faults."""
    other = Repository.objects.create(slug="quiet", source="folder", address=lib.address)
    factories.index(other)
    return snapshot_rows(other)


def test_what_was_derived_is_not_derived_again(lib, here: type[HerePool]):
    run = start_run(lib)
    killed(run, "batch committed")
    here.derived.clear()
    retake(run)
    assert here.derived == ["e.py", "f.md"]


def test_a_living_worker_is_not_robbed(lib):
    run = start_run(lib)
    killed(run, "walked")
    retake_dead_runs()
    index_repository(run.pk)
    run.refresh_from_db()
    assert (run.state, run.attempt) == ("running", 1)
