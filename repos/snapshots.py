"""Writes the difference between two walks as file rows; reads the files of a snapshot."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from repos.classify import Classification
from repos.models import File, Repository, Snapshot
from repos.rows import new_ids
from repos.walk import WalkedFile

CLOSE = """
/* close_files */
UPDATE repos_file SET last_snapshot = %(last)s
WHERE repository_id = %(repository)s AND id = ANY(%(ids)s)
"""
REOPEN = """
/* reopen_files */
UPDATE repos_file SET last_snapshot = NULL
WHERE repository_id = %(repository)s AND last_snapshot = %(last)s
"""
DELETE_NEW = """
/* delete_new_files */
DELETE FROM repos_file WHERE repository_id = %(repository)s AND first_snapshot = %(number)s
"""
COPY = """
COPY repos_file (repository_id, id, path, raw_path, blob_sha, mode, size, lines, language,
                 classification, reason, first_snapshot)
FROM STDIN
"""


@dataclass(frozen=True, slots=True)
class Difference:
    """How many file rows a snapshot added, closed and kept."""

    added: int
    closed: int
    kept: int


def live_files(repository: Repository) -> dict[str, tuple[int, WalkedFile]]:
    """Row number and content of every file that no snapshot has closed, by path."""
    rows = File.objects.filter(repository=repository, last_snapshot__isnull=True)
    return {row.path: (row.id, _walked(row)) for row in rows.iterator(chunk_size=5000)}


def _walked(row: File) -> WalkedFile:
    return WalkedFile(
        path=row.path,
        raw_path=bytes(row.raw_path) if row.raw_path is not None else None,
        sha=row.blob_sha,
        mode=row.mode,
        size=row.size,
        classification=Classification(row.classification),
        reason=row.reason,
        lines=row.lines,
        language=row.language,
    )


def write_difference(
    snapshot: Snapshot, walked: Iterable[WalkedFile], *, renew: frozenset[int] = frozenset()
) -> Difference:
    """Close the rows that changed or went, add the new ones; in the caller's transaction.

    Rows in `renew` are replaced even where nothing changed (their derived rows are outdated).
    """
    repository = snapshot.repository
    before = live_files(repository)
    kept, added = set(), []
    for file in walked:
        row = before.get(file.path)
        if row is not None and _same(row[1], file) and row[0] not in renew:
            kept.add(row[0])
        else:
            added.append(file)
    gone = [number for number, _ in before.values() if number not in kept]
    last = snapshot.number - 1
    parameters: dict[str, Any] = {"repository": repository.pk, "ids": gone, "last": last}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(CLOSE, parameters)
        numbers = new_ids(len(added))
        with connection.wrap_database_errors, cursor.copy(COPY) as copy:
            for number, file in zip(numbers, added, strict=True):
                copy.write_row(_row(snapshot, number, file))
    return Difference(added=len(added), closed=len(gone), kept=len(kept))


def _same(before: WalkedFile, now: WalkedFile) -> bool:
    return (
        before.sha == now.sha
        and before.mode == now.mode
        and before.size == now.size
        and before.classification is now.classification
        and before.reason == now.reason
        and before.language == now.language
    )


def _row(snapshot: Snapshot, number: int, file: WalkedFile) -> tuple[object, ...]:
    return (
        snapshot.repository_id, number, file.path, file.raw_path, file.sha, file.mode, file.size,
        file.lines, file.language, file.classification.value, file.reason, snapshot.number,
    )  # fmt: skip


def undo_files(snapshot: Snapshot) -> None:
    """Take back what `write_difference` did for this snapshot; nothing where it did nothing."""
    parameters: Mapping[str, int] = {
        "repository": snapshot.repository_id,
        "number": snapshot.number,
        "last": snapshot.number - 1,
    }
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(DELETE_NEW, parameters)
        cursor.execute(REOPEN, parameters)
