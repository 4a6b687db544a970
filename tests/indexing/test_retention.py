"""Old snapshots go; what is kept shows the same rows, and nothing is left that nobody shows."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django_q.models import OrmQ

from answers.models import Answer, Citation, Conversation, Evidence, Question, Statement
from indexing import jobs, keepers, retention
from indexing.explore import snapshot_at
from indexing.models import Chunk, Content, Embedding, EmbedRefusal, Import, TermCount
from repos.models import File, Repository, Snapshot
from tests import factories
from tests.rows import snapshot_rows

pytestmark = pytest.mark.usefixtures("here")
VERSIONS = (
    {"a.py": "import b\n\n\ndef first():\n    return 1\n", "b.py": "x = 1\n", "c.md": "# Same\n"},
    {"a.py": "import b\n\n\ndef second():\n    return 2\n", "d.py": "gone = 4\n"},
    {"a.py": "import d\n\n\ndef third():\n    return 3\n", "lib/b.py": "y = 5\n"},
    {"a.py": "def fourth():\n    return 4\n", "b.py": "x = 6\n"},
    {"e.py": "def fifth():\n    return 5\n"},
)


@pytest.fixture
def lib(index_files: Callable[..., Repository], tmp_path: Path, settings) -> Repository:
    """Five snapshots; in the third one b.py and d.py are no longer there."""
    settings.KEEP_SNAPSHOTS = 9
    repository = index_files(VERSIONS[0])
    for number, files in enumerate(VERSIONS[1:], 2):
        factories.write_files(tmp_path / "sources/lib", files)
        if number == 3:
            (tmp_path / "sources/lib/b.py").unlink()
            (tmp_path / "sources/lib/d.py").unlink()
        factories.index(repository)
    return repository


def published(lib: Repository) -> list[int]:
    rows = lib.snapshots.filter(state=Snapshot.State.PUBLISHED).order_by("number")
    return list(rows.values_list("number", flat=True))


def test_the_newest_stay_and_show_the_same(lib, settings):
    before = {number: snapshot_rows(lib, number) for number in (4, 5)}
    settings.KEEP_SNAPSHOTS = 2
    assert retention.prune(lib) == 3
    assert published(lib) == [4, 5]
    assert {number: snapshot_rows(lib, number) for number in (4, 5)} == before


def test_no_row_is_left_that_no_snapshot_shows(lib, settings):
    settings.KEEP_SNAPSHOTS = 1
    retention.prune(lib)
    live = set(File.objects.filter(last_snapshot=None).values_list("id", flat=True))
    assert set(File.objects.values_list("id", flat=True)) == live
    for table in (Content, Chunk, Import):
        assert set(table.objects.values_list("file_id", flat=True)) <= live
    assert not Import.objects.filter(last_snapshot__isnull=False).exists()
    assert set(TermCount.objects.values_list("snapshot", flat=True)) == {5}
    assert not TermCount.objects.filter(chunks__lte=0).exists()


def test_a_snapshot_in_between_stays_where_somebody_asks_for_it(lib, settings, monkeypatch):
    before = {number: snapshot_rows(lib, number) for number in (2, 5)}
    monkeypatch.setattr(keepers, "KEEPERS", [lambda _repository: [2]])
    monkeypatch.setattr(retention, "KEEPERS", keepers.KEEPERS)
    settings.KEEP_SNAPSHOTS = 1
    retention.prune(lib)
    assert published(lib) == [2, 5]
    assert {number: snapshot_rows(lib, number) for number in (2, 5)} == before


def test_what_an_answer_cites_stays(lib, settings, owner):
    conversation = Conversation.objects.create(person=owner)
    question = Question.objects.create(conversation=conversation, text="first?")
    answer = Answer.objects.create(question=question, state="done")
    evidence = [
        Evidence.objects.create(
            answer=answer, ordinal=number, label=f"e{number}", repository=lib, snapshot=number,
            commit="c", path="a.py", start_line=1, end_line=1, text="x", channels="path", score=1,
        )
        for number in (1, 3)
    ]  # fmt: skip
    statement = Statement.objects.create(answer=answer, ordinal=1, kind="extract", text="x")
    Citation.objects.create(
        statement=statement, evidence=evidence[0], start_line=1, end_line=1, quote="x", verdict="ok"
    )
    settings.KEEP_SNAPSHOTS = 1
    retention.prune(lib)
    assert published(lib) == [1, 5]


def test_one_that_is_gone_is_not_found(lib, settings):
    old = lib.snapshots.get(number=1)
    assert snapshot_at(lib, old.commit) is not None
    settings.KEEP_SNAPSHOTS = 1
    retention.prune(lib)
    assert snapshot_at(lib, old.commit) is None


def test_batches_end_in_the_same_rows_and_a_second_time_changes_nothing(lib, settings, monkeypatch):
    settings.KEEP_SNAPSHOTS = 2
    monkeypatch.setattr(retention, "BATCH", 1)
    monkeypatch.setattr(retention, "BATCH_ROWS", 1)
    before = snapshot_rows(lib)
    assert (retention.prune(lib), retention.prune(lib)) == (3, 0)
    assert snapshot_rows(lib) == before


def test_one_that_was_stopped_half_way_goes_on(lib, settings, monkeypatch):
    settings.KEEP_SNAPSHOTS = 1
    before = snapshot_rows(lib)
    with monkeypatch.context() as patched:
        patched.setattr(retention, "_fold_terms", _stopped)
        with pytest.raises(KeyboardInterrupt):
            retention.prune(lib)
    retention.prune(lib)
    assert snapshot_rows(lib) == before
    assert not File.objects.filter(last_snapshot__isnull=False).exists()


def _stopped(*_: object) -> None:
    raise KeyboardInterrupt


def test_the_next_difference_is_written_on_what_is_left(lib, settings, tmp_path):
    settings.KEEP_SNAPSHOTS = 1
    retention.prune(lib)
    factories.write_files(tmp_path / "sources/lib", {"a.py": "def sixth():\n    return 6\n"})
    factories.index(lib)
    fresh = Repository.objects.create(slug="fresh", source="folder", address=lib.address)
    factories.index(fresh)
    assert snapshot_rows(lib) == snapshot_rows(fresh)


def test_vectors_of_no_chunk_go(lib, settings):
    used = Chunk.objects.filter(repository=lib).first()
    assert used is not None
    for digest in (bytes(used.embed_hash), b"\x01" * 16, b"\xff" * 16):
        Embedding.objects.create(repository=lib, model="m", embed_hash=digest, vector=[0.1] * 384)
        EmbedRefusal.objects.create(repository=lib, model="n", embed_hash=digest, reason="long")
    retention.prune(lib)
    assert [bytes(one.embed_hash) for one in Embedding.objects.all()] == [bytes(used.embed_hash)]
    assert [bytes(one.embed_hash) for one in EmbedRefusal.objects.all()] == [bytes(used.embed_hash)]


def test_a_run_beyond_the_limit_asks_for_the_job(lib, settings, tmp_path):
    settings.KEEP_SNAPSHOTS = 5
    factories.write_files(tmp_path / "sources/lib", {"z.py": "z = 1\n"})
    OrmQ.objects.all().delete()
    factories.index(lib)
    assert jobs.PRUNE in {one.func() for one in OrmQ.objects.all()}
    jobs.prune_snapshots(lib.pk)
    assert published(lib) == [2, 3, 4, 5, 6]


def test_the_job_of_a_repository_that_is_gone_does_nothing(db):
    jobs.prune_snapshots(12345)
