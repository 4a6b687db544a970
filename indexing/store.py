"""The only writer of derived rows: they come in by COPY and go with their file."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, transaction

from indexing.decode import REPLACEMENT
from indexing.deriving import INDEX_VERSION, SCRUB_VERSION, DerivedFile
from indexing.models import RunFailure
from repos.rows import new_ids

COPY_CONTENT = """
COPY indexing_content (repository_id, file_id, text, encoding, line_count, remarks,
                       scrub_version, index_version, policy_version) FROM STDIN
"""
COPY_SYMBOL = """
COPY indexing_symbol (repository_id, id, file_id, name, qualified_name, kind, signature, doc,
                      lead_line, start_line, name_line, end_line, parent, exported) FROM STDIN
"""
COPY_IMPORT = """
COPY indexing_import (repository_id, id, file_id, module, names, line, target_path,
                      first_snapshot) FROM STDIN
"""
COPY_CHUNK = """
COPY indexing_chunk (repository_id, id, file_id, ordinal, start_line, end_line, symbol, kind,
                     length, terms, embed_hash) FROM STDIN
"""
COPY_EMBED_INPUT = """
COPY indexing_embedinput (repository_id, id, file_id, text) FROM STDIN
"""
COPY_FINDING = """
COPY indexing_finding (repository_id, id, file_id, line, start_col, end_col, kind, action,
                       confidence, "group", fingerprint, key_id, leads) FROM STDIN
"""

DERIVED = ("content", "symbol", "import", "chunk", "embedinput", "finding")
DELETE = "DELETE FROM indexing_{} WHERE repository_id = %(repository)s AND file_id = ANY(%(files)s)"

NOT_STORABLE = re.compile("[\0\ud800-\udfff]")

# What a crash of the server takes of these rows, the run derives again; no need to wait for
# the disk at every batch.
ASYNCHRONOUS = "SET LOCAL synchronous_commit = off"

Row = tuple[object, ...]


def write_derived(repository_id: int, snapshot: int, files: Sequence[DerivedFile]) -> None:
    """All rows of these files, or none: one transaction a batch is what a rerun relies on."""
    symbols = [row for file in files for row in _symbols(file)]
    imports = [row for file in files for row in _imports(file, snapshot)]
    findings = [row for file in files for row in _findings(file)]
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(ASYNCHRONOUS)
        _copy(COPY_CONTENT, (_content(repository_id, file) for file in files))
        _copy_numbered(COPY_SYMBOL, repository_id, symbols)
        _copy_numbered(COPY_IMPORT, repository_id, imports)
        _copy_numbered(COPY_FINDING, repository_id, findings)
        _copy_chunks(repository_id, files)


def delete_derived(repository_id: int, file_ids: Sequence[int]) -> None:
    parameters: dict[str, Any] = {"repository": repository_id, "files": list(file_ids)}
    with transaction.atomic(), connection.cursor() as cursor:
        for table in DERIVED:
            cursor.execute(DELETE.format(table), parameters)


def record_failures(run_id: int, failures: Iterable[tuple[str, str]]) -> None:
    """(path, reason) pairs; a path that is recorded already keeps its first reason."""
    RunFailure.objects.bulk_create(
        [RunFailure(run_id=run_id, path=path, reason=reason) for path, reason in failures],
        ignore_conflicts=True,
    )


def _copy(statement: str, rows: Iterable[Row]) -> None:
    # Django wraps the errors of `execute`, not those of `copy`.
    wrapped = connection.wrap_database_errors
    with connection.cursor() as cursor, wrapped, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row([_storable(value) for value in row])


def _storable(value: object) -> object:
    """Text that a column takes: escapes in notebooks and keys can stand for NUL and for half
    a character, and one of them would undo the whole batch."""
    if not isinstance(value, str):
        return value
    if value.isascii():
        return value.replace("\0", REPLACEMENT)
    return NOT_STORABLE.sub(REPLACEMENT, value)


def _copy_numbered(statement: str, repository_id: int, rows: Sequence[Row]) -> None:
    numbered = zip(new_ids(len(rows)), rows, strict=True)
    _copy(statement, ((repository_id, number, *row) for number, row in numbered))


def _content(repository_id: int, file: DerivedFile) -> Row:
    return (
        repository_id, file.file_id, file.text, file.encoding, file.line_count,
        "; ".join(file.remarks), SCRUB_VERSION, INDEX_VERSION, file.policy_version,
    )  # fmt: skip


def _symbols(file: DerivedFile) -> Iterable[Row]:
    for one in file.symbols:
        yield (
            file.file_id, one.name, one.qualified_name, one.kind.value, one.signature, one.doc,
            one.lead_line, one.start_line, one.name_line, one.end_line, one.parent, one.exported,
        )  # fmt: skip


def _imports(file: DerivedFile, snapshot: int) -> Iterable[Row]:
    for one in file.imports:
        yield (file.file_id, one.module, ", ".join(one.names), one.line, "", snapshot)


def _findings(file: DerivedFile) -> Iterable[Row]:
    seen: set[int] = set()
    for one in file.findings:
        leads = one.group not in seen
        seen.add(one.group)
        yield (
            file.file_id, one.line, one.start_col, one.end_col, one.kind, one.action,
            one.confidence, one.group, one.fingerprint, file.key_id, leads,
        )  # fmt: skip


def _copy_chunks(repository_id: int, files: Sequence[DerivedFile]) -> None:
    chunks = [(file.file_id, chunk) for file in files for chunk in file.chunks]
    numbers = new_ids(len(chunks))
    _copy(
        COPY_CHUNK,
        (
            (
                repository_id, number, file_id, chunk.record.ordinal, chunk.record.start_line,
                chunk.record.end_line, chunk.record.symbol, chunk.record.kind, chunk.terms.length,
                chunk.terms.vector, chunk.embed_hash,
            )
            for number, (file_id, chunk) in zip(numbers, chunks, strict=True)
        ),
    )  # fmt: skip
    _copy(
        COPY_EMBED_INPUT,
        (
            (repository_id, number, file_id, chunk.embed_text)
            for number, (file_id, chunk) in zip(numbers, chunks, strict=True)
        ),
    )
