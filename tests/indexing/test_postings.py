from collections.abc import Callable

import pytest

from indexing import postings
from indexing.models import Chunk, ChunkList, Posting
from repos.models import Repository
from search.lexical import lexical
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
