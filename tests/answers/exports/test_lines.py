"""Rows of code on paper."""

import re

from answers.exports.lines import COLUMNS, MOST_CHARS, rows, visible


def html_of(text, **extra):
    return [row.html for row in rows(7, [("", text)], cited=False, notes=(), **extra)]


def test_a_short_line_is_one_row_with_its_number():
    found = rows(12, [("k", "def"), ("", " f(x):")], cited=True, notes=[3])
    assert [(row.number, row.html, row.cited, row.notes) for row in found] == [
        ("12", '<i class="k">def</i> f(x):', True, (3,))
    ]


def test_a_long_line_goes_on_below_with_a_mark_and_loses_nothing():
    text = "".join(chr(97 + number % 26) for number in range(5_000))
    found = rows(7, [("s", text)], cited=False, notes=())
    assert [row.number for row in found] == ["7"] + ["↪"] * (len(found) - 1)
    assert "".join(re.sub("<[^>]+>", "", row.html) for row in found) == text
    assert len(found) == 50  # of COLUMNS each


def test_wide_characters_take_two_columns():
    assert [len(row) for row in html_of("漢" * COLUMNS)] == [COLUMNS // 2, COLUMNS // 2]


def test_a_line_without_end_is_cut_and_says_how_much_is_left():
    found = html_of("x" * (MOST_CHARS + 1_234))
    assert found[-1].endswith('<span class="cut"> … 1,234 more characters</span>')
    assert len(found) == MOST_CHARS // COLUMNS


def test_every_character_is_text():
    assert html_of('<script>&"') == ['&lt;script&gt;&amp;"']


def test_what_hides_or_turns_text_is_shown_by_its_number():
    assert html_of("a\u202eb\x07") == [
        'a<span class="hidden">U+202E</span>b<span class="hidden">U+0007</span>'
    ]
    assert visible("a\u2066b\nc") == "a[U+2066]b\nc"


def test_emoji_that_are_joined_stay_joined():
    assert html_of("👩\u200d👧") == ["👩\u200d👧"]


def test_an_empty_line_has_its_row():
    assert html_of("") == [""]
