"""Descriptions of changes: what they say of the change is not looked for."""

import pytest

from search.changes import words_of_change
from search.query import parse_query


@pytest.mark.parametrize(
    ("text", "left_out"),
    [
        ("Add a limit to the query parser", {"add"}),
        ("Removed the stale sockets of workers", {"remov"}),
        ("fix(http): remove stale sockets on close", {"fix", "remov"}),
        ("feat!: sockets close themselves after a while", {"feat"}),
        ("http: avoid a second copy of headers", {"avoid"}),
        ("chore(deps): sockets", {"chore"}),
        # said once more, it is about the code
        ("Fix the fix of broken sockets", set()),
        # names in words, questions, and what only looks alike
        ("update user profile", set()),
        ("How does the worker remove stale sockets?", set()),
        ("http: sockets close themselves after a while", set()),
        ("add_user is called for every group twice", set()),
        ("std::move of the last buffer is lost", set()),
        ("", set()),
    ],
)
def test_words_that_only_say_what_was_done(text: str, left_out: set[str]):
    assert words_of_change(text) == left_out


def test_they_are_no_terms_but_the_names_they_make_are():
    terms = parse_query("Update user profile when the session ends").terms
    assert ("updat" in terms, "updateus" in terms, "user" in terms) == (False, True, True)


def test_something_is_always_looked_for():
    assert parse_query("fix: of the").terms == ("fix",)


def test_what_is_short_keeps_all_its_words():
    assert parse_query("update user profile").terms[:3] == ("updat", "user", "profil")
