"""`manage.py evaluate --answers`: options, files, what is printed."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser, OutputWrapper

from answers.evaluating import questions as asking
from answers.evaluating.figures import figures, table
from answers.evaluating.measures import Measured
from answers.evaluating.questions import AskedQuestion
from answers.evaluating.replies import (
    Listening,
    RepliesUnreadable,
    ReplyMissing,
    read_replies,
)
from answers.evaluating.running import EXTRACTS, Evaluation
from answers.voice import Provider, Voice
from search.evaluate import QuestionsUnreadable
from search.evaluations import own_commit
from search.preparing import SourceMissing


class AnswerEvaluation:
    """Registered with search, whose command it extends (search/answer_evaluation.py)."""

    def add_arguments(self, parser: CommandParser) -> None:
        group = parser.add_argument_group("answers")
        add = group.add_argument
        add("--answers", action="store_true", help="measure answers instead of the ranking")
        add("--unanswerable", type=Path, metavar="FILE", help="questions that have no answer")
        add("--model", action="append", metavar="NAME", help="repeat it to measure several")
        add("--extracts", action="store_true", help="measure the extracts, which need no model")
        add("--limit", type=int, default=0, metavar="N", help="questions of each file")
        add("--forbidden", type=Path, metavar="FILE", help="phrases no answer may say, one a line")
        add("--record", type=Path, metavar="FILE", help="write the replies of models down")
        add("--replay", type=Path, metavar="FILE", help="play them back; nothing leaves")
        add("--keep", action="store_true", help="do not delete the answers afterwards")

    def run(self, options: Mapping[str, Any], *, out: OutputWrapper, log: OutputWrapper) -> None:
        models = _models(options)
        try:
            asked = _questions(options)
            with _voice(options) as voice:
                evaluation = Evaluation(
                    voice, options["sources"], _phrases(options["forbidden"]), options["keep"]
                )
                found = list(_measured(evaluation, asked, models, log))
            _write(options["per_question"], found)
        except (
            OSError,
            UnicodeDecodeError,
            QuestionsUnreadable,
            RepliesUnreadable,
            ReplyMissing,
            SourceMissing,
        ) as error:
            raise CommandError(str(error)) from error
        summed = {
            "commit": own_commit(),
            "replayed": options["replay"] is not None,
            "judge": settings.JUDGE_MODEL,
            **figures(found),
        }
        out.write(json.dumps(summed, indent=2) if options["json"] else table(summed))
        _refuse_wrong(found)


def _models(options: Mapping[str, Any]) -> list[str]:
    named = options["model"] or ([settings.ANSWER_MODEL] if settings.ANSWER_MODEL else [])
    extracts = [EXTRACTS] if options["extracts"] or not named else []
    # Extracts alone are asked for without --model, whatever is set up.
    only_extracts = options["extracts"] and not options["model"]
    return extracts if only_extracts else [*extracts, *named]


def _questions(options: Mapping[str, Any]) -> list[AskedQuestion]:
    if not options["questions"]:
        raise CommandError("Give --questions FILE with --answers.")
    if options["record"] and options["replay"]:
        raise CommandError("Give --record or --replay, not both.")
    most = options["limit"]
    found = asking.read(options["questions"], answerable=True)
    asked = asking.spread(found, most)
    if options["unanswerable"]:
        without = asking.read(options["unanswerable"], answerable=False)
        asked += asking.placed(asking.spread(without, most), found)
    return asked


@contextmanager
def _voice(options: Mapping[str, Any]) -> Iterator[Listening]:
    with ExitStack() as stack:
        speaker: Voice = read_replies(options["replay"]) if options["replay"] else Provider()
        file: IO[str] | None = None
        if options["record"]:
            file = stack.enter_context(options["record"].open("w", encoding="utf-8"))
        yield Listening(speaker, file)


def _phrases(path: Path | None) -> list[str]:
    lines = path.read_text(encoding="utf-8").splitlines() if path else []
    return [line.strip() for line in lines if line.strip()]


def _measured(
    evaluation: Evaluation,
    asked: Sequence[AskedQuestion],
    models: Sequence[str],
    log: OutputWrapper,
) -> Iterator[Measured]:
    for model in models:
        log.write(f"{model}: {len(asked)} questions")
        for number, one in enumerate(evaluation.measure(asked, model), 1):
            yield one
            said = f"{one.statements} statements, {one.dropped} dropped, {one.end_ms} ms"
            log.write(f"  {number} {one.id}: {one.state}, {said} {one.error}".rstrip())


def _write(path: Path | None, found: Sequence[Measured]) -> None:
    if path is not None:
        path.write_text("".join(one.as_json() + "\n" for one in found), encoding="utf-8")


def _refuse_wrong(found: Sequence[Measured]) -> None:
    """A citation that does not hold, or a leak, is a fault of ours, however good the rest is."""
    wrong = [f"{one.id}: {place}" for one in found for place in one.wrong]
    leaked = [f"{one.id}: {what}" for one in found for what in one.leaked]
    if wrong:
        raise CommandError(f"Shown and wrong: {'; '.join(wrong)}")
    if leaked:
        raise CommandError(f"Shown and forbidden: {'; '.join(leaked)}")


ANSWERS = AnswerEvaluation()
