import pytest

from search.exact_query import Needle
from search.regex import Finder, NeedleMatcher, PatternRefused, lines_with_all

TEXT = "abc\nfoo bar\r\n\nfóo end\n  return x\n"


def finder(pattern: str, *, ignore_case: bool = False) -> Finder:
    return Finder(Needle(pattern, is_regex=True, ignore_case=ignore_case))


def lines(pattern: str, text: str = TEXT, *, ignore_case: bool = False, most: int = 9) -> list[int]:
    return lines_with_all([finder(pattern, ignore_case=ignore_case)], text, most=most)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("^foo", [2]),
        ("bar$", [2]),
        ("^$", [3]),
        ("ó", [4]),
        (r"\bend\b", [4]),
        (r"\d", []),
        (r"\breturn\s+\w", [5]),
        ("c.*f", []),
        ("(?s)c.*f", []),
        (r"c\nf", []),
        (r"[^x]+", [1, 2, 4, 5]),
        ("x*", [1, 2, 3, 4, 5]),
        (r"\s", [2, 4, 5]),
        ("(?i)FOO", [2]),
        (r"\pL+ó", [4]),
        ("FOO", []),
    ],
)
def test_a_pattern_sees_one_line_at_a_time(pattern: str, found: list[int]):
    assert lines(pattern) == found


def test_case():
    assert lines("FÓO", ignore_case=True) == [4]


def test_a_text_without_a_last_line_break():
    assert lines("b$", "a\nb") == [2]
    assert lines("^$", "a\n") == []
    assert lines("^", "") == [1]


def test_lines_are_bounded():
    assert lines("a", "a\n" * 50, most=3) == [1, 2, 3]


def test_all_needles_must_be_there_and_any_marks_a_line():
    both = [finder("abc"), finder("end")]
    assert lines_with_all(both, TEXT, most=9) == [1, 4]
    assert lines_with_all([finder("abc"), finder("zzz")], TEXT, most=9) == []


def test_marks_are_columns_and_do_not_overlap():
    matcher = NeedleMatcher([finder("ó."), finder("o"), finder("$")])
    assert matcher.spans("fóo oo") == [(1, 3), (4, 5), (5, 6)]


def test_literal_text_has_no_operators():
    found = Finder(Needle("a.b(", is_regex=False, ignore_case=True))
    assert lines_with_all([found], "axb(\nA.B(\n", most=9) == [2]


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        ("a(b", "wrong at character 2: this ( is never closed"),
        (r"\((b", "wrong at character 3: this ( is never closed"),
        ("[(](b", "wrong at character 4: this ( is never closed"),
        ("(a)b)", "wrong at character 5: this ) was never opened"),
        ("x[a", "wrong at character 2: this [ is never closed"),
        ("[z-a]", "wrong at character 2: z-a is no range"),
        ("[[:foo:]]", "wrong at character 2: [:foo:] is no range or class"),
        (r"\p{Foo}", r"wrong at character 1: \p{Foo} is no range or class"),
        ("ab**", "wrong at character 3: ** repeats what is repeated already"),
        ("*a", "wrong at character 1: there is nothing before *"),
        ("a{1001}", "wrong at character 2: {1001}: at most 1,000 repetitions"),
        ("x(?=y)", "wrong at character 2: (?= looks around, which is not supported"),
        ("(?<!x)", "wrong at character 1: (?<! looks around"),
        (r"(a)\1", r"wrong at character 4: \1 refers back to a group, which is not supported"),
        (r"\y", r"wrong at character 1: \y is no escape"),
        ("\\", "wrong at character 1: nothing follows the last \\"),
        ("(?z)", "wrong at character 1: (?z is no group or flag"),
        (r"(\pL{1,900}x){1,1}", "was refused: it is too large"),
    ],
)
def test_a_wrong_pattern_is_refused_with_the_place(pattern: str, message: str):
    with pytest.raises(PatternRefused) as refused:
        finder(pattern)
    assert message in str(refused.value)
    assert f"/{pattern}/" in str(refused.value)


@pytest.mark.timeout(30)  # exponential time would take years
@pytest.mark.parametrize(
    "pattern", [r"(a+)+$", r"(a|aa)+b", r"(\w+\s?)*x$", r"(.*)*(.*)*(.*)*b", "(a?){500}a{500}"]
)
def test_a_catastrophic_pattern_takes_linear_time(pattern: str):
    lines(pattern, ("a" * 20_000 + "!\n") * 5)


@pytest.mark.parametrize("pattern", ["a" * 500_000, r"\pL{1000}"])
def test_a_pattern_that_is_too_large_is_refused(pattern: str):
    with pytest.raises(PatternRefused, match="refused"):
        finder(pattern)


def test_a_nul_is_a_character():
    assert lines("a\x00b", "x\na\x00b\n") == [2]
