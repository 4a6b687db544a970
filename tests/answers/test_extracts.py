import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answers import extracts
from answers.extracts import MOST_LINES, Extract, matches, weigh

CODE = '''def open_session(self, app):
    """Open the session
    from the signed cookie. Called once.
    """
    serializer = self.serializer(app)
    if serializer is None:
        return None

    value = app.cookies.get(self.name)
    try:
        data = serializer.loads(value)
    except BadSignature:
        return self.empty()
    }'''.splitlines()


def best_lines(*args, **options) -> Extract:
    found = extracts.best_lines(*args, **options)
    assert found is not None
    return found


def doc_lines(doc, lines, start) -> Extract:
    found = extracts.doc_lines(doc, lines, start)
    assert found is not None
    return found


def test_the_lines_with_the_rare_words_win():
    weights = weigh(["signatur", "serial"], ["serializer"] * 3 + ["\n".join(CODE)])
    found = best_lines(CODE, 100, weights)
    assert (found.start_line, found.end_line) == (110, 112)
    assert found.quote == "\n".join(CODE[10:13])


def test_rarer_terms_weigh_more():
    weights = weigh(["a1", "b1", "c1"], ["a1 b1", "a1"])
    assert weights == pytest.approx({"a1": 0.693147, "b1": 1.098612})


def test_the_line_that_names_the_symbol_helps():
    weights = weigh(["session"], ["\n".join(CODE)])
    assert best_lines(CODE, 1, weights, name_lines=[1]).start_line == 1


def test_a_window_ends_where_another_function_begins():
    lines = ["def f(x):", "    return x", "def g(y):", "    return y"]
    found = best_lines(lines, 1, {"x": 1.0, "y": 0.5}, breaks=[1, 3])
    assert (found.start_line, found.end_line) == (1, 2)


def test_never_a_lone_brace():
    assert extracts.best_lines(["}", "", "  });"], 1, {}) is None
    assert best_lines(["}", "x = brace()", "}"], 1, {"brace": 1.0}).quote == "x = brace()"


def test_lines_that_are_quoted_already_are_left_out():
    quoted = Extract(2, 3, "")
    weights = weigh(["session", "cooki"], ["\n".join(CODE)])
    found = best_lines(CODE, 1, weights, without=quoted)
    assert found.start_line > 3 or found.end_line < 2


def test_white_space_is_kept():
    assert best_lines(["\tif  x:\t", "\t\treturn  y"], 7, {"x": 1.0}).quote == (
        "\tif  x:\t\n\t\treturn  y"
    )


def test_the_doc_sentence_is_found_in_its_lines():
    found = doc_lines("Open the session from the signed cookie.", CODE, 20)
    assert (found.start_line, found.end_line) == (21, 22)
    assert found.quote == "\n".join(CODE[1:3])


def test_the_doc_sentence_is_found_in_comments():
    lines = ["x = 1", "// Returns the user", "// by its id.", "func get() {"]
    found = doc_lines("Returns the user by its id.", lines, 1)
    assert (found.start_line, found.end_line) == (2, 3)


def test_a_doc_sentence_that_is_not_there_is_not_given():
    assert extracts.doc_lines("Closes the session.", CODE, 1) is None
    assert extracts.doc_lines("", CODE, 1) is None


def test_a_doc_sentence_matches_by_a_term():
    assert matches("Signs cookies.", {"cooki": 1.0}) is True
    assert matches("Signs letters.", {"cooki": 1.0}) is False


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.text(alphabet="ab(){}_ \t日", max_size=12), max_size=30),
    st.integers(1, 1_000),
    st.dictionaries(st.sampled_from(["a", "b", "ab", "日"]), st.floats(0, 9)),
)
def test_an_extract_is_a_few_lines_as_they_stand(lines, start, weights):
    found = extracts.best_lines(lines, start, weights)
    if found is None:
        assert not any(char.isalnum() or char == "_" for line in lines for char in line)
        return
    first, last = found.start_line - start, found.end_line - start
    assert 0 <= first <= last < len(lines)
    assert last - first < MOST_LINES
    assert found.quote == "\n".join(lines[first : last + 1])
