"""How good the ranking is, on questions whose files and lines are known. Metrics are pure."""

import json
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from search.engine import group_by_file
from search.query import parse_query
from search.retrieval import located, passages, ranked
from search.scope import Scope

TOP = 10
READ = 300  # rows whose lines are looked up, for TOP passages
DEPTH = 100  # files in order of rank that are kept of each question
FUSED = "fused"


class QuestionsUnreadable(Exception):
    """The file holds no questions; the message says which line and why."""


@dataclass(frozen=True, slots=True)
class Question:
    """`lines` are (path, start, end) of the gold lines, where they are known.

    `commit` "" is what is published; a question that is not answerable has no gold at all.
    """

    id: str
    repository: str
    commit: str
    text: str
    files: tuple[str, ...]
    lines: tuple[tuple[str, int, int], ...]
    language: str = ""
    answerable: bool = True


@dataclass(frozen=True, slots=True)
class Found:
    """Files and passages (path, start, end) in order of rank."""

    files: tuple[str, ...]
    passages: tuple[tuple[str, int, int], ...]
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Scores:
    recall: float
    hit: float
    reciprocal_rank: float
    precision: float
    line_hit: float | None  # None where the question has no gold lines


def read_questions(path: Path) -> list[Question]:
    """One JSON object a line; raises QuestionsUnreadable."""
    try:
        return questions_in(path.read_text(encoding="utf-8"), str(path))
    except UnicodeDecodeError as error:
        raise QuestionsUnreadable(f"{path} is not UTF-8 text.") from error


def questions_in(text: str, source: str) -> list[Question]:
    """As `read_questions`; `source` is how messages name the text."""
    questions: list[Question] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            questions.append(_question(json.loads(line)))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            message = f"{source}, line {number}: not a question ({error!r})."
            raise QuestionsUnreadable(message) from error
    return questions


def _question(row: dict[str, Any]) -> Question:
    answerable = bool(row.get("answerable", True))
    files = row["gold_files"] if answerable else ()
    lines = row.get("gold_lines", ()) if answerable else ()
    if answerable and not files:
        raise ValueError("no gold file")
    return Question(
        id=str(row["id"]),
        repository=str(row["repository"]),
        commit=str(row.get("commit", "")),
        text=str(row["question"]),
        files=tuple(dict.fromkeys(str(path) for path in files)),
        lines=tuple((str(path), int(start), int(end)) for path, start, end in lines),
        language=str(row.get("language", "")),
        answerable=answerable,
    )


def scores(question: Question, found: Found) -> Scores:
    gold, top = set(question.files), found.files[:TOP]
    ranks = [rank for rank, path in enumerate(top, 1) if path in gold]
    return Scores(
        recall=len(ranks) / len(gold) if gold else 0.0,
        hit=float(bool(ranks)),
        reciprocal_rank=1 / ranks[0] if ranks else 0.0,
        precision=len(ranks) / TOP,
        line_hit=float(_overlaps(question, found)) if question.lines else None,
    )


def _overlaps(question: Question, found: Found) -> bool:
    return any(
        path == wanted and start <= last and end >= first
        for path, start, end in found.passages[:TOP]
        for wanted, first, last in question.lines
    )


def percentile(values: Sequence[float], share: float) -> float:
    """The value that `share` of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def summary(scored: Sequence[Scores], milliseconds: Sequence[float]) -> dict[str, float]:
    """Means over the questions; line hits over those that have gold lines."""
    lines = [one.line_hit for one in scored if one.line_hit is not None]
    figures = {
        "recall_at_10": fmean(one.recall for one in scored),
        "hit_at_10": fmean(one.hit for one in scored),
        "mrr_at_10": fmean(one.reciprocal_rank for one in scored),
        "line_hit_at_10": fmean(lines) if lines else 0.0,
        "precision_at_10": fmean(one.precision for one in scored),
    }
    return {
        **{name: round(value, 4) for name, value in figures.items()},
        "p50_ms": round(percentile(milliseconds, 0.5), 1),
        "p95_ms": round(percentile(milliseconds, 0.95), 1),
    }


def ask(question: Question, scope: Scope, channel: str) -> Found:
    started = time.perf_counter()
    only = None if channel == FUSED else {channel}
    rows = ranked(parse_query(question.text), scope, only=only)
    hits = located(rows[:READ])
    milliseconds = (time.perf_counter() - started) * 1000
    read = [(hit.path, hit.start_line, hit.end_line) for hit in passages(hits, TOP)]
    files = [group[0].path for group in group_by_file(rows)]
    return Found(tuple(files[:DEPTH]), tuple(read), milliseconds)
