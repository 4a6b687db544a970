import json
from pathlib import Path

import pytest

from answers.abstaining import abstains
from search.evaluate import Found, Question
from search.results import (
    Result,
    ResultsUnreadable,
    figures,
    judge_for,
    measure,
    read_results,
    result,
)
from search.scope import Scope

QUESTION = Question("q", "a/b", "", "where?", ("x.py", "y.py"), (("x.py", 10, 20),), "en")


def a_result(name: str = "q", *, language: str = "en", recall: float = 1.0) -> Result:
    return Result(name, "fused", "?", language, {}, recall, recall, recall, 0.1, None, 2.0, ())


def test_ranks_of_gold_files():
    others = tuple(f"n{number}.py" for number in range(10))
    got = result(QUESTION, "fused", Found((*others, "y.py"), (("x.py", 9, 11),), 1.24))
    assert (got.ranks, got.recall, got.line_hit) == ({"x.py": None, "y.py": 11}, 0.0, 1.0)
    assert (got.milliseconds, got.top) == (1.2, others)


def test_results_are_read_as_they_were_written(tmp_path: Path):
    written = [result(QUESTION, "fused", Found(("y.py",), (), 1.0)), a_result("ç")]
    (tmp_path / "r.jsonl").write_text("".join(one.as_json() + "\n" for one in written))
    assert read_results(tmp_path / "r.jsonl") == written


@pytest.mark.parametrize("line", ["{}", "[]", "x", '{"top": [], "extra": 1}'])
def test_an_unreadable_line_is_named(tmp_path: Path, line: str):
    (tmp_path / "r.jsonl").write_text(line)
    with pytest.raises(ResultsUnreadable, match=r"line 1: not a result of a question"):
        read_results(tmp_path / "r.jsonl")


def test_a_missing_file_is_named(tmp_path: Path):
    with pytest.raises(ResultsUnreadable, match=r"nothing\.jsonl cannot be read"):
        read_results(tmp_path / "nothing.jsonl")


def test_languages_are_summed_up_by_themselves():
    found = figures([a_result("a"), a_result("b", language="pt", recall=0.0)])
    assert found["questions"] == 2
    assert found["channels"]["fused"]["recall_at_10"] == 0.5
    by_language = {name: one["fused"]["hit_at_10"] for name, one in found["languages"].items()}
    assert by_language == {"en": 1.0, "pt": 0.0}


def test_one_language_needs_no_table_of_its_own():
    assert json.dumps(figures([a_result()])).count("fused") == 1


def test_questions_without_an_answer_are_not_ranked():
    nobody = Question("q", "a/b", "", "?", (), (), answerable=False)
    assert list(measure([nobody], lambda _: Scope((), ()), ["fused"])) == []


def judged(question: Question, *, abstains: bool) -> Result:
    (got,) = measure([question], lambda _: Scope((), ()), [], lambda scope, text: abstains)
    return got


NOBODY = Question("none", "a/b", "", "tax?", (), (), answerable=False)


def test_right_and_wrong_abstentions_are_counted_apart():
    found = [
        judged(NOBODY, abstains=True),
        judged(NOBODY, abstains=True),
        judged(NOBODY, abstains=False),
        judged(QUESTION, abstains=True),
        *[judged(QUESTION, abstains=False)] * 3,
    ]
    assert figures([a_result(), *found])["abstention"] == {
        "unanswerable": 3,
        "correct": 0.6667,
        "answerable": 4,
        "false": 0.25,
    }


def test_verdicts_do_not_touch_the_figures_of_the_ranking():
    alone = figures([a_result()])
    beside = figures([a_result(), judged(NOBODY, abstains=False)])
    assert {**alone, "abstention": beside["abstention"]} == beside
    assert beside["abstention"]["false"] is None


def test_a_verdict_is_read_as_it_was_written(tmp_path: Path):
    written = [judged(NOBODY, abstains=True), judged(QUESTION, abstains=True)]
    assert [(one.answerable, one.right) for one in written] == [(False, 1.0), (True, 0.0)]
    (tmp_path / "r.jsonl").write_text("".join(one.as_json() + "\n" for one in written))
    assert read_results(tmp_path / "r.jsonl") == written


def test_without_questions_that_have_no_answer_nothing_is_judged():
    assert judge_for([QUESTION]) is None
    assert judge_for([QUESTION, NOBODY]) is abstains
