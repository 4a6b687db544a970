"""The worker's memory does not grow with the repository."""

from pathlib import Path

import pytest

from indexing.runs import start_run
from repos.models import Repository
from tests import factories
from tests.indexing.worker_process import run_worker

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

SOURCE = """from mod{before} import f{before}


class C{number}:
    '''Holds number {number}.'''

    def get(self):
        return f{before}({number})


def f{number}(x):
    return x + {number}
"""


def peak_megabytes(place: Path, count: int) -> float:
    """Of a worker that indexes so many files of 3 KB."""
    files = {
        f"pkg{n // 100}/mod{n}.py": SOURCE.format(number=n, before=n - 1) + f"# {n} text\n" * 200
        for n in range(count)
    }
    folder = factories.write_files(place / str(count), files)
    repository = Repository.objects.create(slug=str(count), source="folder", address=str(folder))
    ended = run_worker(start_run(repository))
    assert ended.status == 0, ended.errors
    repository.refresh_from_db()
    assert repository.snapshots.get().indexed_files == count
    return int(ended.output) / 1024


def test_ten_times_the_files_take_about_the_same_memory(tmp_path: Path):
    few, many = peak_megabytes(tmp_path, 500), peak_megabytes(tmp_path, 5_000)
    print(f"{few:.0f} MB for 500 files, {many:.0f} MB for 5,000")  # noqa: T201 - make slow shows it
    assert many < few + 40
