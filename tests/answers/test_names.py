import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from answers.names import Ground, unfounded

LINES = """def open_session(self, app):
    limit = 1_000 + 0x1F
    rate = 2.5  # see https://docs.example.org/a/b
    if app.config["SESSION_COOKIE"] is None:
        return self.Loader.load(b"\\\\d+", 300)
"""
GROUND = Ground([LINES], ["till/sessions.py"], frozenset(range(10, 15)))


def names(text, known=(), ground=GROUND):
    return unfounded(text, ground, lambda asked: set(asked) & set(known))


@pytest.mark.parametrize(
    "text",
    [
        "It opens the session and gives nothing back.",
        "`open_session` takes `app`.",
        '`app.config["SESSION_COOKIE"]` may be `None`.',
        "`open_session(app)` is called.",
        "`self.Loader.load` is called.",
        "`Loader.load()` and Loader.load() are called.",
        "At most 1,000 or 1000 or 1_000, plus 0x1F, at a rate of 2.5.",
        "It stands in till/sessions.py and in `till/sessions.py`, that is `sessions.py`.",
        "See https://docs.example.org/a/b.",
        "Lines 10-12 and line 14 say so, e.g. here, and/or there.",
        "As linhas 10 a 12 dizem isto.",
        "The SESSION_COOKIE is read.",
    ],
)
def test_what_is_in_the_evidence_is_founded(text):
    assert names(text) == []


@pytest.mark.parametrize(
    ("text", "missing"),
    [
        ("`close_session` is called.", ["close_session"]),
        ("`open_session` calls `loads`.", ["loads"]),
        ("`Open_Session` is called.", ["Open_Session"]),
        ("The close_session hook runs.", ["close_session"]),
        ("The closeSession hook runs.", ["closeSession"]),
        ("It calls finish().", ["finish()"]),
        ("At most 301 times.", ["301"]),
        ("At most 10 times.", ["10"]),
        ("At most 0x1E.", ["0x1E"]),
        ("At most 30\u00b2.", ["302"]),
        ("Line 9 says so.", ["9"]),
        ("It stands in till/cookies.py.", ["till/cookies.py"]),
        ("It stands in `till/cookies.py`.", ["till/cookies.py"]),
        ("It stands in cookies.py.", ["cookies.py"]),
        ("It stands in /etc/passwd.", ["/etc/passwd"]),
        ("See https://evil.example/a.", ["https://evil.example/a"]),
        ("Write to root@evil.example.", ["root@evil.example"]),
        ("See www.evil.example.", ["www.evil.example"]),
        ("It is `=>`.", ["=>"]),
        ("`evil.Loader` is used.", ["evil.Loader"]),
        ("\uff43\uff4c\uff4f\uff53\uff45_session runs.", ["close_session"]),
    ],
)
def test_what_is_nowhere_is_named(text, missing):
    assert names(text) == missing


def test_the_symbol_table_knows_names_but_no_numbers_and_no_paths():
    known = {"close_session", "301", "till/cookies.py", "Flask.run"}
    assert names("`close_session` and `Flask.run()` run.", known) == []
    assert names("`301` in `till/cookies.py`", known) == ["301", "till/cookies.py"]


def test_a_part_of_a_word_is_no_word():
    assert names("`os` and `session` run.", ground=Ground(["cost = open_session"])) == [
        "os",
        "session",
    ]


WORDS = st.sampled_from(
    ["open_session", "`load`", "`close`", "loadAll", "300", "301", "7", "a/b.py", "cookies.py"]
) | st.sampled_from(["`x.y`", "is", "the", "`app`", "1,000", "2.5", "0x1F", "`0x2F`", "1_000"])


@settings(max_examples=2_000)
@given(st.lists(WORDS | st.text(max_size=8), min_size=1, max_size=8))
def test_no_number_and_no_marked_name_survives_without_ground(words):
    text = " ".join(words)
    if names(text):
        return
    digits = re.sub(r"[,_]", "", LINES + GROUND.paths[0]).lower()
    for number in re.findall(r"\d+", re.sub(r"(?i)\b(?:lines?|linhas?)\s+\d+.*", "", text)):
        assert number in digits
    for marked in re.findall(r"(?<!`)`([A-Za-z_]\w*)`(?!`)", text):
        assert re.search(rf"\b{re.escape(marked)}\b", LINES + GROUND.paths[0])
