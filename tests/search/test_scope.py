import pytest

from search.query import parse_query
from search.scope import Scope, escape_like, language_name, narrow, path_pattern, tsquery_without

ALL = Scope((1,), (1,))


@pytest.mark.parametrize(
    ("written", "pattern"),
    [
        ("src", "%src%"),
        ("/src", "src%"),
        ("*.py", "%%.py"),
        ("src/*/test*", "%src/%/test%%"),
        ("cli.py$", "%cli.py"),
        ("a_b%", r"%a\_b\%%"),
    ],
)
def test_path_pattern(written: str, pattern: str):
    assert path_pattern(written) == pattern


def test_like_wildcards_are_escaped():
    assert escape_like(r"15%_\x") == r"15\%\_\\x"


@pytest.mark.parametrize("written", ["py", ".py", "Python", "PYTHON"])
def test_language_by_name_label_or_extension(written: str):
    assert language_name(written) == "python"


def test_unknown_language_stays_and_finds_nothing():
    assert language_name("klingon") == "klingon"


def test_narrow_takes_all_filters():
    scope = narrow(ALL, parse_query("x lang:py -lang:go path:a -path:b kind:func -kind:key"))
    assert (scope.languages, scope.not_languages) == (("python",), ("go",))
    assert (scope.paths, scope.not_paths) == (("%a%",), ("%b%",))
    assert (scope.kinds, scope.not_kinds) == (("function",), ("key",))


def test_without_filters_nothing_is_narrowed():
    assert narrow(ALL, parse_query("x")) == ALL


def test_excluded_words_need_all_their_parts():
    assert tsquery_without(["testCase", "it's"]) == ("('test' & 'case' & 'testcas') | ('it' & 's')")


def test_excluded_marks_are_no_word():
    assert tsquery_without(["--"]) is None
