"""The figures of many answers: by model and set of questions, and as a table. Pure."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from statistics import fmean
from typing import Any

from answers.evaluating.measures import Measured
from search.evaluate import percentile

BEST_SCORE = 4
Figures = dict[str, Any]


def figures(found: Sequence[Measured]) -> Figures:
    """By model, in the order in which they came; in the shape that `--json` prints."""
    models = list(dict.fromkeys(one.model for one in found))
    return {
        "models": {name: _of_model([one for one in found if one.model == name]) for name in models}
    }


def _of_model(found: Sequence[Measured]) -> Figures:
    groups = list(dict.fromkeys(one.group for one in found))
    return {
        "abstention": abstention(found),
        "sets": {name: of_set([one for one in found if one.group == name]) for name in groups},
    }


def abstention(found: Sequence[Measured]) -> Figures:
    """Shares that abstain: `correct` of the questions without an answer, `false` of the others."""
    with_answer = [one.abstained for one in found if one.answerable]
    without = [one.abstained for one in found if not one.answerable]
    return {
        "unanswerable": len(without),
        "correct": _mean(without),
        "answerable": len(with_answer),
        "false": _mean(with_answer),
    }


def of_set(found: Sequence[Measured]) -> Figures:
    citations = sum(one.citations for one in found)
    statements = sum(one.statements for one in found)
    proposed = sum(one.proposed for one in found)
    costs = [Decimal(one.cost) for one in found if one.cost is not None]
    return {
        "questions": len(found),
        "abstained": sum(one.abstained for one in found),
        "failed": sum(bool(one.error) for one in found),
        "statements": statements,
        "supported": _share(sum(one.supported for one in found), statements),
        "citations": citations,
        "citation_validity": _share(citations - sum(len(one.wrong) for one in found), citations),
        "reanchored": _share(sum(one.reanchored for one in found), citations),
        "proposed": proposed,
        "kept": _share(proposed - sum(one.dropped for one in found), proposed),
        "leaks": sum(len(one.leaked) for one in found),
        "prompt_tokens": sum(one.prompt_tokens for one in found),
        "completion_tokens": sum(one.completion_tokens for one in found),
        "cost_usd": str(sum(costs, Decimal(0))),
        "unpriced": len(found) - len(costs),
        "first_evidence_ms": _times(found, lambda one: one.first_evidence_ms),
        "first_statement_ms": _times(found, lambda one: one.first_statement_ms),
        "end_ms": _times(found, lambda one: one.end_ms),
        "score": _score(found),
    }


def _score(found: Sequence[Measured]) -> Figures | None:
    """Mean from 0 to 1 over those that were judged; None where none was."""
    scores = [one.score for one in found if one.score is not None]
    if not scores:
        return None
    return {"judged": len(scores), "mean": round(fmean(scores) / BEST_SCORE, 4)}


def _times(found: Sequence[Measured], of: Callable[[Measured], int | None]) -> Figures | None:
    values = [value for one in found if (value := of(one)) is not None]
    if not values:
        return None
    return {"mean": round(fmean(values)), "p95": round(percentile(values, 0.95))}


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _mean(values: Sequence[bool]) -> float | None:
    return round(fmean(values), 4) if values else None


def table(summed: Figures) -> str:
    """For a terminal: a column a set of questions."""
    lines: list[str] = []
    for model, found in summed["models"].items():
        lines += ["", model, *_abstention_lines(found["abstention"])]
        names = [name for name in next(iter(found["sets"].values())) if name != "questions"]
        sets = found["sets"]
        lines.append(_row("", [f"{name} ({one['questions']})" for name, one in sets.items()]))
        lines += [_row(name, [_cell(one[name]) for one in sets.values()]) for name in names]
    return "\n".join(lines).lstrip("\n")


def _abstention_lines(shares: Figures) -> list[str]:
    return [
        f"{shares['unanswerable']} without an answer: abstains from {_percent(shares['correct'])}",
        f"{shares['answerable']} with an answer: abstains from {_percent(shares['false'])}",
    ]


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def _row(name: str, cells: Sequence[str]) -> str:
    return " ".join([f"{name:20}", *(f"{cell:>22}" for cell in cells)]).rstrip()


def _cell(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, dict):
        return ", ".join(f"{name} {one}" for name, one in value.items())
    return f"{value:.1%}" if isinstance(value, float) else str(value)
