"""A run writes the difference to the snapshot before, and the result is that of a fresh index."""

import stat
from pathlib import Path

import numpy as np
import pytest
from django.db.models import F
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from indexing.models import Content, Embedding, Import, Symbol, TermCount
from repos.models import File, Repository
from repos.snapshots import write_difference
from tests import factories
from tests.rows import file_ids, frequencies, intervals, snapshot_rows

FILES = {
    "a.py": "from b import g\n\n\ndef f():\n    return g()\n",
    "b.py": "def g():\n    return 1\n",
    "docs/c.md": "# Guide\n\nText.\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return factories.write_files(tmp_path / "lib", FILES)


@pytest.fixture
def lib(folder: Path, owner, here) -> Repository:
    repository = factories.repository_for(owner, address=str(folder))
    factories.index(repository)
    here.derived.clear()
    return repository


def fresh_rows(folder: Path, **extra):
    """What a new repository of the folder gives."""
    other = factories.repository_for(None, slug="fresh", address=str(folder), **extra)
    factories.index(other)
    return snapshot_rows(other)


def test_one_changed_line_derives_one_file(lib, folder, here):
    before = file_ids(lib)
    (folder / "b.py").write_text("def g():\n    return 2\n")
    factories.index(lib)
    after = file_ids(lib)
    assert here.derived == ["b.py"]
    assert {path for path in after if after[path] != before[path]} == {"b.py"}
    assert intervals(lib, "b.py") == [(1, 1), (2, None)]


def test_nothing_changed_derives_nothing(lib, here):
    before = snapshot_rows(lib)
    factories.index(lib)
    assert here.derived == []
    assert lib.published_snapshot == 2
    assert snapshot_rows(lib) == before
    assert not TermCount.objects.filter(snapshot=2).exists()


def test_old_snapshots_stay_readable(lib, folder):
    before = snapshot_rows(lib, 1)
    (folder / "b.py").unlink()
    (folder / "docs/c.md").write_text("# Other\n")
    (folder / "d.py").write_text("import a\n")
    factories.index(lib)
    assert snapshot_rows(lib, 1) == before
    assert [row[0] for row in snapshot_rows(lib, 2)["files"]] == ["a.py", "d.py", "docs/c.md"]
    assert snapshot_rows(lib) == fresh_rows(folder)


def test_a_rename_closes_one_row_and_opens_another(lib, folder):
    (folder / "docs/c.md").rename(folder / "docs/d.md")
    factories.index(lib)
    assert intervals(lib, "docs/c.md") == [(1, 1)]
    assert intervals(lib, "docs/d.md") == [(2, None)]
    assert snapshot_rows(lib) == fresh_rows(folder)


def test_a_file_that_comes_back_gets_a_row_of_its_own(lib, folder):
    (folder / "b.py").rename(folder / "away")
    factories.index(lib)
    (folder / "away").rename(folder / "b.py")
    factories.index(lib)
    assert intervals(lib, "b.py") == [(1, 1), (3, None)]
    assert snapshot_rows(lib) == fresh_rows(folder)


def test_a_changed_mode_is_a_change(lib, folder):
    script = folder / "b.py"
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    factories.index(lib)
    assert File.objects.get(repository=lib, path="b.py", last_snapshot=None).mode == "100755"
    assert intervals(lib, "b.py") == [(1, 1), (2, None)]
    assert snapshot_rows(lib) == fresh_rows(folder)


def test_excludes_take_files_out_and_bring_them_back(lib, folder):
    Repository.objects.filter(pk=lib.pk).update(excludes="docs/\n")
    factories.index(lib)
    out = File.objects.get(repository=lib, path="docs/c.md", last_snapshot=None)
    assert (out.classification, intervals(lib, "docs/c.md")) == ("ignored", [(1, 1), (2, None)])
    assert snapshot_rows(lib) == fresh_rows(folder, excludes="docs/\n")
    Repository.objects.filter(pk=lib.pk).update(excludes="")
    factories.index(lib)
    assert snapshot_rows(lib, 3)["content"] == snapshot_rows(lib, 1)["content"]


def test_an_attribute_changes_the_classification(lib, folder):
    (folder / ".gitattributes").write_text("b.py linguist-generated\n")
    factories.index(lib)
    made = File.objects.get(repository=lib, path="b.py", last_snapshot=None)
    assert made.classification == "generated"
    assert snapshot_rows(lib) == fresh_rows(folder)


def targets(repository: Repository) -> list[tuple[int, int | None, str]]:
    rows = Import.objects.filter(repository=repository, module="b").order_by("first_snapshot")
    return list(rows.values_list("first_snapshot", "last_snapshot", "target_path"))


def test_an_import_is_resolved_anew_when_its_target_goes_and_comes(lib, folder, here):
    (folder / "b.py").rename(folder / "gone.txt")
    factories.index(lib)
    (folder / "gone.txt").rename(folder / "b.py")
    factories.index(lib)
    assert targets(lib) == [(1, 1, "b.py"), (2, 2, ""), (3, None, "b.py")]
    assert "a.py" not in here.derived


def test_imports_end_with_their_file(lib, folder):
    (folder / "a.py").unlink()
    factories.index(lib)
    assert targets(lib) == [(1, 1, "b.py")]


def test_term_counts_are_those_of_a_fresh_index(lib, folder):
    assert frequencies(lib, 1)["guid"] == 1
    (folder / "docs/c.md").write_text("# Handbook\n\nText text.\n")
    factories.index(lib)
    now = frequencies(lib, 2)
    assert ("guid" in now, now["handbook"], frequencies(lib, 1)["guid"]) == (False, 1, 1)
    assert now == fresh_rows(folder)["frequencies"]


def test_a_full_run_derives_every_file(lib, here):
    before = snapshot_rows(lib)
    factories.index(lib, full=True)
    assert here.derived == ["a.py", "b.py", "docs/c.md"]
    assert snapshot_rows(lib) == before


def test_other_rules_derive_what_they_made(lib, here, monkeypatch):
    Content.objects.filter(repository=lib, text__contains="Guide").update(
        index_version=F("index_version") + 1
    )
    factories.index(lib)
    assert here.derived == ["docs/c.md"]


def test_a_file_that_was_lost_is_tried_again(lib, here):
    Content.objects.filter(repository=lib, text__contains="Guide").delete()
    factories.index(lib)
    assert here.derived == ["docs/c.md"]


def test_a_file_changed_between_walk_and_reading_is_left_out(lib, folder, monkeypatch):
    (folder / "b.py").write_text("def g():\n    return 2\n")

    def and_change(*arguments):
        (folder / "b.py").write_text("def g():\n    return 3\n")
        return frozenset()

    monkeypatch.setattr("indexing.pipeline._failures", and_change)
    run = factories.index(lib)
    failures = list(run.failures.values_list("path", "reason"))
    assert failures == [("b.py", "It was changed while it was being indexed.")]
    assert run.stages.filter(stage="derive", done=1, total=1).exists()
    factories.index(lib)
    assert snapshot_rows(lib) == fresh_rows(folder)


def test_a_first_run_derives_the_bytes_that_the_walk_has_read(here, owner, tmp_path, monkeypatch):
    """Were they read again, b.py would be left out as changed and its number asked twice."""
    place = factories.write_files(tmp_path / "new", FILES)
    repository = factories.repository_for(owner, address=str(place), slug="new")

    def and_change(*args, **options):
        (place / "b.py").write_text("def other():\n    return 2\n")
        return write_difference(*args, **options)

    monkeypatch.setattr("indexing.pipeline.write_difference", and_change)
    run = factories.index(repository)
    assert run.failures.count() == 0
    assert list(Symbol.objects.filter(repository=repository, name="g").values_list("kind")) == [
        ("function",)
    ]
    monkeypatch.setattr("indexing.pipeline.write_difference", write_difference)
    factories.index(repository)
    assert snapshot_rows(repository) == fresh_rows(place)


def test_a_begun_file_whose_row_has_other_bytes_is_read_again(here, owner, tmp_path, monkeypatch):
    place = factories.write_files(tmp_path / "new", FILES)
    repository = factories.repository_for(owner, address=str(place), slug="new")
    begin = here.begin

    def with_other_bytes(pool, path, data, sha):
        begin(pool, path, b"def stale():\n    pass\n" if path == "b.py" else data, sha[::-1])

    monkeypatch.setattr(here, "begin", with_other_bytes)
    run = factories.index(repository)
    assert run.failures.count() == 0
    assert snapshot_rows(repository) == fresh_rows(place)


class CountingModel:
    """Stands for the model: remembers what it was given."""

    def __init__(self) -> None:
        self.texts: list[str] = []

    def embed(self, texts):
        self.texts.extend(texts)
        return np.array([[1.0] + [0.0] * 383 for _ in texts])


@pytest.fixture
def model(settings, monkeypatch) -> CountingModel:
    settings.EMBEDDING_MODEL = "local"
    counting = CountingModel()
    monkeypatch.setattr("indexing.embed.local_model", lambda _threads: counting)
    return counting


def test_a_rename_costs_no_embedding(model, lib, folder):
    assert len(model.texts) == 3
    (folder / "docs/c.md").rename(folder / "docs/d.md")
    run = factories.index(lib)
    assert len(model.texts) == 3
    stage = run.stages.get(stage="embed")
    assert (stage.done, stage.total) == (3, 3)


def test_a_rename_under_other_rules_takes_no_vector_over(model, lib, folder):
    Content.objects.filter(text__contains="Guide").update(index_version=F("index_version") + 1)
    model.texts.clear()
    (folder / "docs/c.md").rename(folder / "docs/d.md")
    factories.index(lib)
    assert len(model.texts) == 1


def test_a_changed_file_embeds_only_what_changed(model, lib, folder):
    model.texts.clear()
    (folder / "b.py").write_text("def g():\n    return 2\n\n\ndef h():\n    return 3\n")
    factories.index(lib)
    assert all("b.py" in text for text in model.texts)
    assert Embedding.objects.filter(repository=lib).count() == 3 + len(model.texts)


PATHS = ("a.py", "b.py", "pkg/__init__.py", "pkg/c.py", "notes.md", ".gitattributes")
TEXTS = (
    "",
    "\n\n",
    "from b import g\nimport pkg.c\n\n\ndef f():\n    return g()\n",
    "def g():\n    '''Gives one.'''\n    return 1\n",
    "class K:\n    def m(self):\n        pass\n",
    "# Title\n\nWords here.\n",
    "b.py linguist-generated\n*.md linguist-vendored\n",
)
TREES = st.dictionaries(st.sampled_from(PATHS), st.sampled_from(TEXTS), min_size=1)


@pytest.mark.usefixtures("here")
@settings(
    max_examples=12,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(trees=st.lists(TREES, min_size=2, max_size=4))
def test_any_edits_end_in_the_rows_of_a_fresh_index(tmp_path_factory, settings, db, trees):
    place = tmp_path_factory.mktemp("edits")
    settings.FOLDER_ROOTS = (place,)
    repository = Repository.objects.create(slug=place.name, source="folder", address=str(place))
    fresh = Repository.objects.create(slug=f"{place.name}-2", source="folder", address=str(place))
    for tree in trees:
        for old in sorted(place.rglob("*"), reverse=True):
            old.rmdir() if old.is_dir() else old.unlink()
        factories.write_files(place, tree)
        factories.index(repository)
    factories.index(fresh)
    assert snapshot_rows(repository) == snapshot_rows(fresh)
