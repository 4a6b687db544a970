"""What the role of a file does to the rows of a channel, on real rows in exact order."""

from collections.abc import Callable

import pytest

from repos.models import Repository
from search.channels import CHANNELS, LITERAL, ROWS, Ranked
from search.engine import search_in
from search.query import parse_query
from search.retrieval import by_role, weights_for

LINES = "the session store keeps signed cookies\n"
FILES = {
    "CHANGELOG.md": LINES,
    "config/store.toml": LINES,
    "docs/store.md": LINES,
    "src/store.py": LINES,
    "tests/data/store.json": LINES,
    "tests/test_store.py": LINES,
}


def row(path: str, score: float, covered: float = 0.0) -> Ranked:
    return Ranked(1, len(path), 1, score, path, covered)


def test_rows_are_weighed_by_role_and_put_in_new_order():
    rows = [row("tests/test_a.py", 10.0, 0.5), row("src/a.py", 8.0, 0.5), row("NEWS", 7.0)]
    weighed = by_role(rows, parse_query("how are dates parsed from a long text"))
    assert [(one.path, one.score, one.covered) for one in weighed] == [
        ("src/a.py", 8.0, 0.5),
        ("tests/test_a.py", 7.0, 0.35),
        ("NEWS", pytest.approx(2.8), 0.0),
    ]


def test_only_what_is_above_counts():
    rows = [row("src/a.py", 0.75), row("tests/test_a.py", 0.75), row("src/b.py", 0.25)]
    weighed = by_role(rows, parse_query("how are dates parsed"), above=0.25, power=2)
    assert [(one.path, one.score) for one in weighed] == [
        ("src/a.py", 0.5),
        ("tests/test_a.py", pytest.approx(0.245)),
    ]


def test_equal_rows_keep_their_order_and_the_rest_is_cut():
    rows = [row(f"src/{number}.py", 1.0) for number in range(ROWS + 5)]
    assert by_role(rows, parse_query("dates")) == rows[:ROWS]


def test_source_stands_before_what_repeats_it(index_files: Callable[..., Repository]):
    index_files(FILES, slug="roles")
    asked = "where does a session store keep the cookies that were signed"
    assert paths(asked)[:3] == ["src/store.py", "tests/test_store.py", "config/store.toml"]
    assert paths(asked)[-1] == "CHANGELOG.md"


def paths(text: str) -> list[str]:
    found = search_in(Repository.objects.filter(slug="roles"), text, channels=CHANNELS)
    return [hit.path for hit in found.hits]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("which tests cover the session store and its signed cookies", "tests/test_store.py"),
        ("what does the documentation say about the session store", "docs/store.md"),
        ("in which release did the session store keep signed cookies", "CHANGELOG.md"),
    ],
)
def test_what_is_asked_for_is_found_first(
    text: str, first: str, index_files: Callable[..., Repository]
):
    index_files(FILES, slug="roles")
    assert first in paths(text)[:2]


def test_plain_words_as_they_stand_weigh_less_than_code():
    assert weights_for(parse_query("store keeps signed cookies"))[LITERAL] == 1.0
    assert weights_for(parse_query("return self.sign(cookie)"))[LITERAL] == 2.0
