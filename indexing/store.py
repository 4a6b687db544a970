"""The only writer of derived rows: they come in by COPY and go with their file."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from struct import Struct
from typing import Any

from django.db import connection, transaction

from indexing.models import RunFailure
from indexing.packing import PackedFile
from repos.rows import new_ids

# The columns up to file_id (of imports: first_snapshot) are the ones that the worker puts before
# what a child has packed.
COPY_CONTENT = """
COPY indexing_content (repository_id, file_id, text, encoding, line_count, remarks,
                       scrub_version, index_version, policy_version)
FROM STDIN (FORMAT BINARY)
"""
COPY_SYMBOL = """
COPY indexing_symbol (repository_id, id, file_id, name, qualified_name, kind, signature, doc,
                      lead_line, start_line, name_line, end_line, parent, exported)
FROM STDIN (FORMAT BINARY)
"""
COPY_IMPORT = """
COPY indexing_import (repository_id, id, file_id, first_snapshot, module, names, line,
                      target_path) FROM STDIN (FORMAT BINARY)
"""
COPY_CHUNK = """
COPY indexing_chunk (repository_id, id, file_id, ordinal, start_line, end_line, symbol, kind,
                     length, terms, embed_hash) FROM STDIN (FORMAT BINARY)
"""
COPY_EMBED_INPUT = """
COPY indexing_embedinput (repository_id, id, file_id, text) FROM STDIN (FORMAT BINARY)
"""
COPY_FINDING = """
COPY indexing_finding (repository_id, id, file_id, line, start_col, end_col, kind, action,
                       confidence, "group", fingerprint, key_id, leads)
FROM STDIN (FORMAT BINARY)
"""
COPY_HEADER = b"PGCOPY\n\xff\r\n\0" + bytes(8)
COPY_END = b"\xff\xff"
# How many columns, then the fields before file_id: the repository, and the row's own number.
_lead = Struct(">hiqiq").pack
_unnumbered = Struct(">hiqiq").pack
_file = Struct(">iq").pack
_since = Struct(">ii").pack

DERIVED = ("content", "symbol", "import", "chunk", "embedinput", "finding")
DELETE = "DELETE FROM indexing_{} WHERE repository_id = %(repository)s AND file_id = ANY(%(files)s)"

# What a crash of the server takes of these rows, the run derives again; no need to wait for
# the disk at every batch.
ASYNCHRONOUS = "SET LOCAL synchronous_commit = off"


def write_derived(repository_id: int, snapshot: int, files: Sequence[PackedFile]) -> None:
    """All rows of these files, or none: one transaction a batch is what a rerun relies on."""
    if not files:
        return
    symbols = _rows(files, "symbols")
    imports = _rows(files, "imports", _since(4, snapshot))
    findings = _rows(files, "findings")
    chunks = _rows(files, "chunks")
    inputs = _rows(files, "embed_inputs")
    with transaction.atomic():
        numbers = iter(new_ids(len(symbols) + len(imports) + len(findings) + len(chunks)))
        with connection.cursor() as cursor:
            cursor.execute(ASYNCHRONOUS)
        _copy(COPY_CONTENT, (_content(repository_id, file) for file in files))
        _copy(COPY_SYMBOL, _numbered(14, repository_id, numbers, symbols))
        _copy(COPY_IMPORT, _numbered(8, repository_id, numbers, imports))
        _copy(COPY_FINDING, _numbered(13, repository_id, numbers, findings))
        same = list(islice(numbers, len(chunks)))  # an embedded text has its chunk's number
        _copy(COPY_CHUNK, _numbered(11, repository_id, same, chunks))
        _copy(COPY_EMBED_INPUT, _numbered(4, repository_id, same, inputs))


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


def _rows(files: Sequence[PackedFile], kind: str, since: bytes = b"") -> list[bytes]:
    """Behind the number of their file, and the snapshot where rows have one of their own."""
    packed = ((_file(8, file.file_id) + since, getattr(file, kind)) for file in files)
    return [lead + row for lead, rows in packed for row in rows]


def _content(repository_id: int, file: PackedFile) -> bytes:
    return _unnumbered(9, 8, repository_id, 8, file.file_id) + file.content


def _numbered(
    columns: int, repository_id: int, numbers: Iterable[int], rows: Sequence[bytes]
) -> Iterator[bytes]:
    for row, number in zip(rows, numbers, strict=False):
        yield _lead(columns, 8, repository_id, 8, number) + row


def _copy(statement: str, rows: Iterable[bytes]) -> None:
    packed = list(rows)
    if not packed:
        return
    # Django wraps the errors of `execute`, not those of `copy`.
    wrapped = connection.wrap_database_errors
    with connection.cursor() as cursor, wrapped, cursor.copy(statement) as copy:
        copy.write(b"".join([COPY_HEADER, *packed, COPY_END]))
