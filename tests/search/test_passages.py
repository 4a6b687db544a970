"""Chunks that touch are read together: pure, on hits in order of rank."""

from search.retrieval import ChunkHit, passages


def hit(first: int, last: int, *, file: int = 1, channel: str = "lexical") -> ChunkHit:
    score = 1.0 / (first + 1)
    return ChunkHit(1, file, first, f"{file}.py", first, last, "", "", score, 1.0, (channel,))


def lines(*hits: ChunkHit, limit: int = 10) -> list[tuple[int, int, int]]:
    return [(one.file_id, one.start_line, one.end_line) for one in passages(hits, limit)]


def test_what_touches_joins_the_better_one():
    assert lines(hit(11, 20), hit(40, 50), hit(21, 30), hit(1, 10)) == [(1, 1, 30), (1, 40, 50)]


def test_a_line_between_keeps_them_apart():
    assert lines(hit(1, 10), hit(12, 20)) == [(1, 1, 10), (1, 12, 20)]


def test_the_same_lines_of_another_file_do_not_touch():
    assert lines(hit(1, 10), hit(11, 20, file=2)) == [(1, 1, 10), (2, 11, 20)]


def test_a_passage_stays_short():
    assert lines(hit(1, 30), hit(31, 50), hit(51, 60)) == [(1, 1, 50), (1, 51, 60)]
    assert lines(hit(1, 30), hit(31, 51)) == [(1, 1, 30), (1, 31, 51)]


def test_a_file_gives_three_passages_and_four_chunks():
    apart = [hit(100 * number, 100 * number + 9) for number in range(1, 6)]
    assert len(lines(*apart)) == 3
    row = [hit(10 * number + 1, 10 * number + 10) for number in range(5)]
    assert lines(*row) == [(1, 1, 40)]


def test_what_is_left_out_does_not_use_up_a_file():
    apart = [hit(100 * number, 100 * number + 9) for number in range(1, 6)]
    assert lines(*apart, hit(110, 119))[0] == (1, 100, 119)


def test_it_ends_at_the_limit():
    assert lines(hit(1, 10), hit(1, 10, file=2), hit(11, 20), limit=2) == [(1, 1, 10), (2, 1, 10)]


def test_a_file_without_text_is_joined_to_nothing():
    assert lines(hit(0, 0), hit(1, 10)) == [(1, 0, 0), (1, 1, 10)]


def test_a_passage_is_found_by_the_channels_of_all_its_chunks():
    (one,) = passages([hit(1, 10), hit(11, 20, channel="semantic")], 5)
    assert (one.chunk_id, one.channels) == (1, ("lexical", "semantic"))
