import pytest
from hypothesis import given
from hypothesis import strategies as st

from search.query import MAX_CHARS, MAX_TERMS, Field, Filter, Note, parse_query
from tests.search.golden_queries import cases, fields


@pytest.mark.parametrize(("text", "expected"), list(cases()))
def test_golden(text: str, expected: str):
    assert fields(parse_query(text)) == expected


@pytest.mark.parametrize("text", ["", " ", "\n\t "])
def test_blank_is_empty(text: str):
    assert parse_query(text).is_empty


def test_filters_alone_find_nothing():
    query = parse_query("lang:py path:src")
    assert query.is_empty
    assert query.values(Field.PATH) == ["src"]


def test_nul_becomes_a_space_and_is_noted():
    query = parse_query("\x00x\x00y")
    assert query.words == "x y"
    assert query.notes == (Note.CONTROLS,)


def test_line_breaks_are_spaces():
    assert parse_query("a\r\nb\tc").words == "a b c"


def test_lone_surrogates_are_left_out():
    assert parse_query("a\udc80b").words == "a b"


def test_ten_thousand_characters_are_cut_with_a_note():
    query = parse_query("word " * 2000)
    assert len(query.text) <= MAX_CHARS
    assert query.notes == (Note.CUT,)


def test_terms_are_bounded():
    query = parse_query(" ".join(f"w{number}" for number in range(300)))
    assert len(query.terms) == MAX_TERMS


def test_one_long_word_is_looked_for_as_it_stands():
    assert parse_query("x" * 9000).literal == "x" * MAX_CHARS


def test_plain_words_as_they_stand_need_all_their_terms():
    assert parse_query("for i in range").literal_terms == ("for", "i", "in", "rang")
    assert parse_query("for i := range").literal_terms == ()


def test_negated_filter():
    assert parse_query("foo -lang:go").filters == (Filter(Field.LANGUAGE, "go", negated=True),)


def test_without_a_filter():
    query = parse_query('lang:py foo -path:"a b" "x y"')
    assert query.without(query.filters[0]) == 'foo -path:"a b" "x y"'
    assert query.without(query.filters[1]) == 'lang:py foo "x y"'


@given(st.text(max_size=300))
def test_no_text_fails(text: str):
    query = parse_query(text)
    assert len(query.text) <= MAX_CHARS


@given(st.lists(st.sampled_from(['"', "-", "path:", "lang:", "a", " ", "(", "\\", "_", "%", ":"])))
def test_no_mix_of_marks_fails(pieces: list[str]):
    query = parse_query("".join(pieces))
    assert query.is_empty or query.words or query.phrases
