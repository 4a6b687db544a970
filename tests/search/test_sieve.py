import pytest
from django.db import connection
from hypothesis import given, settings
from hypothesis import strategies as st

from search.exact_query import Needle
from search.regex import Finder, PatternRefused
from search.sieve import LONGEST, plain_of, sieve_of


def sieve(pattern: str, *, ignore_case: bool = False) -> str | None:
    return sieve_of((Needle(pattern, is_regex=True, ignore_case=ignore_case),))


@pytest.mark.parametrize(
    ("pattern", "kept"),
    [
        (r"foo.*bar", "(?n)foo.*bar"),
        (r"^\s*def\s+test_\w+\(", r"(?n)def.*test_.*\("),
        (r"\bclass\b", "(?n)class"),
        (r"(get|set)_user", "(?n)(?:get|set)_user"),
        (r"(?P<n>abc)+x", "(?n)abc.*x"),
        (r"abc?def", "(?n)ab.*def"),
        (r"abc{0,3}def", "(?n)ab.*def"),
        (r"abc{2}", "(?n)abc"),
        (r"[[:alpha:]\]]name", "(?n)name"),
        (r"\pLname\p{Greek}", "(?n)name"),
        (r"\Qa.name\E", r"(?n)a\.name"),
        (r"na(?i)me", "(?in)name"),
        (r"héllo", "(?n)héllo"),
        (r"\x41bcd", "(?n)bcd"),
    ],
)
def test_what_a_match_must_hold_is_kept(pattern: str, kept: str):
    assert sieve(pattern) == kept


@pytest.mark.parametrize(
    "pattern", ["", "ab", "a.b.c", r"\w+", "->", "(foo|b)", "(foo)?", "(foo)*", "[foo]", "(" * 40]
)
def test_a_pattern_without_a_trigram_has_no_sieve(pattern: str):
    assert sieve(pattern) is None


def test_beyond_ascii_the_case_is_left_open():
    assert sieve("héllo", ignore_case=True) == "(?in)h.*llo"


def test_the_longest_of_several_is_asked():
    needles = (Needle("abc", is_regex=False, ignore_case=False), Needle("abcdef", False, False))
    assert sieve_of(needles) == "(?n)abcdef"


def test_a_long_text_is_cut():
    found = sieve_of((Needle("abcd" * 250, is_regex=False, ignore_case=False),))
    assert found is not None
    assert len(found) <= LONGEST + len("(?n)")


@pytest.mark.parametrize(
    ("pattern", "plain"),
    [
        (r"def main\(\.\*\\", "def main(.*\\"),
        (r"^\(\?:abc$", "(?:abc"),
        (r"\bclass\b", "class"),
        ("100%_abc", "100%_abc"),
        (r"abc.*def", None),
        (r"\\.*abc.def", None),
        ("(abc|def)", None),
        ("(?i)abc", None),
        ("ab", None),
    ],
)
def test_one_text_in_its_case_is_plain(pattern: str, plain: str | None):
    assert plain_of((Needle(pattern, is_regex=True, ignore_case=False),)) == plain


def test_in_any_case_nothing_is_plain():
    assert plain_of((Needle("abcdef", is_regex=False, ignore_case=True),)) is None


ATOMS = st.sampled_from(
    ["abc", "x", "Def", " ", ".", r"\w", r"\d+", "[a-c]", "(?:abc|def)", "(abc)?", "é", r"\.",
     r"\(", "-", r"\b", "^", "$", "(?i)", "a*", "bcd+", "c{2}", "(x|abc)", r"\s", "_", "''"]
)  # fmt: skip
TEXTS = st.text("abcdefxABCDEFé ._-('\n\r019", max_size=60)


@pytest.mark.django_db
@settings(max_examples=300, deadline=None)
@given(atoms=st.lists(ATOMS, min_size=1, max_size=5), text=TEXTS, ignore_case=st.booleans())
def test_the_sieve_loses_no_match(*, atoms: list[str], text: str, ignore_case: bool):
    needle = Needle("".join(atoms), is_regex=True, ignore_case=ignore_case)
    kept = sieve_of((needle,))
    if kept is None:
        return
    try:
        lines = Finder(needle).lines(text.replace("\r\n", "\n").encode(), most=1)
    except PatternRefused:
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s ~ %s", [text, kept])
        assert cursor.fetchone()[0] or not lines
    plain = plain_of((needle,))
    assert plain is None or plain in text or not lines
