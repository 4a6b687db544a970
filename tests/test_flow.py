"""Import, index, rows: the three ways in give the same, exact rows for the same files."""

import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from indexing.models import Chunk, Content, Finding, Import, RunFailure, Symbol
from indexing.workers import DerivePool
from repos.importing import create_repository, store_archive, understand, understand_archive
from repos.models import File, Repository
from tests import factories
from tests.repos.githost import checkout, git, serve
from tests.rows import snapshot_rows

FILES = {
    ".env": "TOKEN=1\n",
    ".gitignore": "*.log\n",
    "README.md": "# Till\n\nCounts coins.\n\n## Use\n\nCall it.\n",
    "till/__init__.py": "",
    "till/app.py": (
        "from till.coins import value\n"
        "\n"
        "\n"
        "class Till:\n"
        '    """Holds coins. And more."""\n'
        "\n"
        "    def total(self):\n"
        "        return sum(value(c) for c in self.coins)\n"
    ),
    "till/coins.py": "def value(coin):\n    return int(coin)\n",
    "web/app.min.js": "var a=1;\n",
    "web/logo.png": "\x89PNG\r\n\x1a\n\x00\x00",
}
INDEXED = [".gitignore", "README.md", "till/__init__.py", "till/app.py", "till/coins.py"]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    """A host over TLS with the repository acme/till."""
    root = tmp_path_factory.mktemp("srv")
    checkout(root / "acme/till", FILES)
    with serve(root, tmp_path_factory.mktemp("keys")) as host:
        yield host


@pytest.fixture
def till(tmp_path: Path, owner, here) -> Repository:
    folder = factories.write_files(tmp_path / "till", FILES)
    repository = create_repository(understand(str(folder)), owner=owner)
    factories.index(repository)
    return repository


def archive(kind: str) -> io.BytesIO:
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w") as packed:
            for path, text in FILES.items():
                packed.writestr(f"till-main/{path}", text)
    else:
        with tarfile.open(fileobj=out, mode="w:gz") as tar:
            for path, text in FILES.items():
                member = tarfile.TarInfo(f"till-main/{path}")
                member.size, member.mode = len(text.encode()), 0o644
                tar.addfile(member, io.BytesIO(text.encode()))
    out.seek(0)
    return out


def test_every_path_is_classified_with_its_reason(till):
    rows = File.objects.filter(repository=till).order_by("path")
    assert list(rows.values_list("path", "classification", "lines", "language", "size")) == [
        (".env", "secret", 0, "", 8),
        (".gitignore", "indexed", 1, "gitignore", 6),
        ("README.md", "indexed", 7, "markdown", 40),
        ("till/__init__.py", "indexed", 0, "python", 0),
        ("till/app.py", "indexed", 8, "python", 147),
        ("till/coins.py", "indexed", 2, "python", 38),
        ("web/app.min.js", "minified", 0, "", 9),
        ("web/logo.png", "binary", 0, "", 11),
    ]
    assert all(row.reason for row in rows if row.classification != "indexed")
    assert set(rows.values_list("first_snapshot", "last_snapshot", "mode")) == {(1, None, "100644")}


def test_git_knows_the_blobs_by_the_same_hashes(till):
    hashes = dict(File.objects.filter(repository=till).values_list("path", "blob_sha"))
    assert hashes["till/__init__.py"] == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert hashes[".env"] == "0" * 40  # never opened


def test_only_what_is_indexed_has_text(till):
    texts = {
        File.objects.get(repository=till, id=row.file_id).path: row.text
        for row in Content.objects.filter(repository=till)
    }
    assert texts == {path: FILES[path] for path in INDEXED if FILES[path]}


def test_symbols_stand_on_their_lines(till):
    rows = Symbol.objects.filter(repository=till).order_by("qualified_name", "-start_line")
    assert list(rows.values_list("qualified_name", "kind", "parent", "start_line", "end_line")) == [
        ("Till", "class", "", 4, 8),
        ("Till", "heading", "", 1, 7),
        ("Till.Use", "heading", "Till", 5, 7),
        ("Till.total", "method", "Till", 7, 8),
        ("value", "function", "", 1, 2),
    ]
    assert rows.get(kind="class").doc == "Holds coins."


def test_an_import_leads_to_its_file(till):
    rows = Import.objects.filter(repository=till)
    assert list(rows.values_list("module", "names", "line", "target_path", "first_snapshot")) == [
        ("till.coins", "value", 1, "till/coins.py", 1)
    ]


def test_chunks_cover_each_line_once(till):
    for content in Content.objects.filter(repository=till):
        chunks = Chunk.objects.filter(repository=till, file_id=content.file_id).order_by("ordinal")
        lines = [n for one in chunks for n in range(one.start_line, one.end_line + 1)]
        assert lines == list(range(1, content.line_count + 1))


def test_the_snapshot_counts_what_is_in_it(till):
    snapshot = till.snapshots.get()
    assert (snapshot.number, snapshot.state) == (1, "published")
    assert (snapshot.files, snapshot.indexed_files, snapshot.lines) == (8, 5, 18)
    assert (snapshot.symbols, snapshot.bytes) == (5, 6 + 40 + 147 + 38)
    assert snapshot.chunks == Chunk.objects.filter(repository=till).count()


def test_the_run_says_what_it_did(till):
    run = till.runs.get()
    stages = run.stages.order_by("started").values_list("stage", "done", "total", "unit")
    assert (run.state, run.attempt, run.error) == ("done", 1, "")
    assert list(stages)[1:] == [
        ("walk", 8, 8, "files"),
        ("derive", 5, 5, "files"),
        ("resolve", 1, 1, "imports"),
        ("publish", 0, 0, ""),
        ("exact", 4, 4, "files"),
    ]
    assert not run.stages.filter(finished=None).exists()
    assert not Finding.objects.exists()
    assert not RunFailure.objects.exists()


def by_git(host, settings, owner) -> Repository:
    settings.GIT_HOSTS, settings.GIT_CA_FILE = [host.name], str(host.ca_file)
    return create_repository(understand(host.url("acme/till")), owner=owner)


def by_archive(kind: str, owner) -> Repository:
    understood = understand_archive(f"till.{kind}")
    return create_repository(understood, owner=owner, archive=archive(kind))


def by_folder(tmp_path: Path, owner, *, tracked: bool) -> Repository:
    folder = tmp_path / f"till-{tracked}"
    checkout(folder, FILES) if tracked else factories.write_files(folder, FILES)
    return create_repository(understand(str(folder)), owner=owner)


@pytest.mark.django_db
def test_three_ways_in_give_the_same_rows(served, settings, owner, tmp_path, here):
    ways = [
        by_git(served, settings, owner),
        by_archive("zip", owner),
        by_archive("tar.gz", owner),
        by_folder(tmp_path, owner, tracked=True),
        by_folder(tmp_path, owner, tracked=False),
    ]
    runs = [factories.index(way) for way in ways]
    assert [(run.state, run.error) for run in runs] == [("done", "")] * 5
    first, *others = [_but_secret_hash(snapshot_rows(way)) for way in ways]
    assert [other == first for other in others] == [True] * 4


def _but_secret_hash(rows):
    """A clone knows the hash of a secret file without opening it; a folder does not."""
    rows["files"] = [(row[0], *row[3:]) if row[0] == ".env" else row for row in rows["files"]]
    return rows


def test_a_commit_is_named_after_the_clone_or_after_the_files(served, settings, owner, here):
    cloned, packed = by_git(served, settings, owner), by_archive("zip", owner)
    factories.index(cloned)
    factories.index(packed)
    head = git(Path(served.root) / "acme/till", "rev-parse", "HEAD")
    assert (cloned.snapshots.get().commit, cloned.snapshots.get().ref) == (head, "main")
    assert len(packed.snapshots.get().commit) == 40


def test_child_processes_give_the_same_rows(till, owner, tmp_path, monkeypatch):
    monkeypatch.setattr("indexing.pipeline.DerivePool", DerivePool)
    other = by_folder(tmp_path, owner, tracked=True)
    factories.index(other)
    assert snapshot_rows(other) == snapshot_rows(till)


def test_an_archive_uploaded_again_is_a_new_version(owner, here, settings):
    repository = by_archive("zip", owner)
    factories.index(repository)
    changed = io.BytesIO()
    with zipfile.ZipFile(changed, "w") as packed:
        packed.writestr("till-main/new.py", "def fresh():\n    return 1\n")
    changed.seek(0)
    store_archive(repository, changed)
    factories.index(repository)
    assert [row[0] for row in snapshot_rows(repository)["files"]] == ["new.py"]
    trees = [one.name for one in (settings.CLONES / str(repository.pk)).glob("tree-*")]
    assert trees == ["tree-2"]


def test_a_run_that_fails_says_why_and_leaves_no_rows(owner, tmp_path, here):
    folder = factories.write_files(tmp_path / "gone", {"a.py": "a = 1\n"})
    repository = create_repository(understand(str(folder)), owner=owner)
    (folder / "a.py").unlink()
    folder.rmdir()
    run = factories.index(repository)
    assert (run.state, run.error_code) == ("failed", "refused")
    assert str(folder) in run.error
    assert repository.snapshots.get().state == "failed"
    assert not File.objects.exists()


def test_a_repository_without_commits_waits_for_its_first(served, settings, owner, here):
    empty = Path(served.root) / "acme/empty"
    empty.mkdir()
    git(empty, "init", "-q", "-b", "main")
    settings.GIT_HOSTS, settings.GIT_CA_FILE = [served.name], str(served.ca_file)
    repository = create_repository(understand(served.url("acme/empty")), owner=owner)
    run = factories.index(repository)
    assert (run.state, run.error_code, repository.published_snapshot) == ("done", "empty", None)
    checkout(empty, {"first.py": "x = 1\n"})
    assert factories.index(repository).error == ""
    assert [row[0] for row in snapshot_rows(repository)["files"]] == ["first.py"]
