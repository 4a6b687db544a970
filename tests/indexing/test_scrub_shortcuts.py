"""Shortcuts that save time change nothing: what is found is found without them as well."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import indexing.scrub
from indexing.scrub import Scrubbed, scrub
from indexing.scrubbing import candidates, echoes, scanner, traces
from indexing.scrubbing.candidates import may_be_value
from indexing.scrubbing.echoes import repeats
from tests.indexing.scrub_samples import FORMATS, HEX, chars
from tests.indexing.test_scrub_gaps import GAPS, PASSWORDS, SECRETS
from tests.indexing.test_scrub_properties import PATHS, PIECES

CASES = [
    *(gap.format(n="db_password", v=PASSWORDS[0]) for gap in GAPS.values()),
    *(gap.format(n="client_secret", v=SECRETS[0]) for gap in GAPS.values()),
    "self.token = token\n",
    "/** @author Ann Kite <ann@kitehouse.net> */\n",
    f"k = '{FORMATS['github_pat'][:20]}'\n  + '{FORMATS['github_pat'][20:]}';\n",
    "'ann' + '@' + 'kitehouse.net'\n",
    "x = 1\n" * 300,
]
TEXTS = st.lists(st.sampled_from([*CASES, *PIECES]), max_size=25).map("".join)


def found(done: Scrubbed) -> tuple[str, list[tuple[int, int, int, str, str]]]:
    rows = ((f.line, f.start_col, f.end_col, f.kind, f.action) for f in done.findings)
    return done.text, sorted(rows)


@settings(max_examples=150, deadline=None)
@given(PATHS, TEXTS)
def test_all_of_them_together(path: str, text: str) -> None:
    quick = found(scrub(path, text))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(candidates, "_UNFILTERED", len(text))
        patch.setattr(echoes, "_FEW", 0)
        patch.setattr(indexing.scrub, "_is_settled", lambda *_: False)
        patch.setattr(traces.Windows, "__contains__", lambda *_: True)
        patch.setattr(scanner, "_worth_joining", lambda texts: set(range(len(texts))))
        assert found(scrub(path, text)) == quick


def test_a_name_among_many_is_looked_at() -> None:
    """From the fifth name on only those with a candidate near them are."""
    many = "token = other.token\n" * 50
    for case in CASES[: 2 * len(GAPS)]:
        assert found(scrub("a.x", many + case))[1] != [], case


@pytest.mark.parametrize("value", ["password", "getToken", "1234567", "$this", "OAuthToken"])
def test_most_words_of_code_may_be_no_value(value: str) -> None:
    assert not may_be_value(value)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.text("ab1", min_size=8, max_size=12), max_size=8),
    st.text("ab1", max_size=200),
)
def test_few_values_are_found_as_many_are(values: list[str], text: str) -> None:
    few = list(repeats(text, values))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(echoes, "_FEW", 0)
        assert few == list(repeats(text, values))


def test_a_change_near_a_word_is_looked_at_again() -> None:
    """What stands behind a covered value was no value of its own before."""
    value = chars(HEX, 40)
    text = f"ann@kitehouse.net token={value}\n"
    done = scrub("a.x", text).text
    assert scrub("a.x", done).text == done
    assert value not in done
