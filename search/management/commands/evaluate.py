"""`manage.py evaluate`: the figures of docs/benchmarks.md on a file of questions."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from repos.models import Repository
from search.channels import CHANNELS, LEXICAL, PATH, SEMANTIC, SYMBOL
from search.evaluate import FUSED, Question, QuestionsUnreadable, evaluate, read_questions
from search.preparing import SourceMissing, prepare
from search.retrieval import scope_of
from search.scope import Scope

DEFAULT_CHANNELS = (FUSED, LEXICAL, SEMANTIC, SYMBOL, PATH)


class Command(BaseCommand):
    help = "Measure the ranking on questions with known files, by channel and fused."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--questions", required=True, type=Path, metavar="FILE")
        parser.add_argument("--sources", required=True, type=Path, metavar="DIR")
        parser.add_argument("--channel", action="append", choices=(FUSED, *CHANNELS))
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            questions = read_questions(options["questions"])
            if not questions:
                raise CommandError(f"{options['questions']} holds no question.")
            scopes = self._scopes(questions, options["sources"])
        except (OSError, QuestionsUnreadable, SourceMissing) as error:
            raise CommandError(str(error)) from error
        figures = evaluate(
            questions,
            lambda one: scopes[one.repository, one.commit],
            options["channel"] or DEFAULT_CHANNELS,
        )
        self.stdout.write(json.dumps(figures, indent=2) if options["json"] else table(figures))

    def _scopes(self, questions: list[Question], sources: Path) -> dict[tuple[str, str], Scope]:
        scopes: dict[tuple[str, str], Scope] = {}
        for name, commit in dict.fromkeys((one.repository, one.commit) for one in questions):
            self.stderr.write(f"{name} at {commit[:8]}")
            repository = prepare(name, commit, sources)
            scopes[name, commit] = scope_of(Repository.objects.filter(pk=repository.pk))
        return scopes


def table(figures: dict[str, Any]) -> str:
    names = list(next(iter(figures["channels"].values())))
    lines = [f"{figures['questions']} questions", " ".join([f"{'':10}", *names])]
    for channel, row in figures["channels"].items():
        cells = [f"{row[name]:>{len(name)}}" for name in names]
        lines.append(" ".join([f"{channel:10}", *cells]))
    return "\n".join(lines)
