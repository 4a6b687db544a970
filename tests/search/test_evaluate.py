import json
from pathlib import Path

import pytest

from search.evaluate import (
    Found,
    Question,
    QuestionsUnreadable,
    Scores,
    percentile,
    questions_in,
    read_questions,
    scores,
    summary,
)

QUESTION = Question("q", "a/b", "c" * 40, "where?", ("x.py", "y.py"), (("x.py", 10, 20),))


def found(*files: str, chunks: tuple[tuple[str, int, int], ...] = ()) -> Found:
    return Found(files, chunks, 1.0)


def test_scores_of_one_question():
    got = scores(QUESTION, found("n.py", "y.py", "z.py", chunks=(("x.py", 20, 30),)))
    assert got == Scores(recall=0.5, hit=1.0, reciprocal_rank=0.5, precision=0.1, line_hit=1.0)


def test_nothing_found_scores_nothing():
    assert scores(QUESTION, found()) == Scores(0.0, 0.0, 0.0, 0.0, 0.0)


def test_only_the_first_ten_count():
    others = [f"n{number}.py" for number in range(10)]
    assert scores(QUESTION, found(*others, "x.py")).hit == 0.0
    chunks = (*((name, 1, 2) for name in others), ("x.py", 10, 20))
    assert scores(QUESTION, found("x.py", chunks=chunks)).line_hit == 0.0


@pytest.mark.parametrize("lines", [(1, 9), (21, 30)])
def test_lines_beside_the_gold_are_no_hit(lines: tuple[int, int]):
    assert scores(QUESTION, found("x.py", chunks=(("x.py", *lines),))).line_hit == 0.0


def test_questions_without_gold_lines_do_not_count_for_lines():
    without = Question("q", "a/b", "c", "?", ("x.py",), ())
    both = [scores(without, found("x.py")), Scores(0.0, 0.0, 0.0, 0.0, 1.0)]
    figures = summary(both, [1.0, 3.0])
    assert figures == {
        "recall_at_10": 0.5,
        "hit_at_10": 0.5,
        "mrr_at_10": 0.5,
        "line_hit_at_10": 1.0,
        "precision_at_10": 0.05,
        "p50_ms": 3.0,
        "p95_ms": 3.0,
    }


def test_percentile():
    values = [float(number) for number in range(1, 101)]
    assert (percentile(values, 0.5), percentile(values, 0.95)) == (51.0, 96.0)


def test_questions_are_read(tmp_path: Path):
    row = {
        "id": "q",
        "repository": "a/b",
        "commit": "c" * 40,
        "question": "where?",
        "gold_files": ["x.py", "y.py", "x.py"],
        "gold_lines": [["x.py", 10, 20]],
    }
    (tmp_path / "q.jsonl").write_text(json.dumps(row) + "\n\n")
    assert read_questions(tmp_path / "q.jsonl") == [QUESTION]


def test_an_unreadable_line_is_named(tmp_path: Path):
    (tmp_path / "q.jsonl").write_text('{"id": 1}\n')
    with pytest.raises(QuestionsUnreadable, match=r"line 1: not a question \(KeyError"):
        read_questions(tmp_path / "q.jsonl")


ROW = {"id": "q", "repository": "a/b", "question": "where?", "gold_files": ["x.py"]}


def test_commit_language_and_lines_are_optional():
    (question,) = questions_in(json.dumps({**ROW, "language": "pt"}), "q")
    assert (question.commit, question.language, question.lines) == ("", "pt", ())


def test_a_question_without_an_answer_has_no_gold():
    row = {"id": "q", "repository": "a/b", "question": "tax?", "answerable": False}
    (question,) = questions_in(json.dumps(row), "q")
    assert (question.answerable, question.files) == (False, ())


@pytest.mark.parametrize("row", [{**ROW, "gold_files": []}, {**ROW, "gold_lines": [["x.py"]]}, []])
def test_rows_that_are_no_question(row: object):
    with pytest.raises(QuestionsUnreadable, match="box, line 1: not a question"):
        questions_in(json.dumps(row), "box")


def test_a_file_that_is_no_text_is_named(tmp_path: Path):
    (tmp_path / "q.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(QuestionsUnreadable, match="not UTF-8"):
        read_questions(tmp_path / "q.jsonl")
