"""`manage.py abstention`: how often the floor refuses questions with and without an answer."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from answers.gathering import gather
from answers.relevance import FLOOR
from repos.models import Repository

STEPS = (-0.08, -0.04, 0.0, 0.04, 0.08)


class Command(BaseCommand):
    help = "Share of questions below the relevance floor; a line of JSON is a question."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--answerable", required=True, type=Path, metavar="FILE")
        parser.add_argument("--unanswerable", required=True, type=Path, metavar="FILE")
        parser.add_argument("--together", action="store_true", help="ask all repositories at once")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        slugs = list(
            Repository.objects.filter(published_snapshot__gt=0).values_list("slug", flat=True)
        )
        scores: dict[str, list[float]] = {}
        for group, question, asked in [
            *_questions(options["answerable"], slugs, together=options["together"]),
            *_questions(options["unanswerable"], slugs, together=options["together"]),
        ]:
            rows = Repository.objects.filter(slug__in=asked)
            scores.setdefault(group, []).append(gather(rows, question).relevance.score)
        shares = {group: _below(found) for group, found in scores.items()}
        self.stdout.write(
            json.dumps(shares, indent=2) if options["json"] else _table(shares, scores)
        )


def _questions(
    path: Path, slugs: list[str], *, together: bool
) -> Iterator[tuple[str, str, list[str]]]:
    """(group, question, slugs to ask); without a repository each is asked by itself."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            row = json.loads(line)
            group, question = row.get("kind", "answerable"), row["question"]
            slug = row.get("repository", "").rpartition("/")[2]
        except (ValueError, KeyError, AttributeError) as error:
            raise CommandError(f"{path}, line {number}: no question in JSON") from error
        if together or slug in slugs:
            yield group, question, slugs if together else [slug]
        elif not slug:
            yield from ((group, question, [one]) for one in slugs)


def _below(scores: list[float]) -> dict[str, float]:
    return {
        f"{FLOOR + step:.2f}": round(sum(one < FLOOR + step for one in scores) / len(scores), 4)
        for step in STEPS
    }


def _table(shares: dict[str, dict[str, float]], scores: dict[str, list[float]]) -> str:
    floors = list(next(iter(shares.values()), {}))
    lines = [f"{'below':12} {'asked':>6} " + " ".join(f"{floor:>7}" for floor in floors)]
    for group, row in shares.items():
        cells = " ".join(f"{row[floor]:7.1%}" for floor in floors)
        lines.append(f"{group:12} {len(scores[group]):6} {cells}")
    return "\n".join(lines)
