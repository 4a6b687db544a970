"""Two evaluations side by side: what moved, and what chance explains."""

from dataclasses import replace

import numpy as np
import pytest

from search.comparing import NothingToCompare, compare, interval
from search.results import Result

ONE = Result("a", "fused", "?", "", {"x": 1}, 1.0, 1.0, 0.5, 0.1, 1.0, 1.0, ("x",))


def runs(before: list[float], after: list[float]) -> tuple[list[Result], list[Result]]:
    """Reciprocal ranks of as many questions."""
    rows = [
        [replace(ONE, id=f"q{at}", reciprocal_rank=value) for at, value in enumerate(values)]
        for values in (before, after)
    ]
    return rows[0], rows[1]


def test_which_questions_moved():
    comparison = compare(*runs([0.5, 0.5, 1.0, 0.2], [0.5, 1.0, 0.1, 0.25]), "fused")
    assert [(one.after.id, one.change) for one in comparison.better] == [("q1", 0.5), ("q3", 0.05)]
    assert [(one.after.id, one.change) for one in comparison.worse] == [("q2", -0.9)]
    assert comparison.questions == 4


def test_a_gain_of_every_question_is_more_than_chance():
    comparison = compare(*runs([0.5] * 30, [0.75] * 30), "fused")
    (mrr,) = [one for one in comparison.differences if one.metric == "MRR"]
    assert (mrr.change, mrr.low, mrr.high, mrr.is_certain) == (0.25, 0.25, 0.25, True)
    assert mrr.sentence == (
        "MRR rose by 0.250, from 0.500 to 0.750 (95 % interval +0.250 to +0.250): more than chance."
    )


def test_one_question_of_many_may_be_chance():
    comparison = compare(*runs([0.5] * 30, [0.5] * 29 + [0.0]), "fused")
    (mrr,) = [one for one in comparison.differences if one.metric == "MRR"]
    assert not mrr.is_certain
    assert mrr.sentence.startswith("MRR fell by 0.017, from 0.500 to 0.483")
    assert mrr.sentence.endswith("may be chance.")


def test_ups_and_downs_that_cancel_out():
    comparison = compare(*runs([0.0, 1.0], [1.0, 0.0]), "fused")
    (mrr,) = [one for one in comparison.differences if one.metric == "MRR"]
    assert "did not move in sum, from 0.500 to 0.500" in mrr.sentence


def test_what_stays_is_said_to_stay():
    comparison = compare(*runs([0.5], [0.5]), "fused")
    assert {one.sentence for one in comparison.differences} == {
        f"{metric} is the same for every question."
        for metric in ("recall", "hit", "MRR", "line hit")
    }


def test_questions_of_one_alone_are_named_and_left_out():
    comparison = compare([ONE, replace(ONE, id="b")], [ONE, replace(ONE, id="c")], "fused")
    assert (comparison.questions, comparison.left_out) == (1, ("b", "c"))


def test_line_hits_count_where_both_know_lines():
    without = replace(ONE, id="b", line_hit=None)
    comparison = compare([ONE, without], [replace(ONE, line_hit=0.0), without], "fused")
    (lines,) = [one for one in comparison.differences if one.metric == "line hit"]
    assert (lines.before, lines.after) == (1.0, 0.0)


def test_nothing_in_common_is_said():
    with pytest.raises(NothingToCompare, match="no question in common for the channel lexical"):
        compare([ONE], [ONE], "lexical")


def test_the_interval_is_the_same_every_time_and_holds_the_mean():
    changes = np.array([0.0, 0.1, -0.2, 0.5, 0.3, 0.0])
    assert interval(changes) == interval(changes)
    low, high = interval(changes)
    assert low < changes.mean() < high


def test_many_questions_are_drawn_in_parts():
    changes = np.tile(np.array([0.0, 1.0]), 5_000)
    low, high = interval(changes)
    assert (round(low, 2), round(high, 2)) == (0.49, 0.51)
