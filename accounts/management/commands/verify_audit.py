"""manage.py verify_audit: whether the audit trail is as it was written."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.trail.chain import Head, seal_waiting
from accounts.trail.verify import Broken, verify


class Command(BaseCommand):
    help = (
        "Check every event of the audit trail. Ends with 1 and names the first event that was "
        "edited, removed, inserted, moved or cut off."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--head",
            action="store_true",
            help="print the end of the trail alone, to be kept on another machine",
        )
        parser.add_argument(
            "--expect", metavar="HEAD", help="a head that was kept: the trail must contain it"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        expected = _head(options["expect"]) if options["expect"] else None
        seal_waiting()
        try:
            checked = verify(expected)
        except Broken as error:
            raise CommandError(str(error)) from error
        if options["head"]:
            self.stdout.write(str(checked.head))
            return
        self.stdout.write(
            f"The audit trail is whole: {checked.sealed:,} events, {checked.waiting:,} waiting.\n"
            f"Head: {checked.head}"
        )


def _head(text: str) -> Head:
    position, _, seal = text.strip().partition(":")
    try:
        return Head(int(position), bytes.fromhex(seal))
    except ValueError as error:
        raise CommandError("A head looks like 12:9f3c..., as --head prints it.") from error
