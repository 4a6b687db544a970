"""`manage.py ask`: a question to the indexed repositories, answered and saved."""

import json
import re
import time
from collections.abc import Iterator
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse

from answers import claims, wording
from answers.answering import QuestionRefused, ask_in
from answers.jobs import write_answer
from answers.llm import is_configured
from answers.models import Answer, Statement
from answers.reading import Shown, ShownCitation, ShownStatement, as_json, show
from repos.models import Repository, RepositoryQuerySet
from search.channels import QueryTooSlow
from search.wording import too_slow

LOOK_SECONDS = 0.5  # between two looks at an answer that a worker writes
TEXT_WIDTH = 80  # longer lines push their place to the right
# Repository text must not reach the terminal's control sequences.
_CONTROLS = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f]")


class Command(BaseCommand):
    help = "Ask the indexed repositories, whoever may see them. Every line names its place."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("question")
        parser.add_argument(
            "--repository", action="append", metavar="SLUG", help="repeat it for several"
        )
        parser.add_argument("--json", action="store_true")
        parser.add_argument(
            "--extracts", action="store_true", help="lines alone, though a model is set up"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        repositories = _named(options["repository"] or [])
        try:
            by_model = is_configured() and not options["extracts"]
            shown = show(_written(ask_in(repositories, options["question"], by_model=by_model)))
        except QuestionRefused as error:
            raise CommandError(str(error)) from error
        except QueryTooSlow as error:
            raise CommandError(too_slow()) from error
        if options["json"]:
            self.stdout.write(json.dumps(as_json(shown), indent=2))
            return
        self.stderr.write(_head(shown))
        self.stdout.write("\n".join(nothing(shown) if shown.abstained else answer_lines(shown)))


def _written(answer: Answer) -> Answer:
    """The answer when it has ended: written here, unless a worker that runs was faster."""
    if (mine := claims.claim(answer.pk)) is not None:
        write_answer(mine)
    answer.refresh_from_db()
    while answer.is_running:
        time.sleep(LOOK_SECONDS)
        answer.refresh_from_db()
    return answer


def _named(names: list[str]) -> RepositoryQuerySet:
    """By slug, else by name; all without names. Raises CommandError for what nothing is named."""
    if not names:
        return Repository.objects.all()
    by_slug = Repository.objects.filter(slug__in=names)
    rest = set(names) - set(by_slug.values_list("slug", flat=True))
    rows = by_slug | Repository.objects.filter(name__in=rest)
    known = {word for pair in rows.values_list("slug", "name") for word in pair}
    if missing := sorted(set(names) - known):
        raise CommandError(f"There is no repository named {', '.join(missing)}.")
    if not rows.filter(published_snapshot__isnull=False).exists():
        raise CommandError(f"{', '.join(names)} is not indexed yet; wait for its run to end.")
    return rows


def _head(shown: Shown) -> str:
    asked = shown.answer.searched["repositories"]
    commits = ", ".join(f"{one['slug']} @ {one['commit'][:8]}" for one in asked)
    facts = [
        wording.steps(shown.answer.searched),
        commits,
        f"{shown.answer.milliseconds} ms",
        reverse("answers:answer", args=[shown.answer.pk]),
    ]
    head = f"{wording.label(shown.answer)}. {'; '.join(facts)}"
    said = [wording.reason(shown.answer), "" if shown.abstained else shown.answer.warning]
    return "\n".join([head, *wording.notes(shown.answer), *filter(None, said)])


def answer_lines(shown: Shown) -> list[str]:
    """Lines that end in `@ commit path:start-end`, the places below each other where they fit."""
    placed = [pair for one in shown.statements for pair in _placed(one)]
    width = min(max((len(text) for text, _place in placed), default=0), TEXT_WIDTH)
    return [f"{text:<{width}}  @ {place}" for text, place in placed]


def _placed(statement: ShownStatement) -> Iterator[tuple[str, str]]:
    """A sentence with the lines that carry it, or each line of code with its own; no headings."""
    if statement.is_sentence and statement.row.kind != Statement.Kind.CODE:
        places = [_place(one, one.row.start_line, one.row.end_line) for one in statement.citations]
        if places:
            yield printable(statement.text.replace("\n", " ")), ", ".join(places)
        return
    for citation in statement.citations:
        for number, line in enumerate(citation.row.quote.split("\n"), citation.row.start_line):
            if line.strip():
                yield printable(line), _place(citation, number, number)


def _place(citation: ShownCitation, start: int, end: int) -> str:
    return printable(f"{citation.commit} {citation.row.evidence.path}:{start}-{end}")


def nothing(shown: Shown) -> list[str]:
    searched = shown.answer.searched
    lines = [
        f"Nothing found that answers this. {wording.why_abstained(shown.answer)}",
        f"Searched for: {' '.join(searched['words'])}",
        *(f"{name}: {count} hits" for name, count in wording.found_by(searched)),
        *wording.advice(searched),
    ]
    if shown.pieces:
        lines.append("The nearest lines, which may have nothing to do with the question:")
    lines += [
        f"  {piece.row.symbol}  @ {piece.row.commit[:8]} {piece.place}" for piece in shown.pieces
    ]
    return [printable(line) for line in lines]


def printable(text: str) -> str:
    return _CONTROLS.sub("\ufffd", text)
