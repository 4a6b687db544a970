"""`manage.py evaluate` without clones: what is published, and what it refuses."""

import io
import json
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from repos.models import Repository


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


@pytest.mark.django_db
def test_what_is_published_needs_no_sources(lib: Repository, tmp_path: Path):
    row = {"id": "q", "repository": "lib", "question": "HttpClient", "gold_files": ["a.ts"]}
    (tmp_path / "q.jsonl").write_text(json.dumps(row))
    out = run("evaluate", "--questions", str(tmp_path / "q.jsonl"), "--channel", "fused")
    assert out.startswith("1 questions\n")


@pytest.mark.django_db
@pytest.mark.parametrize("pair", [("77", "78"), ("no", "no")])
def test_comparing_names_what_is_missing(pair: tuple[str, str]):
    with pytest.raises(CommandError, match=r"no kept evaluation 77|no cannot be read"):
        run("evaluate", "--compare", *pair)


def test_evaluate_says_what_it_needs():
    with pytest.raises(CommandError, match="--questions FILE, or --compare"):
        run("evaluate")


@pytest.mark.django_db
@pytest.mark.parametrize("repository", ["lib", ""])
def test_questions_without_an_answer_are_told_with_those_that_have_one(
    lib: Repository, tmp_path: Path, repository: str
):
    """No repository is all of them at once."""
    rows = [
        {"id": "none", "repository": repository, "question": "tax?", "answerable": False},
        {"id": "q", "repository": "lib", "question": "HttpClient", "gold_files": ["a.ts"]},
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, rows)))
    out = run("evaluate", "--questions", str(tmp_path / "q.jsonl"), "--channel", "fused")
    assert out.splitlines()[:3] == [
        "1 questions",
        "1 without an answer: abstains from 100.0%",
        "1 with an answer: abstains from 0.0%",
    ]


@pytest.mark.django_db
def test_questions_without_an_answer_alone_have_no_ranking(lib: Repository, tmp_path: Path):
    row = {"id": "q", "repository": "lib", "question": "tax?", "answerable": False}
    (tmp_path / "q.jsonl").write_text(json.dumps(row))
    out = run("evaluate", "--questions", str(tmp_path / "q.jsonl"))
    assert out.splitlines() == [
        "0 questions",
        "1 without an answer: abstains from 100.0%",
        "0 with an answer: abstains from -",
    ]


@pytest.mark.django_db
def test_verdicts_are_compared_without_being_asked_for(lib: Repository, tmp_path: Path):
    rows = [
        {"id": "none", "repository": "lib", "question": "tax?", "answerable": False},
        {"id": "q", "repository": "lib", "question": "HttpClient", "gold_files": ["a.ts"]},
    ]
    (tmp_path / "q.jsonl").write_text("\n".join(map(json.dumps, rows)))
    before = tmp_path / "before"
    run("evaluate", "--questions", str(tmp_path / "q.jsonl"), "--per-question", str(before))
    after = tmp_path / "after"
    after.write_text(before.read_text().replace('"abstained": true', '"abstained": false'))
    told = run("evaluate", "--compare", str(before), str(after)).split("\n\n")[1].splitlines()
    assert told[0] == "abstention: 2 questions in both"
    assert told[1].startswith("right to answer fell by 0.500, from 1.000 to 0.500")
    assert told[-1] == "  -1.000 none: "


def test_an_empty_file_holds_no_question(tmp_path: Path):
    (tmp_path / "q.jsonl").write_text("\n")
    with pytest.raises(CommandError, match="holds no question"):
        run("evaluate", "--questions", str(tmp_path / "q.jsonl"))
