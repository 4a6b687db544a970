"""Finds the file of the repository that each import leads to, for the files of a snapshot.

Linear in the imports, a batch in memory at a time. Rows of unchanged files are touched only
where their target changed: the old row is closed and a new one takes over, so older snapshots
keep what they showed.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import connection, transaction

from indexing.models import Content
from indexing.records import ImportRecord
from indexing.resolve import MANIFEST_NAMES, Resolver
from repos.models import File, Snapshot
from repos.rows import new_ids

SELECT = """
/* live_imports */
SELECT i.id, i.file_id, i.module, i.names, i.line, i.target_path, i.first_snapshot,
       f.path, f.language
FROM indexing_import i
JOIN repos_file f ON f.repository_id = i.repository_id AND f.id = i.file_id
WHERE i.repository_id = %(repository)s AND i.last_snapshot IS NULL AND f.last_snapshot IS NULL
"""
SET_TARGETS = """
/* set_import_targets */
UPDATE indexing_import i SET target_path = t.path
FROM unnest(%(ids)s::bigint[], %(paths)s::text[]) AS t (id, path)
WHERE i.repository_id = %(repository)s AND i.id = t.id
"""
CLOSE_GONE = """
/* close_imports_of_closed_files */
UPDATE indexing_import i SET last_snapshot = %(last)s
FROM repos_file f
WHERE i.repository_id = %(repository)s AND i.last_snapshot IS NULL
  AND f.repository_id = i.repository_id AND f.id = i.file_id AND f.last_snapshot = %(last)s
"""
CLOSE_CHANGED = """
/* close_changed_imports */
UPDATE indexing_import SET last_snapshot = %(last)s
WHERE repository_id = %(repository)s AND id = ANY(%(ids)s)
"""
REOPEN = """
/* reopen_imports */
UPDATE indexing_import SET last_snapshot = NULL
WHERE repository_id = %(repository)s AND last_snapshot = %(last)s
"""
DELETE_TAKEN_OVER = """
/* delete_taken_over_imports */
DELETE FROM indexing_import i
USING repos_file f
WHERE i.repository_id = %(repository)s AND i.first_snapshot = %(number)s
  AND f.repository_id = i.repository_id AND f.id = i.file_id AND f.first_snapshot < %(number)s
"""
COPY = """
COPY indexing_import (repository_id, id, file_id, module, names, line, target_path,
                      first_snapshot) FROM STDIN
"""
BATCH = 5_000

Values = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class _Row:
    id: int
    file_id: int
    module: str
    names: str
    line: int
    target: str
    first: int
    path: str
    language: str


def resolve_imports(snapshot: Snapshot) -> int:
    """Set the targets for a draft snapshot; how many imports it has. Undoes itself first."""
    undo_resolved(snapshot)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(CLOSE_GONE, _parameters(snapshot))
        resolver = Resolver(_paths(snapshot), _manifests(snapshot))
        return sum(_resolve(snapshot, resolver, rows) for rows in _batches(snapshot))


def _batches(snapshot: Snapshot) -> Iterator[list[_Row]]:
    """The imports of the live files as they were when it began, without holding them all."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(SELECT, _parameters(snapshot))
        while rows := cursor.fetchmany(BATCH):
            yield [_Row(*row) for row in rows]


def _resolve(snapshot: Snapshot, resolver: Resolver, rows: list[_Row]) -> int:
    targets = {row.id: _target(resolver, row) for row in rows}
    changed = [row for row in rows if targets[row.id] != row.target]
    fresh = [row for row in changed if row.first == snapshot.number]
    _set_targets(_parameters(snapshot), fresh, targets)
    _take_over(snapshot, [row for row in changed if row.first < snapshot.number], targets)
    return len(rows)


def undo_resolved(snapshot: Snapshot) -> None:
    """Take back closings and take-overs of this snapshot; rows of its own files stay."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(DELETE_TAKEN_OVER, _parameters(snapshot))
        cursor.execute(REOPEN, _parameters(snapshot))


def _parameters(snapshot: Snapshot) -> dict[str, int]:
    return {
        "repository": snapshot.repository_id,
        "number": snapshot.number,
        "last": snapshot.number - 1,
    }


def _paths(snapshot: Snapshot) -> list[str]:
    files = File.objects.in_snapshot(snapshot.repository_id, snapshot.number)
    return list(files.values_list("path", flat=True))


def _manifests(snapshot: Snapshot) -> dict[str, str]:
    """Texts of the files that say where modules are; scrubbed like all stored text."""
    files = File.objects.in_snapshot(snapshot.repository_id, snapshot.number).filter(
        path__regex=rf"(^|/)({'|'.join(name.replace('.', '[.]') for name in MANIFEST_NAMES)})$"
    )
    paths = dict(files.values_list("id", "path"))
    texts = Content.objects.filter(repository_id=snapshot.repository_id, file_id__in=list(paths))
    return {paths[row.file_id]: row.text for row in texts.only("file_id", "text")}


def _target(resolver: Resolver, row: _Row) -> str:
    names = tuple(row.names.split(", ")) if row.names else ()
    record = ImportRecord(row.module, names, row.line)
    return resolver.resolve(row.path, row.language, record) or ""


def _set_targets(
    parameters: Mapping[str, int], rows: list[_Row], targets: Mapping[int, str]
) -> None:
    ids = [row.id for row in rows]
    values: Values = {**parameters, "ids": ids, "paths": [targets[number] for number in ids]}
    with connection.cursor() as cursor:
        cursor.execute(SET_TARGETS, values)


def _take_over(snapshot: Snapshot, rows: list[_Row], targets: Mapping[int, str]) -> None:
    values: Values = {**_parameters(snapshot), "ids": [row.id for row in rows]}
    with connection.cursor() as cursor:
        cursor.execute(CLOSE_CHANGED, values)
        numbers = new_ids(len(rows))
        with connection.wrap_database_errors, cursor.copy(COPY) as copy:
            for number, row in zip(numbers, rows, strict=True):
                copy.write_row(_taken_over(snapshot, number, row, targets[row.id]))


def _taken_over(snapshot: Snapshot, number: int, row: _Row, target: str) -> tuple[object, ...]:
    return (
        snapshot.repository_id, number, row.file_id, row.module, row.names, row.line, target,
        snapshot.number,
    )  # fmt: skip
