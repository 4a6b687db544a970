import pytest

from search.channels import LEXICAL, LITERAL, PATH, SEMANTIC, Ranked
from search.fusion import COVERED_WEIGHT, FILE_WEIGHT, FULL_SCORES, NEXT_SHARE, Fused, fuse

WEIGHTS = {LEXICAL: 1.0, SEMANTIC: 0.5, PATH: 2.0, LITERAL: 1.0}


def row(file: int, chunk: int | None, score: float, covered: float = 0.0) -> Ranked:
    return Ranked(1, file, chunk, score, "", covered)


def fused(found: dict[str, list[Ranked]], rows: int = 99) -> list[Fused]:
    return fuse(found, weights=WEIGHTS, rows=rows)


def file_scores(found: dict[str, list[Ranked]]) -> dict[int, float]:
    return {one.file_id: round(one.file_score, 3) for one in fused(found)}


def test_nothing_found(db):
    assert fused({}) == []


def test_the_best_row_has_the_whole_weight_as_chunk_and_file(db):
    (only,) = fused({PATH: [row(7, 70, 3.0)]})
    assert only.file_score == pytest.approx(2.0)
    assert only.score == pytest.approx(2.0 * (1 + FILE_WEIGHT))
    assert only.channels == (PATH,)


def test_the_others_have_their_share_of_it(db):
    assert file_scores({LEXICAL: [row(1, 10, 8.0), row(2, 20, 2.0)]}) == {1: 1.0, 2: 0.25}


def test_found_by_two_channels_comes_first(db):
    ranked = fused(
        {LEXICAL: [row(1, 10, 9.0), row(2, 20, 8.0)], SEMANTIC: [row(2, 20, 0.5), row(3, 30, 0.4)]}
    )
    assert [(one.file_id, one.channels) for one in ranked] == [
        (2, (LEXICAL, SEMANTIC)),
        (1, (LEXICAL,)),
        (3, (SEMANTIC,)),
    ]


def test_weights_decide_between_channels(db):
    ranked = fused({LEXICAL: [row(1, 10, 9.0)], PATH: [row(2, 20, 1.0)]})
    assert [one.file_id for one in ranked] == [2, 1]


def test_a_file_counts_its_next_two_chunks(db):
    """4 + 0.3 * (4 + 4) = 6.4 is the best file; a fourth chunk adds nothing to it."""
    assert NEXT_SHARE == 0.3
    many = [row(1, 10, 5.0), *(row(2, 20 + n, 4.0) for n in range(4))]
    assert file_scores({LEXICAL: many}) == {2: 1.0, 1: round(5 / 6.4, 3)}


def test_of_meaning_a_file_counts_its_best_chunk_alone(db):
    many = [row(1, 10, 0.5), *(row(2, 20 + n, 0.4) for n in range(3))]
    assert file_scores({SEMANTIC: many}) == {1: 0.5, 2: 0.4}


def test_a_file_that_covers_the_question_gains(db):
    assert COVERED_WEIGHT == 0.5
    rows = [row(1, 10, 5.0, covered=0.2), row(2, 20, 4.5, covered=0.6)]
    assert file_scores({LEXICAL: rows}) == {2: 1.2, 1: 1.1}


def test_literal_rows_are_measured_by_a_full_score(db):
    assert FULL_SCORES == {LITERAL: 2.0}
    assert file_scores({LITERAL: [row(1, 10, 0.6)]}) == {1: 0.3}
    assert file_scores({LITERAL: [row(1, 10, 1.5), row(1, 11, 1.5)]}) == {1: 0.975}


def test_ties_keep_the_order_of_the_channel(db):
    ranked = fused({LEXICAL: [row(n, n, 1.0) for n in (5, 3, 4)]})
    assert [one.file_id for one in ranked] == [5, 3, 4]


def test_files_without_chunks_and_the_limit(db):
    ranked = fused({PATH: [row(1, None, 2.0), row(2, None, 1.0)]}, rows=1)
    assert [(one.file_id, one.chunk_id) for one in ranked] == [(1, None)]


def test_rows_without_a_score_are_left_out(db):
    assert fused({LEXICAL: [row(1, 1, 0.0)]}) == []


def test_channels_without_a_weight_are_left_out(db):
    assert fuse({LEXICAL: [row(1, 1, 1.0)]}, weights={PATH: 1.0}, rows=9) == []
