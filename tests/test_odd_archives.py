"""Hostile and odd archives, from the upload to the rows."""

import io
import stat
import zipfile

import pytest

from indexing import pipeline
from indexing.progress import Progress
from repos.fetching import FetchFailed
from repos.importing import ImportRefused, create_repository, understand_archive
from repos.models import File, Repository, Snapshot
from repos.places import archive_of
from tests import factories
from tests.indexing.interfering import steal

pytestmark = pytest.mark.usefixtures("here")
TICKET = "class Ticket:\n    def pay(self):\n        return 1\n"

Entry = tuple[str | zipfile.ZipInfo, str]


def packed(*entries: Entry) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, text in entries:
            archive.writestr(name, text)
    out.seek(0)
    return out


def link(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name)
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


HOSTILE: dict[str, list[Entry]] = {
    "up": [("a/../../escaped.txt", "x")],
    "absolute": [("/tmp/escaped.txt", "x")],
    "backslash": [("a\\..\\..\\escaped.txt", "x")],
    "link": [(link("a/out"), "/etc"), ("a/out/escaped.txt", "x")],
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_archive_is_refused_as_a_whole(owner, settings, name):
    entries: list[Entry] = [("a/good.py", TICKET), *HOSTILE[name]]
    with pytest.raises(ImportRefused) as refused:
        create_repository(understand_archive("a.zip"), owner=owner, archive=packed(*entries))
    assert str(refused.value).startswith("Entry ")
    assert not Repository.objects.exists()
    assert not File.objects.exists()
    assert not [path for path in settings.DATA.rglob("*") if path.is_file()]


def damaged() -> io.BytesIO:
    """In order by its listing; the bytes of one file are not those that were packed."""
    whole = packed(("a/good.py", TICKET * 30), ("a/other.py", "x = 1\n")).getvalue()
    return io.BytesIO(whole.replace(b"x = 1", b"x = 2", 1))


def test_an_archive_that_proves_damaged_later_leaves_no_file(owner, settings):
    lib = create_repository(understand_archive("a.zip"), owner=owner, archive=damaged())
    run = factories.index(lib)
    assert (run.state, lib.published_snapshot) == ("failed", None)
    assert "damaged" in run.error
    assert not File.objects.exists()
    assert not [path for path in settings.CLONES.rglob("*") if path.is_file()]


def test_a_worker_that_lost_the_run_leaves_the_archive_to_the_other(owner, monkeypatch):
    lib = create_repository(understand_archive("a.zip"), owner=owner, archive=damaged())

    def stolen(_snapshot: Snapshot, _progress: Progress) -> None:
        steal()
        raise FetchFailed("damaged", "The archive is damaged.")

    monkeypatch.setattr(pipeline, "fetch_source", stolen)
    assert factories.index(lib).state == "running"
    assert archive_of(lib).is_file()


def test_git_metadata_and_litter_in_an_archive_stay_out(owner):
    entries: list[Entry] = [
        ("a/.git/config", "[core]\n"), ("a/.DS_Store", "x"), ("__MACOSX/a/._b.py", "x"),
        ("a/b.py", TICKET),
    ]  # fmt: skip
    understood = understand_archive("a.zip")
    factories.index(create_repository(understood, owner=owner, archive=packed(*entries)))
    assert list(File.objects.values_list("path", flat=True)) == ["b.py"]
