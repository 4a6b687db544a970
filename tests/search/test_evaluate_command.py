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
def test_questions_without_an_answer_alone_are_none(tmp_path: Path):
    row = {"id": "q", "repository": "lib", "question": "tax?", "answerable": False}
    (tmp_path / "q.jsonl").write_text(json.dumps(row))
    with pytest.raises(CommandError, match="holds no question"):
        run("evaluate", "--questions", str(tmp_path / "q.jsonl"))
