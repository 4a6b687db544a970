"""`manage.py evaluate`: the figures of docs/benchmarks.md on a file of questions."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from repos.models import Repository
from search import answer_evaluation, evaluations
from search.channels import CHANNELS, LEXICAL, PATH, SEMANTIC, SYMBOL
from search.comparing import Comparison, Moved, NothingToCompare, compare
from search.evaluate import FUSED, Question, QuestionsUnreadable, questions_in
from search.models import EvaluationRun
from search.preparing import SourceMissing, prepare
from search.results import (
    ABSTENTION,
    Result,
    ResultsUnreadable,
    figures,
    judge_for,
    measure,
    read_results,
)
from search.retrieval import scope_of
from search.scope import Scope

DEFAULT_CHANNELS = (FUSED, LEXICAL, SEMANTIC, SYMBOL, PATH)


class Command(BaseCommand):
    help = "Measure the ranking on questions with known files, by channel and fused."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--questions", type=Path, metavar="FILE")
        parser.add_argument(
            "--sources", type=Path, metavar="DIR", help="clones to index where needed"
        )
        parser.add_argument("--channel", action="append", choices=(FUSED, *CHANNELS))
        parser.add_argument("--json", action="store_true")
        parser.add_argument(
            "--per-question", type=Path, metavar="FILE", help="write a line of JSON a question"
        )
        parser.add_argument("--store", metavar="NAME", help="keep it for the page Evaluations")
        parser.add_argument(
            "--compare",
            nargs=2,
            metavar=("BEFORE", "AFTER"),
            help="files of --per-question, or numbers of kept evaluations",
        )
        if (answers := answer_evaluation.registered()) is not None:
            answers.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        answers = answer_evaluation.registered()
        if answers is not None and options["answers"]:
            answers.run(options, out=self.stdout, log=self.stderr)
        elif options["compare"]:
            self.stdout.write(_compared(options["compare"], options["channel"]))
        elif options["questions"]:
            self._measure(options)
        else:
            raise CommandError("Give --questions FILE, or --compare BEFORE AFTER.")

    def _measure(self, options: dict[str, Any]) -> None:
        source: Path = options["questions"]
        try:
            text = source.read_text(encoding="utf-8")
            questions = questions_in(text, str(source))
            if not questions:
                raise CommandError(f"{source} holds no question.")
            scopes = self._scopes(questions, options["sources"])
        except (OSError, UnicodeDecodeError, QuestionsUnreadable, SourceMissing) as error:
            raise CommandError(str(error)) from error
        chosen = options["channel"] or DEFAULT_CHANNELS
        judge = judge_for(questions)
        found = list(
            measure(questions, lambda one: scopes[one.repository, one.commit], chosen, judge)
        )
        if options["per_question"]:
            _write(options["per_question"], found)
        if options["store"]:
            run = evaluations.new_run(name=options["store"], source=source.name, text=text)
            evaluations.save_results(run, found)
            evaluations.finish(run, found)
            self.stderr.write(f"Kept as evaluation {run.pk}.")
        summed = figures(found)
        self.stdout.write(json.dumps(summed, indent=2) if options["json"] else table(summed))

    def _scopes(
        self, questions: list[Question], sources: Path | None
    ) -> dict[tuple[str, str], Scope]:
        scopes: dict[tuple[str, str], Scope] = {}
        for name, commit in dict.fromkeys((one.repository, one.commit) for one in questions):
            self.stderr.write(
                f"{name or 'all repositories'} at {commit[:8] or 'what is published'}"
            )
            if sources is None or not name or not commit:
                scopes[name, commit] = evaluations.scope_at(name, commit)
            else:
                repository = prepare(name, commit, sources)
                scopes[name, commit] = scope_of(Repository.objects.filter(pk=repository.pk))
        return scopes


def _write(path: Path, found: Sequence[Result]) -> None:
    try:
        path.write_text("".join(one.as_json() + "\n" for one in found), encoding="utf-8")
    except OSError as error:
        raise CommandError(str(error)) from error


def table(summed: dict[str, Any]) -> str:
    lines = [f"{summed['questions']} questions"]
    if "abstention" in summed:
        lines += told_abstention(summed["abstention"])
    if not summed["channels"]:
        return "\n".join(lines)
    names = list(next(iter(summed["channels"].values())))
    lines.append(" ".join([f"{'':10}", *names]))
    groups = {"": summed["channels"], **summed.get("languages", {})}
    for language, channels in groups.items():
        for channel, row in channels.items():
            cells = [f"{row[name]:>{len(name)}}" for name in names]
            lines.append(" ".join([f"{channel:10}", *cells, language]).rstrip())
    return "\n".join(lines)


def told_abstention(shares: dict[str, Any]) -> list[str]:
    """Correct and false abstention together: either alone is easily had."""
    right, wrong = (
        "-" if shares[name] is None else f"{shares[name]:.1%}" for name in ("correct", "false")
    )
    return [
        f"{shares['unanswerable']} without an answer: abstains from {right}",
        f"{shares['answerable']} with an answer: abstains from {wrong}",
    ]


def _compared(pair: Sequence[str], chosen: Sequence[str] | None) -> str:
    """Of the channels that were chosen, else of what search has and whether it abstains."""
    try:
        before, after = map(_results, pair)
        both = {one.channel for one in before} & {one.channel for one in after}
        channels = chosen or [FUSED, *({ABSTENTION} & both)]
        return "\n\n".join(_told(compare(before, after, channel)) for channel in channels)
    except (ResultsUnreadable, NothingToCompare) as error:
        raise CommandError(str(error)) from error


def _results(given: str) -> list[Result]:
    if not given.isdigit():
        return read_results(Path(given))
    run = EvaluationRun.objects.filter(pk=int(given)).first()
    if run is None:
        raise CommandError(f"There is no kept evaluation {given}.")
    return evaluations.results_of(run)


def _told(comparison: Comparison) -> str:
    lines = [f"{comparison.channel}: {comparison.questions} questions in both"]
    lines += [one.sentence for one in comparison.differences]
    for title, moved in (("Better", comparison.better), ("Worse", comparison.worse)):
        lines.append(f"{title}: {len(moved)}")
        lines += [f"  {_movement(one)}" for one in moved]
    if comparison.left_out:
        lines.append(f"Only in one of the two: {', '.join(comparison.left_out)}")
    return "\n".join(lines)


def _movement(moved: Moved) -> str:
    ranks = [
        f"{path} {moved.before.ranks.get(path) or '-'} -> {rank or '-'}"
        for path, rank in moved.after.ranks.items()
    ]
    return f"{moved.change:+.3f} {moved.after.id}: {'; '.join(ranks)}"
