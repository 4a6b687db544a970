"""The filter before the rules: nothing is lost between two slices or between two threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from indexing.scrub import scrub
from indexing.scrubbing.prefilter import SLICE, Prefilter, Trigger, word
from tests.indexing.scrub_samples import ALNUM, FORMATS, chars


@pytest.mark.parametrize("before", [0, 1, 3, 19, 20, 21])
def test_a_value_across_two_slices_is_found(before: int) -> None:
    value = FORMATS["aws_access_key_id"]
    blanks = " " * (SLICE - before)
    (found,) = scrub("a.txt", f"{blanks}{value} ").findings
    assert (found.start_col, found.end_col) == (len(blanks), len(blanks) + len(value))


@pytest.mark.parametrize("before", [0, 5, 40])
def test_a_run_across_two_slices_is_one_run(before: int) -> None:
    run = "a" * 200
    hits = Prefilter([Trigger(r"(?:\A|[^a])a{33}")]).hits(b" " * (SLICE - before) + run.encode())
    assert list(hits) == [(0, SLICE - before + 33)]


def test_every_word_is_told_once_where_it_begins() -> None:
    found = Prefilter([word("token"), word("a-b")], any_case=True).hits(b"x Token a-b xA-B")
    assert list(found) == [(0, 2), (1, 8), (1, 13)]


def test_threads_do_not_disturb_each_other() -> None:
    value = FORMATS["github_pat"]
    texts = [f"{chars(ALNUM, 50_000)} {value}{chr(10)}" * 3 for _ in range(16)]
    with ThreadPoolExecutor(8) as pool:
        done = list(pool.map(lambda text: scrub("a.txt", text), texts))
    assert [len(one.findings) for one in done] == [3] * 16
