"""Colours never change the text, whatever the text is."""

import re
import time
from html import unescape

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexing import guarded
from indexing.guarded import TookTooLong
from indexing.highlighting import Mark, colour, html_line
from indexing.languages import LANGUAGES


def text_of(html: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", html))


def html_of(*lines: str, language: str) -> list[str]:
    return [html_line(pieces) for pieces in colour(lines, language)]


LINES = st.lists(st.text(st.characters(exclude_characters="\n"), max_size=60), max_size=8)


@settings(max_examples=150, deadline=None)
@given(LINES, st.sampled_from(["python", "javascript", "html", "c", "yaml", "markdown", "bash"]))
def test_the_text_stays_as_it_is(lines, language):
    lines = lines or [""]
    assert [text_of(html_line(pieces)) for pieces in colour(lines, language)] == lines


@pytest.mark.parametrize("language", sorted(LANGUAGES))
def test_every_language_keeps_odd_lines(language):
    lines = ["", "  \t x = '<b>&amp;\x0c\x85\u2028 \ufffd", "'''", "", "  ", "\r", "#!"]
    assert ["".join(t for _, t in line) for line in colour(lines, language)] == lines


def test_keywords_strings_and_names():
    [line] = html_of("def f(): return 'a<b'", language="python")
    assert line == (
        "<i class=k>def </i><i class=n>f</i>(): "
        "<i class=k>return </i><i class=s>&#x27;a&lt;b&#x27;</i>"
    )


def test_a_string_over_lines_is_coloured_on_each():
    first, second = html_of('x = """a', 'b"""', language="python")
    assert first.endswith("<i class=s>&quot;&quot;&quot;a</i>")
    assert second == "<i class=s>b&quot;&quot;&quot;</i>"


def test_an_unknown_language_is_plain():
    assert html_of("<x>", language="nothing") == ["&lt;x&gt;"]


def test_a_mark_cuts_through_colours():
    html = html_line([("s", "'ab"), ("", "cd")], [Mark(2, 4, "key")])
    assert html == (
        "<i class=s>&#x27;a</i>"
        '<span class="redacted" title="key">b</span><span class="redacted" title="key">c</span>d'
    )


@given(st.text(max_size=30), st.lists(st.integers(0, 40), min_size=2, max_size=6))
def test_marks_keep_the_text(text, columns):
    columns = sorted(columns)
    marks = [Mark(a, b, "x") for a, b in zip(columns[::2], columns[1::2], strict=False)]
    assert text_of(html_line([("k", text[:7]), ("", text[7:])], marks)) == text


def test_work_in_the_child_gives_what_it_gives_here():
    assert guarded.guarded(colour, ["import os"], "python") == colour(["import os"], "python")


@pytest.mark.parametrize(
    "language", ["python", "javascript", "typescript", "c", "markdown", "ruby", "perl", "yaml"]
)
@pytest.mark.parametrize("text", ["(" * 20_000, "a" * 20_000, "\\" * 20_000, "<" * 20_000, "'" * 9])
def test_long_runs_end_in_time(language, text):
    lines = [text[at : at + 1000] for at in range(0, len(text), 1000)]
    try:
        guarded.guarded(colour, lines, language)
    except TookTooLong:
        pytest.skip("shown plain")


def test_what_hangs_is_ended_and_the_next_call_works(monkeypatch):
    monkeypatch.setattr(guarded, "SECONDS", 1)
    with pytest.raises(TookTooLong):
        guarded.guarded(time.sleep, 30)
    assert guarded.guarded(len, "abc") == 3
