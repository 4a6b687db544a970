"""One line a question and channel: measured, written as JSON lines, read again, summed up."""

import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Any

from search import abstaining
from search.abstaining import Judge
from search.evaluate import TOP, Found, Question, Scores, ask, scores, summary
from search.scope import Scope

ABSTENTION = "abstention"  # beside the channels: whether an answer would abstain, no ranking


class ResultsUnreadable(Exception):
    """The file holds no results; the message says which line and why."""


@dataclass(frozen=True, slots=True)
class Result:
    """`ranks` of the gold files count from 1, None where the file is not among the first 100.

    Of the channel ABSTENTION only `answerable` and `abstained` mean something.
    """

    id: str
    channel: str
    question: str
    language: str
    ranks: dict[str, int | None]
    recall: float
    hit: float
    reciprocal_rank: float
    precision: float
    line_hit: float | None
    milliseconds: float
    top: tuple[str, ...]
    answerable: bool = True
    abstained: bool | None = None

    @property
    def right(self) -> float | None:
        """1 where it answers what has an answer or abstains from what has none, else 0; None
        where that was not judged."""
        return None if self.abstained is None else float(self.abstained != self.answerable)

    @property
    def scores(self) -> Scores:
        return Scores(self.recall, self.hit, self.reciprocal_rank, self.precision, self.line_hit)

    def as_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False)


def measure(
    questions: Iterable[Question],
    scope_of_question: Callable[[Question], Scope],
    channels: Sequence[str],
    judge: Judge | None = None,
) -> Iterator[Result]:
    """Channel by channel for each question, then whether an answer would abstain.

    Questions without an answer are not for ranking.
    """
    for question in questions:
        scope = scope_of_question(question)
        if question.answerable:
            yield from (result(question, one, ask(question, scope, one)) for one in channels)
        if judge is not None:
            yield verdict(question, scope, judge)


def judge_for(questions: Sequence[Question]) -> Judge | None:
    """Only beside questions without an answer does a share of abstentions say something."""
    return None if all(one.answerable for one in questions) else abstaining.judge()


def verdict(question: Question, scope: Scope, judge: Judge) -> Result:
    started = time.perf_counter()
    abstained = judge(scope, question.text)
    milliseconds = round((time.perf_counter() - started) * 1000, 1)
    nothing = Result(
        question.id, ABSTENTION, question.text, question.language, {}, 0, 0, 0, 0, None, 0, ()
    )
    return replace(
        nothing, milliseconds=milliseconds, answerable=question.answerable, abstained=abstained
    )


def result(question: Question, channel: str, found: Found) -> Result:
    places = {path: rank for rank, path in enumerate(found.files, 1)}
    scored = scores(question, found)
    return Result(
        id=question.id,
        channel=channel,
        question=question.text,
        language=question.language,
        ranks={path: places.get(path) for path in question.files},
        recall=scored.recall,
        hit=scored.hit,
        reciprocal_rank=scored.reciprocal_rank,
        precision=scored.precision,
        line_hit=scored.line_hit,
        milliseconds=round(found.milliseconds, 1),
        top=found.files[:TOP],
    )


def figures(results: Sequence[Result]) -> dict[str, Any]:
    """In the shape that `evaluate --json` prints; by language where there are several."""
    ranked = [one for one in results if one.channel != ABSTENTION]
    judged = [one for one in results if one.channel == ABSTENTION]
    languages = sorted({one.language for one in ranked})
    found: dict[str, Any] = {
        "questions": len({one.id for one in ranked}),
        "channels": _by_channel(ranked),
    }
    if judged:
        found["abstention"] = abstention(judged)
    if len(languages) > 1:
        found["languages"] = {
            name or "-": _by_channel([one for one in ranked if one.language == name])
            for name in languages
        }
    return found


def abstention(judged: Sequence[Result]) -> dict[str, float | None]:
    """Shares that abstain: `correct` of those without an answer, `false` of those with one."""
    with_answer = [bool(one.abstained) for one in judged if one.answerable]
    without = [bool(one.abstained) for one in judged if not one.answerable]
    return {
        "unanswerable": len(without),
        "correct": round(fmean(without), 4) if without else None,
        "answerable": len(with_answer),
        "false": round(fmean(with_answer), 4) if with_answer else None,
    }


def _by_channel(results: Sequence[Result]) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {}
    for channel in dict.fromkeys(one.channel for one in results):
        rows = [one for one in results if one.channel == channel]
        found[channel] = summary([one.scores for one in rows], [one.milliseconds for one in rows])
    return found


def read_results(path: Path) -> list[Result]:
    """What --per-question wrote; raises ResultsUnreadable."""
    found: list[Result] = []
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ResultsUnreadable(f"{path} cannot be read: {error}") from error
    for number, line in enumerate(text.splitlines(), 1):
        try:
            row = json.loads(line)
            found.append(Result(**{**row, "top": tuple(row["top"])}))
        except (ValueError, KeyError, TypeError) as error:
            message = f"{path}, line {number}: not a result of a question ({error!r})."
            raise ResultsUnreadable(message) from error
    return found
