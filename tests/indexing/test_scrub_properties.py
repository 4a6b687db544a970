import string

from hypothesis import given, settings
from hypothesis import strategies as st

from indexing.scrub import Scrubbed, redact_flagged, scrub
from tests.indexing.scrub_samples import FORMATS, HEX, IN_PLACE, chars, pem

WORDS = ["password", "token=", "secret: ", "api_key", "://u:", "@", "Bearer ", "sha256-", "key"]
SIGNS = [
    "\n",
    "\r\n",
    "\r",
    " ",
    "=",
    '"',
    "'",
    "' + '",
    "|",
    "\\n",
    "[REDACTED:JWT]__",
    "[R__]",
    "***",
]
PIECES = [
    *FORMATS.values(),
    *(before + value for before, value in IN_PLACE.values()),
    "\n".join(pem()),
    "\\n".join(pem()),
    *WORDS,
    *SIGNS,
    chars(HEX, 40),
    chars(string.ascii_letters + string.digits, 44),
    "ann.lee@kitehouse.net",
    "415-679-0285",
    "é漢\U0001f511",
    "\ud800",
    "\x00",
    "kind: Secret\ndata:\n  a: ",
]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=6), max_size=14).map("".join)
PATHS = st.sampled_from(["src/app.py", "tests/test_app.py", "go.sum"])


def shape(text: str) -> list[tuple[int, str]]:
    return [(at, char) for at, char in enumerate(text) if char in "\r\n"]


def covered(text: str, done: Scrubbed, action: str) -> list[str]:
    lines = text.split("\n")
    return [
        lines[found.line - 1][found.start_col : found.end_col]
        for found in done.findings
        if found.action == action
    ]


@settings(max_examples=150, deadline=None)
@given(PATHS, TEXTS)
def test_length_and_line_ends_never_change(path: str, text: str) -> None:
    done = scrub(path, text)
    assert len(done.text) == len(text)
    assert shape(done.text) == shape(text)


@settings(max_examples=150, deadline=None)
@given(PATHS, TEXTS)
def test_scrubbing_twice_changes_nothing_and_redacts_nothing_new(path: str, text: str) -> None:
    once = scrub(path, text).text
    twice = scrub(path, once)
    assert twice.text == once
    assert [found for found in twice.findings if found.action == "redact"] == []


@settings(max_examples=150, deadline=None)
@given(PATHS, TEXTS)
def test_no_redacted_value_survives(path: str, text: str) -> None:
    done = scrub(path, text)
    survivors = [
        v
        for v in covered(text, done, "redact")
        if len(v) >= 8 and not v.isalpha() and v in done.text
    ]
    assert survivors == []


@settings(max_examples=150, deadline=None)
@given(PATHS, TEXTS)
def test_what_is_not_reported_is_not_changed(path: str, text: str) -> None:
    done = scrub(path, text)
    kept = list(text)
    for number, (before, after) in enumerate(
        zip(text.split("\n"), done.text.split("\n"), strict=True), 1
    ):
        spans = [f for f in done.findings if f.line == number and f.action == "redact"]
        for at, (old, new) in enumerate(zip(before, after, strict=True)):
            assert old == new or any(f.start_col <= at < f.end_col for f in spans)
    assert len(kept) == len(done.text)


@settings(max_examples=200, deadline=None)
@given(PATHS, TEXTS)
def test_flagged_values_are_gone_from_what_is_sent(path: str, text: str) -> None:
    done = scrub(path, text)
    sent = redact_flagged(done.text, done.findings)
    assert len(sent) == len(text)
    lines = sent.split("\n")
    for found in done.findings:
        assert lines[found.line - 1][found.start_col : found.end_col].startswith(("[R", "*"))
