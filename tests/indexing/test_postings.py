from collections.abc import Callable
from pathlib import Path

import pytest

from indexing import postings, retention
from indexing.models import Chunk, ChunkList, Posting
from repos.models import Repository
from search.lexical import lexical
from search.postings import lists_of
from search.query import parse_query
from search.retrieval import scope_of
from tests import factories

FILES = {
    "zebra.py": "def zebra():\n    return yak, yak, gnu\n",
    "b.py": "zebra = 1\n\n\ndef gnu():\n    return zebra\n",
    "c.txt": "yak yak zebra\n",
}


def ranked(text: str, repository: Repository) -> list[tuple[int | None, float, str, float]]:
    rows = lexical(parse_query(text), scope_of(Repository.objects.filter(pk=repository.pk)))
    return [(row.chunk_id, round(row.score, 4), row.path, round(row.covered, 4)) for row in rows]


@pytest.mark.django_db
def test_a_run_ends_with_the_postings_of_its_snapshot(index_files: Callable[..., Repository]):
    repository = index_files(FILES)
    (listed,) = ChunkList.objects.filter(repository=repository)
    numbers = [int.from_bytes(listed.ids[at : at + 8]) for at in range(0, len(listed.ids), 8)]
    chunks = Chunk.objects.filter(repository=repository).order_by("id")
    assert numbers == list(chunks.values_list("id", flat=True))
    held = Posting.objects.get(repository=repository, term="yak").chunks
    assert len(held) == 4 * 2


@pytest.mark.django_db
@pytest.mark.parametrize(
    "text", ["zebra", "yak gnu", "zebra yak gnu", "zebra -gnu", "yak lang:python"]
)
def test_postings_and_vectors_rank_alike(text: str, index_files: Callable[..., Repository]):
    repository = index_files(FILES)
    by_postings = ranked(text, repository)
    ChunkList.objects.all().delete()
    assert by_postings == ranked(text, repository)
    assert by_postings


@pytest.mark.django_db
def test_the_next_run_writes_what_is_missing(
    index_files: Callable[..., Repository], monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patch:
        patch.setattr(postings, "write_postings", lambda *_: 0)
        repository = index_files(FILES)
    assert not ChunkList.objects.exists()
    factories.index(repository)
    assert set(ChunkList.objects.values_list("snapshot", flat=True)) == {1, 2}


@pytest.mark.django_db
def test_postings_of_a_pruned_snapshot_go_with_its_last_file(
    index_files: Callable[..., Repository], tmp_path: Path, settings
):
    """Of the first snapshot a file lives on; of the second none does."""
    repository = index_files({"a.txt": "zebra\n", "b.txt": "gnu\n"})
    for text in ("yak\n", "okapi\n"):
        factories.write_files(tmp_path / "sources/lib", {"a.txt": text})
        factories.index(repository)
    settings.KEEP_SNAPSHOTS = 1
    retention.prune(repository)
    assert set(ChunkList.objects.values_list("snapshot", flat=True)) == {1, 3}
    assert set(Posting.objects.values_list("snapshot", flat=True)) == {1, 3}
    factories.index(repository)
    assert set(ChunkList.objects.values_list("snapshot", flat=True)) == {1, 3, 4}
    repository.refresh_from_db()
    assert [path for _, _, path, _ in ranked("gnu okapi", repository)] == ["b.txt", "a.txt"]


@pytest.mark.django_db
def test_lists_that_a_prune_has_just_taken_away_are_passed_over(
    index_files: Callable[..., Repository],
):
    repository = index_files(FILES)
    lists = lists_of([(repository.pk, 1), (repository.pk, 99)])
    assert len(lists.ids) == Chunk.objects.count()
    assert list(lists.starts) == [(repository.pk, 1)]


@pytest.mark.django_db
def test_one_changed_file_costs_the_postings_of_that_file(
    index_files: Callable[..., Repository], tmp_path: Path
):
    repository = index_files(FILES)
    factories.write_files(tmp_path / "sources/lib", {"c.txt": "okapi\n"})
    factories.index(repository)
    added = Posting.objects.filter(snapshot=2)
    assert "okapi" in added.values_list("term", flat=True)
    assert {len(one.chunks) for one in added} == {4}
    assert len(ChunkList.objects.get(snapshot=2).ids) == 8
