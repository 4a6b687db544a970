from hypothesis import given, settings
from hypothesis import strategies as st

from answers import evidence
from answers.evidence import Extent, Hit, Source, choose, new_labels, tokens_of
from search.scope import FileKey

A, B, C = FileKey(1, 1), FileKey(1, 2), FileKey(2, 1)
SIX = Source([f"line {n}" for n in range(1, 61)])


def hit(start, end, file=A, *, symbol="", channels=("lexical",)):
    return Hit(file, start, end, symbol, 1.0, channels)


def spans(pieces):
    return [(piece.file, piece.start_line, piece.end_line) for piece in pieces]


def test_order_is_that_of_the_hits():
    pieces = choose([hit(30, 32), hit(1, 3), hit(5, 9, B)], {A: SIX, B: SIX})
    assert spans(pieces) == [(A, 30, 32), (A, 1, 3), (B, 5, 9)]


def test_fourth_piece_of_a_file_is_left_out():
    hits = [hit(n, n + 1) for n in (1, 10, 20, 30)] + [hit(1, 2, B)]
    assert spans(choose(hits, {A: SIX, B: SIX})) == [(A, 1, 2), (A, 10, 11), (A, 20, 21), (B, 1, 2)]


def test_ninth_piece_is_left_out():
    files = [FileKey(1, n) for n in range(9)]
    pieces = choose([hit(1, 2, file) for file in files], dict.fromkeys(files, SIX))
    assert [piece.file for piece in pieces] == files[:8]


def test_what_does_not_fit_is_skipped_and_the_next_tried():
    large, small = Source(["x" * 300] * 60), SIX
    budget = tokens_of(small.lines, (1, 3)) + 10
    assert spans(choose([hit(1, 60), hit(1, 3, B)], {A: large, B: small}, budget=budget)) == [
        (B, 1, 3)
    ]


def test_adjacent_chunks_of_one_symbol_become_one_piece():
    hits = [hit(11, 20, symbol="f"), hit(40, 41), hit(1, 10, symbol="f", channels=("path",))]
    pieces = choose(hits, {A: SIX})
    assert spans(pieces) == [(A, 1, 20), (A, 40, 41)]
    assert pieces[0].channels == ("lexical", "path")


def test_adjacent_chunks_of_two_symbols_stay_two_pieces():
    hits = [hit(11, 20, symbol="f"), hit(1, 10, symbol="g")]
    assert spans(choose(hits, {A: SIX})) == [(A, 11, 20), (A, 1, 10)]


def test_the_whole_function_rather_than_its_middle():
    source = Source(SIX.lines, [Extent("f", "function", 5, 40)])
    assert spans(choose([hit(20, 25, symbol="f")], {A: source})) == [(A, 5, 40)]


def test_a_function_that_does_not_fit_gives_the_lines_found():
    source = Source(["x" * 200] * 60, [Extent("f", "function", 1, 60)])
    assert spans(choose([hit(20, 25, symbol="f")], {A: source})) == [(A, 20, 25)]


def test_a_class_is_not_taken_whole():
    source = Source(SIX.lines, [Extent("C", "class", 1, 60)])
    assert spans(choose([hit(1, 4, symbol="C")], {A: source})) == [(A, 1, 4)]


def test_of_two_functions_with_one_name_the_one_around_the_hit():
    extents = [Extent("f", "function", 1, 9), Extent("f", "function", 20, 30)]
    assert spans(choose([hit(22, 24, symbol="f")], {A: Source(SIX.lines, extents)})) == [
        (A, 20, 30)
    ]


def test_a_whole_function_swallows_what_was_chosen_inside_it():
    source = Source(SIX.lines, [Extent("f", "function", 5, 40)])
    hits = [hit(10, 12, symbol="f.inner"), hit(20, 25, symbol="f")]
    pieces = choose(hits, {A: source})
    assert spans(pieces) == [(A, 5, 40)]
    assert pieces[0].rank == 0


def test_blank_lines_at_the_edges_are_no_evidence():
    source = Source(["", " ", "a", "", "b", "\t", ""])
    assert spans(choose([hit(1, 7), hit(1, 2, B)], {A: source, B: source})) == [(A, 3, 5)]


def test_hits_without_lines_or_source_are_left_out():
    assert choose([hit(0, 0), hit(1, 2, C), hit(59, 61)], {A: SIX}) == []


def test_tokens_count_bytes_numbers_and_the_label():
    assert tokens_of(["abcdef", "日本"], (1, 2)) == evidence.PIECE_TOKENS + 2 + 2 + 2 * 2


def test_labels_are_distinct_and_differ_every_time():
    labels = new_labels(8)
    assert len(set(labels)) == 8
    assert {len(label) for label in labels} == {5}
    assert labels != new_labels(8)


@st.composite
def searches(draw):
    """Hits over three files of up to 60 lines, some of them in functions."""
    sources, hits = {}, []
    for file in (A, B, C):
        count = draw(st.integers(1, 60))
        bounds = st.tuples(st.integers(1, count), st.integers(1, count)).map(sorted)
        extents = [
            Extent(name, "function", *draw(bounds))
            for name in draw(st.lists(st.sampled_from("fg")))
        ]
        sources[file] = Source([draw(st.sampled_from(["", "x", "y" * 400]))] * count, extents)
        hits += [
            hit(start, end, file, symbol=draw(st.sampled_from(["", "f", "g"])))
            for start, end in draw(st.lists(bounds, max_size=8))
        ]
    return draw(st.permutations(hits)), sources, draw(st.integers(0, 3_000))


@settings(max_examples=300, deadline=None)
@given(searches())
def test_choice_keeps_its_promises(search):
    hits, sources, budget = search
    pieces = choose(hits, sources, budget=budget)
    lines = [(p.file, n) for p in pieces for n in range(p.start_line, p.end_line + 1)]
    files = [piece.file for piece in pieces]
    assert len(lines) == len(set(lines))
    assert len(pieces) <= 8
    assert all(files.count(file) <= 3 for file in files)
    assert [piece.rank for piece in pieces] == sorted({piece.rank for piece in pieces})
    assert all(1 <= p.start_line <= p.end_line <= len(sources[p.file].lines) for p in pieces)
    assert sum(tokens_of(sources[p.file].lines, (p.start_line, p.end_line)) for p in pieces) <= (
        budget
    )


@settings(max_examples=200, deadline=None)
@given(searches())
def test_every_piece_holds_the_lines_of_its_best_hit(search):
    hits, sources, budget = search
    for piece in choose(hits, sources, budget=budget):
        best, lines = hits[piece.rank], sources[piece.file].lines
        found = [n for n in range(best.start_line, best.end_line + 1) if lines[n - 1].strip()]
        assert piece.file == best.file
        assert all(piece.start_line <= number <= piece.end_line for number in found)
