"""import_repository: one command from a source to a searchable repository."""

import io
import json
import zipfile
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from indexing.management.commands import import_repository
from indexing.models import IndexRun
from indexing.runs import claim
from repos.models import Repository
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
FILES = {"a.py": "def f():\n    return 1\n", "logo.png": "\x89PNG\0"}


@pytest.fixture
def folder(tmp_path: Path, here, monkeypatch) -> Path:
    """No worker runs in tests: the command takes the work on at once."""
    monkeypatch.setattr(import_repository, "WORKER_SECONDS", 0)
    return factories.write_files(tmp_path / "lib", FILES)


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("import_repository", *arguments, stdout=out)
    return out.getvalue().strip()


def test_a_folder_becomes_searchable(folder, capsys):
    said = run(str(folder), "--wait")
    lib = Repository.objects.get()
    commit = lib.snapshots.get().commit[:8]
    assert said == f"lib: 1 of 2 files searchable, 2 lines, 1 symbols, at {commit}."
    assert "done: fetch" in capsys.readouterr().err.splitlines()[-1]


def test_json_holds_the_final_state(folder):
    state = json.loads(run(str(folder), "--wait", "--embed", "--json", "--name", "My lib"))
    assert state["repository"] == "my-lib"
    assert (state["run"]["state"], state["run"]["error"]) == ("done", "")
    stages = {one["stage"]: (one["done"], one["total"]) for one in state["run"]["stages"]}
    assert stages["walk"] == (2, 2)
    assert stages["derive"] == (1, 1)


def test_without_wait_the_run_is_left_to_a_worker(folder):
    assert run(str(folder)) == "lib: run 1 waiting for a worker."


def test_the_same_source_is_the_same_repository(folder):
    run(str(folder), "--wait")
    run(str(folder), "--wait")
    assert Repository.objects.get().published_snapshot == 2


def test_a_path_may_be_relative(folder, monkeypatch):
    monkeypatch.chdir(folder)
    run(".", "--wait")
    assert Repository.objects.get().address == str(folder)


def test_an_archive_is_taken_by_its_name_alone(folder, tmp_path, monkeypatch):
    (tmp_path / "lib.zip").write_bytes(factories.zip_of(FILES).getvalue())
    monkeypatch.chdir(tmp_path)
    assert run("lib.zip", "--wait").startswith("lib: 1 of 2 files searchable")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("https://nowhere.invalid/a/b", "nowhere.invalid"),
        ("/no/such/folder", "/no/such/folder"),
    ],
)
def test_what_cannot_be_imported_is_said(folder, source, said):
    with pytest.raises(CommandError, match=said):
        run(source)
    assert not Repository.objects.exists()


def test_a_run_that_fails_ends_the_command_with_its_reason(folder, tmp_path):
    (tmp_path / "bad.zip").write_bytes(b"no archive")
    with pytest.raises(CommandError, match="This is no archive"):
        run(str(tmp_path / "bad.zip"), "--wait")
    assert not Repository.objects.exists()


def corrupted_zip() -> bytes:
    """Its listing is in order; the bytes of the one file are not those it was packed from."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("a.py", "x = 1\n" * 50)
    return packed.getvalue().replace(b"x = 1\nx", b"x = 2\nx", 1)


def test_an_archive_that_proves_damaged_later_leaves_nothing(folder, tmp_path, settings):
    (tmp_path / "bad.zip").write_bytes(corrupted_zip())
    with pytest.raises(CommandError, match="damaged"):
        run(str(tmp_path / "bad.zip"), "--wait")
    assert not Repository.objects.exists()
    assert not [path for path in settings.CLONES.rglob("*") if path.is_file()]


def test_a_second_run_at_the_same_time_is_refused(folder):
    run(str(folder))
    with pytest.raises(CommandError, match="Run 1 of this repository is still going on"):
        run(str(folder))


def test_where_no_worker_takes_the_run_it_is_done_here(folder, monkeypatch, capsys):
    monkeypatch.setattr(import_repository, "WORKER_SECONDS", 0.2)
    assert run(str(folder), "--wait").startswith("lib: 1 of 2 files searchable")
    said = capsys.readouterr().err.splitlines()
    assert said[:2] == ["queued", "No worker is running: the work is done here."]
    assert said[-1].startswith("done: fetch")


def test_a_run_that_was_interrupted_is_taken_over(folder):
    run(str(folder))
    assert run(str(folder), "--wait").startswith("lib: 1 of 2 files searchable")
    lib = Repository.objects.get()
    assert [(one.number, one.state) for one in lib.runs.all()] == [(1, "done")]


def test_a_run_whose_process_was_killed_is_taken_over(folder):
    run(str(folder))
    held = Repository.objects.get().runs.get()
    assert claim(held.pk) is not None
    IndexRun.objects.update(heartbeat=timezone.now() - timedelta(hours=1))
    assert run(str(folder), "--wait").startswith("lib: 1 of 2 files searchable")
    held.refresh_from_db()
    assert (held.state, held.attempt) == ("done", 2)


def test_a_run_that_a_living_worker_holds_is_left_alone(folder):
    run(str(folder))
    held = Repository.objects.get().runs.get()
    assert claim(held.pk) is not None
    with pytest.raises(CommandError, match="Run 1 of this repository is still going on"):
        run(str(folder), "--wait")
