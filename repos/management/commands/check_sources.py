"""Asks the sources of repositories whether they are still there: `manage.py check_sources`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from repos.models import Repository
from repos.source_check import check


class Command(BaseCommand):
    help = (
        "Ask each source without a token, then with the one that is kept, and mark repositories "
        "whose source is gone or has become private. Nothing is deleted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", nargs="*")

    def handle(self, *_args: Any, **options: Any) -> None:
        rows = Repository.objects.all()
        if options["slug"]:
            rows = rows.filter(slug__in=options["slug"])
        for repository in rows:
            label = Repository.SourceState(check(repository)).label
            self.stdout.write(f"{repository.slug}  {label}")
