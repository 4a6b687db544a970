import pytest

from search.exact_query import ExactQuery, Needle, parse_exact, take_patterns
from search.query import Field


def needles(text: str) -> list[tuple[str, bool, bool]]:
    asked = parse_exact(text)
    return [(one.text, one.is_regex, one.ignore_case) for one in asked.needles] if asked else []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (r"/foo.*bar/", [("foo.*bar", True, False)]),
        (r"/Foo/i", [("Foo", True, True)]),
        (r"/a\/b/", [(r"a\/b", True, False)]),
        ("/[a-z/]x/", [("[a-z/]x", True, False)]),
        ("/def (a|b) /", [("def (a|b) ", True, False)]),
        ("/[/", [("[", True, False)]),
        ('"exact text"', [("exact text", False, True)]),
        ('"Exact" case:yes', [("Exact", False, False)]),
        ("/foo/ case:no", [("foo", True, True)]),
        ("Foo case:yes", [("Foo", False, False)]),
        ("Foo -case:yes", [("Foo", False, True)]),
        ("/a1/ /b2/i word", [("a1", True, False), ("b2", True, True), ("word", False, True)]),
    ],
)
def test_what_is_looked_for_as_it_stands(text: str, found: list[tuple[str, bool, bool]]):
    assert needles(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "", "word", "/usr/bin", "/usr/bin/", "a / b / c", "// note /", "/* note */", "/", "//",
        '"quoted" and words', '"see /docs/ here" please', "case:yes", "case:maybe word",
        "and/or/", "/foo/g", "lang:py",
    ],
)  # fmt: skip
def test_other_queries_are_for_words(text: str):
    assert parse_exact(text) is None


def test_filters_stay_and_the_text_is_whole():
    asked = parse_exact("repo:lib /foo lang:x/ -path:tests")
    assert isinstance(asked, ExactQuery)
    assert asked.needles == (Needle("foo lang:x", is_regex=True, ignore_case=False),)
    assert asked.query.values(Field.REPOSITORY) == ["lib"]
    assert asked.query.values(Field.PATH, negated=True) == ["tests"]
    assert asked.query.text == "repo:lib /foo lang:x/ -path:tests"


def test_a_pattern_in_quotes_is_quoted_text():
    assert take_patterns('"x /y/ z"') == ([], '"x /y/ z"')


def test_patterns_are_bounded():
    patterns, rest = take_patterns("/a/ " * 20)
    assert len(patterns) == 8
    assert rest.split() == ["/a/"] * 12
