"""Headings of Markdown and reStructuredText."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.readers import markdown, rst
from indexing.records import ParsedFile

MARKS = st.sampled_from(
    [
        "#",
        "##",
        " ",
        "=",
        "==",
        "-",
        "---",
        "~~~",
        "```",
        ">",
        "a",
        "Title",
        "\n",
        "\n\n",
        "\t",
        "<!--",
        "-->",
        "* x",
        "::",
        "..",
        "\r\n",
        "    ",
        "{#x}",
        "`",
        "\f",
        "\u2028",
    ]
)
HOSTILE = st.lists(MARKS, max_size=60).map("".join)


def outline(parsed: ParsedFile) -> list[tuple[str, int, int]]:
    return [(one.qualified_name, one.start_line, one.end_line) for one in parsed.symbols]


def names(text: str) -> list[str]:
    return [one.name for one in markdown.read(text).symbols]


def test_a_section_ends_before_the_next_heading_of_its_level():
    text = "# Top\n\n## One\ntext\n### Deep\n## Two\nlast\n"
    assert outline(markdown.read(text)) == [
        ("Top", 1, 7),
        ("Top.One", 3, 5),
        ("Top.One.Deep", 5, 5),
        ("Top.Two", 6, 7),
    ]


def test_a_higher_heading_closes_the_path():
    text = "## Low\n# High\n### Skipped\n"
    assert [one.parent for one in markdown.read(text).symbols] == ["", "", "High"]


@pytest.mark.parametrize("fence", ["```", "~~~", "````", "   ```"])
def test_nothing_in_a_fence_is_a_heading(fence):
    assert names(f"# A\n{fence}sh\n# b\n```\n{fence}\n# C\n")[0] == "A"
    assert "b" not in names(f"# A\n{fence}sh\n# b\n{fence}\n# C\n")


def test_a_shorter_fence_does_not_close_a_longer_one():
    assert names("````\n```\n# no\n````\n# yes\n") == ["yes"]


def test_a_tilde_fence_is_not_closed_by_backticks():
    assert names("~~~\n```\n# no\n~~~\n# yes\n") == ["yes"]


def test_inline_code_of_three_backticks_opens_no_fence():
    assert names("```not a fence``` text\n\n# yes\n") == ["yes"]


def test_an_open_fence_runs_to_the_end():
    assert names("# A\n```\n# b\n") == ["A"]


def test_front_matter_is_no_setext_heading():
    assert names("---\ntitle: x\n# y\n---\n# Real\n") == ["Real"]


def test_a_first_rule_is_no_front_matter():
    assert names("---\n# Real\n") == ["Real"]


@pytest.mark.parametrize(
    "text",
    ["- item\n---\n", "> quoted\n---\n", "\n---\n", "    code\n---\n", "| a |\n---\n"],
)
def test_a_rule_under_something_else_is_no_heading(text):
    assert names(text) == []


def test_setext_headings_of_both_levels():
    text = "Top\n===\n\ntwo\nlines\n---\nend\n"
    assert outline(markdown.read(text)) == [("Top", 1, 7), ("Top.two lines", 4, 7)]


def test_comments_and_raw_html_hold_no_headings():
    assert names("<!--\n# a\n-->\n<pre>\n# b\n</pre>\n# C\n") == ["C"]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("## Closed ##", "Closed"),
        ("# C#", "C#"),
        ("# `make` *it* [so](x.md)", "make it so"),
        ("# Anchored {#anchor}", "Anchored"),
        ("# snake_case_name", "snake_case_name"),
        ("#\tTabbed", "Tabbed"),
    ],
)
def test_names_are_plain_text(line, name):
    assert names(line) == [name]


@pytest.mark.parametrize("line", ["#NoSpace", "####### Seven", "    # code", "#", "\\# escaped"])
def test_lines_that_are_no_headings(line):
    assert names(f"{line}\n") == []


def test_the_opening_sentence_is_the_doc():
    found = markdown.read("# A\n\nFirst one. Second.\n\n# B\n- list\n\n# C\nSub\n---\n").symbols
    assert [one.doc for one in found] == ["First one.", "", "", ""]


def test_markdown_breaks_rank_headings_above_paragraphs():
    text = "# A\n\ntext\nmore\n\n## B\n```\n\ncode\n```\n"
    assert markdown.read(text).breaks == ((1, 0), (3, 6), (6, 1), (7, 6))


def test_line_numbers_count_line_feeds_only():
    assert outline(markdown.read("a\fb\x0b\u2028c\x85\r\n\r\n# B\r\n")) == [("B", 3, 3)]


@pytest.mark.timeout(30)
def test_deep_quotes_and_lists_take_no_time():
    text = ">" * 60_000 + "\n" + "- " * 60_000 + "\n# After\n" + "* " * 60_000
    assert names(text) == ["After"]


@given(HOSTILE)
def test_markdown_of_any_kind_gives_sound_ranges(text):
    assert_sound(markdown.read(text), text)


@given(HOSTILE)
def test_rst_of_any_kind_gives_sound_ranges(text):
    assert_sound(rst.read(text), text)


def assert_sound(parsed: ParsedFile, text: str) -> None:
    last = text.count("\n") + (not text.endswith("\n"))
    for one in parsed.symbols:
        assert 1 <= one.start_line <= one.name_line <= one.end_line <= max(last, 1)
    lines = [line for line, _ in parsed.breaks]
    assert lines == sorted(set(lines))


def test_adornments_rank_by_appearance():
    text = "Low\n~~~\n\n====\nTop\n====\n\nSub\n---\n\nAgain\n~~~~~\n"
    assert outline(rst.read(text)) == [
        ("Low", 1, 10),
        ("Low.Top", 4, 10),
        ("Low.Top.Sub", 8, 10),
        ("Again", 11, 12),
    ]


def test_over_and_under_is_another_style_than_under():
    text = "===\nTop\n===\n\nSub\n===\n"
    assert [one.qualified_name for one in rst.read(text).symbols] == ["Top", "Top.Sub"]


@pytest.mark.parametrize(
    "text",
    [
        "::\n\n   Title\n   =====\n",  # literal block
        "text\nmore\n----\n",  # the line before belongs to the paragraph
        "above\n\n----\n\nbelow\n",  # transition
        "==  ==\na   b\n==  ==\n",  # table
        "Long title\n--\n",  # too short a line
        ".. note::\n==========\n",
    ],
)
def test_what_is_no_title(text):
    assert rst.read(text).symbols == ()


def test_a_label_may_stand_right_above_a_title():
    assert outline(rst.read(".. _label:\nTitle\n=====\n")) == [("Title", 2, 3)]


def test_roles_and_code_marks_leave_the_title():
    found = rst.read(":ref:`Links <top>` and ``code``\n==============================\n").symbols
    assert found[0].name == "Links and code"


def test_rst_breaks_rank_titles_above_paragraphs():
    text = "Top\n===\n\ntext\nmore\n\nSub\n---\nend\n"
    assert rst.read(text).breaks == ((1, 0), (4, 9), (7, 1), (9, 9))
