from hypothesis import given
from hypothesis import strategies as st

from search.snippets import (
    LINE_CHARS,
    WINDOW_LINES,
    Matcher,
    literal_lines,
    marked,
    shown_line,
    windows,
)

HOSTILE = '<script>alert("x")</script> & </mark><mark>'


def test_marked_escapes_before_it_marks():
    assert marked("a<b>c", [(1, 4)]) == "a<mark>&lt;b&gt;</mark>c"


def test_hostile_code_stays_text():
    html = marked(HOSTILE, Matcher(terms=["script"]).spans(HOSTILE))
    assert html.startswith("&lt;<mark>script</mark>&gt;alert(&quot;x&quot;)&lt;/")
    assert html.count("<mark>") == 2
    assert html.count("<") == 4


def test_parts_of_an_identifier_are_marked():
    matcher = Matcher(terms=["get", "id"])
    assert marked("getUserById()", matcher.spans("getUserById()")) == (
        "<mark>get</mark>UserBy<mark>Id</mark>()"
    )


def test_a_whole_name_is_marked_as_one():
    matcher = Matcher(terms=["get", "id"], names=["getUserById"])
    assert matcher.spans("x = getUserById") == [(4, 15)]


def test_word_forms_are_marked():
    assert Matcher(terms=["environ"]).spans("environment") == [(0, 11)]


def test_literal_text_takes_the_place_of_words():
    matcher = Matcher(terms=["a", "b"], literals=["a ? b"])
    assert matcher.spans("x = A ? B : b") == [(4, 9)]


def test_literal_text_is_no_pattern():
    matcher = Matcher(literals=["a+(b|c)*$"])
    assert matcher.spans("aab /a+(b|c)*$/") == [(5, 14)]


def test_best_line_of_a_range_with_its_neighbours():
    lines = ["one", "two", "needle here", "four", "five", "six"]
    (window,) = windows(lines, [(1, 6)], Matcher(terms=["needl"]))
    assert (window.start, window.end) == (2, 5)
    assert [line.number for line in window.lines if line.marks] == [3]


def test_a_window_neither_begins_nor_ends_with_a_blank_line():
    (window,) = windows(["", "def run():", "", " "], [(1, 4)], Matcher(terms=["run"]))
    assert (window.start, window.end) == (2, 2)


def test_a_definition_comes_first():
    lines = ["run run run", "x", "x", "x", "x", "def run():"]
    matcher = Matcher(terms=["run"]).naming({6: "run"})
    (window,) = windows(lines, [(1, 6)], matcher)
    assert (window.start, window.end) == (5, 6)


def test_at_most_three_windows_in_order_of_line():
    lines = ["needle" if number % 10 == 0 else "x" for number in range(1, 61)]
    found = windows(lines, [(51, 60), (1, 10), (31, 40), (11, 20)], Matcher(terms=["needl"]))
    assert [window.start for window in found] == [9, 39, 59]


def test_no_line_is_shown_twice_and_windows_stay_short():
    found = windows(["( ("] * 60, [(1, 60)], Matcher(literals=["("]))
    numbers = [line.number for window in found for line in window.lines]
    assert numbers == sorted(set(numbers))
    assert max(len(window.lines) for window in found) <= WINDOW_LINES


def test_ranges_beyond_the_text_show_nothing():
    assert windows([], [(0, 0)], Matcher(terms=["x"])) == []
    assert windows(["a"], [(5, 9)], Matcher(terms=["x"])) == []


def test_a_long_line_is_cut_around_its_first_mark():
    line = shown_line(1, "x" * 1000 + " needle " + "y" * 1000, Matcher(terms=["needl"]))
    assert len(line.text) == LINE_CHARS
    assert [line.text[start:end] for start, end in line.marks] == ["needle"]
    assert (line.cut_start, line.cut_end) == (True, True)


def test_literal_lines_are_exactly_the_lines():
    lines = ["rate = 15%", "rate = 150", "15%"]
    assert literal_lines(lines, Matcher(literals=["15%"]), most=9) == [1, 3]
    assert literal_lines(lines, Matcher(literals=["15%"]), most=1) == [1]


@given(st.text(max_size=500), st.text(min_size=1, max_size=5))
def test_marks_lie_inside_the_shown_text(text: str, literal: str):
    line = shown_line(1, text, Matcher(terms=["a"], literals=[literal]))
    assert all(0 <= start < end <= len(line.text) for start, end in line.marks)
