"""manage.py export_index NAME: what was indexed, as JSON, written while it is read."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.audit import record
from accounts.trail.actions import Action
from indexing.export import NothingToExport, exported_files, head_of, snapshot_to_export
from repos.models import Repository, Snapshot


class Command(BaseCommand):
    help = (
        "Write what was indexed of a repository: one JSON object a line, the first about the "
        "snapshot, the others about a path each."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the repository's short name, as in its address")
        parser.add_argument(
            "--json", action="store_true", help="one JSON document instead of lines"
        )
        parser.add_argument("--at", default="", metavar="COMMIT", help="an older snapshot")

    def handle(self, *args: Any, **options: Any) -> None:
        repository = Repository.objects.filter(slug=options["name"]).first()
        if repository is None:
            raise CommandError(f"There is no repository {options['name']}.")
        try:
            snapshot = snapshot_to_export(repository, options["at"])
        except NothingToExport as error:
            raise CommandError(str(error)) from error
        record(
            Action.INDEX_EXPORTED,
            actor=None,
            repository=repository,
            detail={"commit": snapshot.commit, "format": "json" if options["json"] else "lines"},
        )
        if options["json"]:
            self._document(snapshot)
        else:
            self._lines(snapshot)

    def _lines(self, snapshot: Snapshot) -> None:
        self._write(json.dumps(head_of(snapshot)) + "\n")
        for file in exported_files(snapshot):
            self._write(json.dumps(file) + "\n")

    def _document(self, snapshot: Snapshot) -> None:
        """The head's members, then "files": the same values as in the lines."""
        self._write(json.dumps(head_of(snapshot)).removesuffix("}") + ', "files": [\n')
        for count, file in enumerate(exported_files(snapshot)):
            self._write((",\n" if count else "") + json.dumps(file))
        self._write("\n]}\n")

    def _write(self, text: str) -> None:
        self.stdout.write(text, ending="")
