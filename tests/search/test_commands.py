import io
import json
import subprocess
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from repos.models import Repository
from search.models import EvaluationRun


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command(*arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_search_as_json(lib: Repository):
    found = json.loads(run("search", "SessionStroe", "--json", "--limit", "1"))
    (hit,) = found["hits"]
    assert (hit["path"], hit["line"], hit["repository"]) == ("src/app/sessions.py", 4, "lib")
    assert hit["symbols"] == [{"name": "SessionStore", "kind": "class", "line": 4}]


def test_search_as_text(lib: Repository):
    out = run("search", "15%")
    assert "lib: conf/app.ini  [words, exact text]" in out
    assert "      1> rate = 15%" in out


def test_literal_lines_as_json(lib: Repository):
    found = json.loads(run("search", "(", "--channel", "literal", "--json"))
    lines = {hit["path"]: hit["lines"] for hit in found["hits"]}
    assert lines["tests/test_sessions.py"] == [1, 2]
    assert "conf/app.ini" not in lines


def test_search_in_one_repository(lib: Repository):
    assert "sessions.py" in run("search", "session", "--repository", "lib")
    with pytest.raises(CommandError, match="no repository named nothing"):
        run("search", "session", "--repository", "nothing")


def git(folder: Path, *arguments: str) -> str:
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    done = subprocess.run(
        ["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    """One question about a repository at DIR/us/lib, which has moved on since its commit."""
    folder = tmp_path / "sources" / "us" / "lib"
    folder.mkdir(parents=True)
    git(folder, "init", "-q")
    (folder / "zebra.py").write_text("def stripes():\n    return 'zebra stripes'\n")
    git(folder, "add", ".")
    git(folder, "commit", "-q", "-m", "one")
    commit = git(folder, "rev-parse", "HEAD")
    git(folder, "rm", "-q", "zebra.py")
    git(folder, "commit", "-q", "-m", "two")
    row = {
        "id": "q",
        "repository": "us/lib",
        "commit": commit,
        "question": "Where are the stripes of the zebra?",
        "gold_files": ["zebra.py"],
        "gold_lines": [["zebra.py", 1, 2]],
    }
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(row) + "\n")
    return path


@pytest.mark.django_db(transaction=True)
def test_evaluate_indexes_the_commit_and_measures(questions: Path):
    arguments = ("--questions", str(questions), "--sources", str(questions.parent / "sources"))
    figures = json.loads(run("evaluate", *arguments, "--json"))
    assert figures["questions"] == 1
    assert list(figures["channels"]) == ["fused", "lexical", "semantic", "symbol", "path"]
    lexical = figures["channels"]["lexical"]
    assert (lexical["recall_at_10"], lexical["mrr_at_10"], lexical["line_hit_at_10"]) == (1, 1, 1)
    again = json.loads(run("evaluate", *arguments, "--json", "--channel", "lexical"))
    assert list(again["channels"]) == ["lexical"]
    assert Repository.objects.get(name="us/lib").snapshots.count() == 1


@pytest.mark.django_db
def test_evaluate_names_a_missing_source(questions: Path, tmp_path: Path):
    with pytest.raises(CommandError, match="is no git repository"):
        run("evaluate", "--questions", str(questions), "--sources", str(tmp_path / "nothing"))


def test_evaluate_names_a_missing_file(tmp_path: Path):
    with pytest.raises(CommandError, match="No such file"):
        run("evaluate", "--questions", str(tmp_path / "no"), "--sources", str(tmp_path))


@pytest.mark.django_db(transaction=True)
def test_evaluations_are_written_kept_and_compared(questions: Path, tmp_path: Path):
    arguments = ["--questions", str(questions), "--sources", str(questions.parent / "sources")]
    before = tmp_path / "before.jsonl"
    run("evaluate", *arguments, "--per-question", str(before), "--store", "first")
    (kept,) = EvaluationRun.objects.all()
    assert (kept.name, kept.state, kept.fused["recall_at_10"]) == ("first", "done", 1.0)
    row = json.loads(before.read_text().splitlines()[0])
    assert (row["id"], row["channel"], row["ranks"]) == ("q", "fused", {"zebra.py": 1})
    out = run("evaluate", "--compare", str(before), str(kept.pk), "--channel", "lexical")
    assert out.splitlines()[:2] == [
        "lexical: 1 questions in both",
        "recall is the same for every question.",
    ]
