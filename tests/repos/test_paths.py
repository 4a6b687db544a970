"""A path becomes a part of an address in one place, and comes back as it was."""

from urllib.parse import unquote

import pytest
from django.urls import resolve
from hypothesis import given
from hypothesis import strategies as st

from repos import paths

ODD = [
    "a b.py", 'quote"d.py', "single'q.py", "back\\slash.py", "tab\there.py", "new\nline.py",
    "100%.py", "100%25.py", "what?.py", "hash#tag.py", "colon:12.py", "plus+and&eq=.py",
    "naïve café.md", "日本語/メイン.py", "<script>.js", "{{x}}.html", "-dash", "~tilde",
    "; rm -rf", "trailing ", " leading", "a/b/c.d/e", "bad\\xff.txt", "line\n", "[a](b).md",
]  # fmt: skip


def came_back(url):
    return resolve(unquote(url)).kwargs["path"]


@pytest.mark.parametrize("path", ODD)
def test_odd_names_come_back(path):
    assert came_back(paths.file_url("x", path)) == path
    assert came_back(paths.raw_url("x", path)) == path
    assert came_back(paths.tree_url("x", path)) == path


NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00/"), min_size=1)


@given(st.lists(NAMES.filter(lambda name: name not in {".", ".."}), min_size=1, max_size=4))
def test_every_name_comes_back(names):
    path = "/".join(names)
    assert came_back(paths.file_url("x", path)) == path


def test_what_a_browser_would_cut_off_is_encoded_once():
    assert paths.file_url("x", "a#b?c%d e") == "/r/x/file/a%23b%3Fc%25d%20e"


@pytest.mark.parametrize("slug", ["a.b", "a-b_c", "x2", "flask.git"])
def test_slugs_with_dots(slug):
    assert resolve(paths.tree_url(slug)).kwargs == {"slug": slug}


def test_lines_are_an_anchor():
    assert paths.file_url("x", "f", start=3, end=9) == "/r/x/file/f#L3-L9"
    assert paths.file_url("x", "f", start=3, end=3) == "/r/x/file/f#L3"


def test_lines_of_a_later_page_name_it_for_the_server():
    start = paths.PAGE_LINES + 1
    assert paths.file_url("x", "f", start=start) == f"/r/x/file/f?line={start}#L{start}"
    assert "line=" not in paths.file_url("x", "f", start=paths.PAGE_LINES)


def test_a_snapshot_is_kept():
    assert paths.tree_url("x", "a", at="0123abc") == "/r/x/tree/a?at=0123abc"


def test_the_pages_of_a_file():
    last = paths.PAGE_LINES
    assert [paths.page_of(n) for n in (0, 1, last, last + 1)] == [1, 1, 1, 2]


def test_the_folders_above_a_file():
    assert paths.parents("a/b/c.py") == [("a", "a"), ("b", "a/b")]
