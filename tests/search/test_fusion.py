import pytest

from search.channels import LEXICAL, PATH, SEMANTIC, Ranked
from search.fusion import CHUNK_WEIGHT, FILE_WEIGHT, NEXT_SHARE, RRF_K, Fused, fuse

WEIGHTS = {LEXICAL: 1.0, SEMANTIC: 0.5, PATH: 2.0}


def row(file: int, chunk: int | None, score: float) -> Ranked:
    return Ranked(1, file, chunk, score)


def fused(found: dict[str, list[Ranked]], rows: int = 99) -> list[Fused]:
    return fuse(found, weights=WEIGHTS, rows=rows)


def test_nothing_found(db):
    assert fused({}) == []


def test_one_row_has_chunk_and_file_rank(db):
    (only,) = fused({LEXICAL: [row(7, 70, 3.0)]})
    assert only.score == pytest.approx(1 / (RRF_K + 1) * (1 + FILE_WEIGHT))
    assert only.file_score == pytest.approx(1 / (RRF_K + 1) * (1 + CHUNK_WEIGHT))
    assert only.channels == (LEXICAL,)


def test_found_by_two_channels_comes_first(db):
    ranked = fused(
        {LEXICAL: [row(1, 10, 9.0), row(2, 20, 8.0)], SEMANTIC: [row(2, 20, 0.5), row(3, 30, 0.4)]}
    )
    assert [(one.file_id, one.channels) for one in ranked] == [
        (2, (SEMANTIC, LEXICAL)),
        (1, (LEXICAL,)),
        (3, (SEMANTIC,)),
    ]


def test_weights_decide_between_channels(db):
    ranked = fused({LEXICAL: [row(1, 10, 9.0)], PATH: [row(2, 20, 1.0)]})
    assert [one.file_id for one in ranked] == [2, 1]


def test_a_file_counts_its_next_two_chunks(db):
    """4 + 0.3 * (4 + 4) passes 5 + 0; a fourth chunk adds nothing."""
    assert NEXT_SHARE * 8 > 1
    many = [row(1, 10, 5.0), *(row(2, 20 + n, 4.0) for n in range(4))]
    best = {one.file_id: one.file_score for one in fused({LEXICAL: many})}
    first_file = 1 / (RRF_K + 1)
    assert best[2] == pytest.approx(first_file + CHUNK_WEIGHT / (RRF_K + 2))


def test_ties_keep_the_order_of_the_channel(db):
    ranked = fused({LEXICAL: [row(n, n, 1.0) for n in (5, 3, 4)]})
    assert [one.file_id for one in ranked] == [5, 3, 4]


def test_files_without_chunks_and_the_limit(db):
    ranked = fused({PATH: [row(1, None, 2.0), row(2, None, 1.0)]}, rows=1)
    assert [(one.file_id, one.chunk_id) for one in ranked] == [(1, None)]


def test_channels_without_a_weight_are_left_out(db):
    assert fuse({LEXICAL: [row(1, 1, 1.0)]}, weights={PATH: 1.0}, rows=9) == []
