"""Proves that nothing of a removed repository is left: `manage.py verify_deletion [RECORD...]`."""

import sys
import uuid
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from repos import deletion_proof
from repos.deletion_proof import Proof, verify
from repos.models import DeletionRecord


class Command(BaseCommand):
    help = (
        "Check the signature of deletion records, and that no row and no file of what they "
        "describe is left. Without a record: all of them. Ends with 1 where one does not hold."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("record", nargs="*", type=uuid.UUID)
        parser.add_argument(
            "--finish", action="store_true", help="remove files that a crash has left, and sign"
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        wanted = options["record"]
        records = DeletionRecord.objects.all()
        if wanted:
            records = records.filter(pk__in=wanted)
        if len(records) < len(wanted):
            raise CommandError("There is no such record.")
        failed = False
        for record in records:
            if options["finish"] and not record.finished:
                deletion_proof.finish(record)
            proof = verify(record)
            failed = failed or not proof.holds
            self.stdout.write("\n".join(_told(record, proof)))
        if failed:
            sys.exit(1)


def _told(record: DeletionRecord, proof: Proof) -> list[str]:
    lines = [f"{record.pk}  {record.slug}  removed {record.created:%Y-%m-%d %H:%M} UTC"]
    lines.append(f"  {_signature(record, proof)}")
    if proof.rows:
        lines += [f"  LEFT {count} rows in {table}" for table, count in proof.rows.items()]
    else:
        lines.append(f"  no row in {proof.tables} tables")
    lines.append("  LEFT files on the disk" if proof.on_disk else "  no file on the disk")
    lines += [f"  kept {count} rows in {table}" for table, count in proof.kept.items()]
    return [*lines, "  proven" if proof.holds else "  NOT PROVEN"]


def _signature(record: DeletionRecord, proof: Proof) -> str:
    if not proof.finished:
        return "NOT FINISHED: the rows are gone, the files were not (--finish goes on)"
    if not proof.signed:
        return "THE SIGNATURE DOES NOT FIT: the record was changed"
    if not proof.by_us:
        return f"SIGNED WITH A KEY THAT FOOTNOTE_DELETION_KEYS DOES NOT HOLD ({record.public_key})"
    return f"signed by this server ({record.public_key[:16]})"
