"""The channel of text as it stands: chunks with lines that hold it. Rows as in channels.py.

Postgres finds the texts that hold it, here their lines are found, and Postgres names the chunks of
those: cutting texts into lines in SQL took ten times as long.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from django.db import connection

from search.channels import ROWS, Ranked, array, over_files, run
from search.exact_query import Needle
from search.scope import FileKey, Scope, escape_like
from search.sieve import sieve_of

MOST_READ = 100  # texts; the index is asked where there are more
LINES_A_FILE = 500  # that are looked at

# `{texts}` is where the texts are taken from. The empty string makes the database unpack each text
# once, rather than once to compare and again to send it.
HOLDING_TEXTS = """
/* search: {tag} */
{texts}
SELECT h.repository_id, h.file_id, h.path, h.text
FROM held h
WHERE h.text LIKE ALL(%(patterns)s::text[])
    OR (%(any_case)s AND h.text ILIKE ALL(%(patterns)s::text[]))
LIMIT %(rows)s"""
ANY_TEXT = """{files}, held AS (
    SELECT f.repository_id, f.id AS file_id, f.path, t.text || '' AS text
    FROM files f
    JOIN indexing_content t ON t.repository_id = f.repository_id AND t.file_id = f.id
    WHERE {sifted}
    OFFSET 0
)"""
FEW_TEXTS = """WITH held AS (
    SELECT g.repository_id, g.file_id, f.path, t.text || '' AS text
    FROM unnest(%(only_repositories)s::bigint[], %(only_files)s::bigint[])
        AS g(repository_id, file_id)
    CROSS JOIN {file of g} AS f
    CROSS JOIN LATERAL (
        SELECT t.text FROM indexing_content t
        WHERE t.repository_id = g.repository_id AND t.file_id = g.file_id
        OFFSET 0
    ) AS t
    OFFSET 0
)"""


def _statement(tag: str, texts: str) -> str:
    return over_files(HOLDING_TEXTS.replace("{tag}", tag).replace("{texts}", texts))


LITERAL_SQL = _statement("literal; uses content_trigrams and content_waiting", ANY_TEXT)
FEW_SQL = _statement("literal in few; uses indexing_content_pkey", FEW_TEXTS)

# Chunks of a file do not overlap: the last that begins at a line or above it is the only one.
CHUNKS_SQL = over_files("""
/* search: chunks of lines; uses chunk_file */
SELECT g.place, c.id
FROM unnest(%(held_repositories)s::bigint[], %(held_files)s::bigint[], %(lines)s::bigint[])
    WITH ORDINALITY AS g(repository_id, file_id, line, place)
LEFT JOIN LATERAL (
    SELECT * FROM indexing_chunk c
    WHERE c.repository_id = g.repository_id AND c.file_id = g.file_id AND c.start_line <= g.line
    ORDER BY c.start_line DESC
    LIMIT 1
) AS c ON c.end_line >= g.line
WHERE CASE WHEN c.id IS NULL THEN %(kinds)s::text[] IS NULL ELSE {kinds} END""")


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that holds a text; `same`: in the case that was asked for."""

    file: FileKey
    path: str
    number: int
    same: bool


def literal(
    texts: Sequence[str], scope: Scope, *, any_case: bool, rows: int = ROWS
) -> list[Ranked]:
    """Chunks with lines that hold one of the texts, of files that hold all; exact case first."""
    needles = tuple(Needle(text, is_regex=False, ignore_case=any_case) for text in texts)
    parameters = {
        **scope.parameters(),
        "patterns": [f"%{escape_like(text)}%" for text in texts],
        "any_case": any_case,
        "sieve": sieve_of(needles),
        "rows": rows,
    }
    few = scope.only is not None and len(scope.only) <= MOST_READ
    found = [
        _Line(FileKey(repository, file), path, number, same)
        for repository, file, path, text in _streamed(FEW_SQL if few else LITERAL_SQL, parameters)
        for number, same in _lines(text, texts, any_case=any_case)
    ]
    return _ranked(found, scope)[:rows]


def _streamed(statement: str, parameters: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Row by row, since all the texts together may be large."""
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        yield from cursor.stream(statement, parameters)


def _lines(text: str, texts: Sequence[str], *, any_case: bool) -> list[tuple[int, bool]]:
    """The numbers of the first lines that hold one of the texts, and whether in its case."""
    same = set(_numbers(text, texts))
    found = same
    if any_case:
        # Lower case may be longer, but has the same lines.
        found = same | set(_numbers(text.lower(), [one.lower() for one in texts]))
    return [(number, number in same) for number in sorted(found)[:LINES_A_FILE]]


def _numbers(text: str, texts: Iterable[str]) -> Iterator[int]:
    for one in texts:
        number, counted, at = 1, 0, text.find(one)
        for _ in range(LINES_A_FILE):
            if at < 0:
                break
            number += text.count("\n", counted, at)
            yield number
            counted = at
            end = text.find("\n", at)
            at = text.find(one, end) if end >= 0 else -1


def _ranked(found: Sequence[_Line], scope: Scope) -> list[Ranked]:
    """One row a chunk, or a file where no chunk has the line."""
    if not found:
        return []
    parameters = {
        **scope.parameters(),
        "held_repositories": array(line.file.repository_id for line in found),
        "held_files": array(line.file.file_id for line in found),
        "lines": array(line.number for line in found),
    }
    counts: Counter[tuple[FileKey, int | None]] = Counter()
    same: dict[tuple[FileKey, int | None], bool] = {}
    paths: dict[FileKey, str] = {}
    for place, chunk in run(CHUNKS_SQL, parameters):
        line = found[place - 1]
        key = (line.file, chunk)
        counts[key] += 1
        same[key] = same.get(key, False) or line.same
        paths[line.file] = line.path
    ranked = [
        Ranked(
            file.repository_id,
            file.file_id,
            chunk,
            same[file, chunk] + 1 - 1 / (1 + count),
            paths[file],
        )
        for (file, chunk), count in counts.items()
    ]
    return sorted(ranked, key=_order)


def _order(row: Ranked) -> tuple[float, str, int, int]:
    return -row.score, row.path, row.repository_id, row.chunk_id or 0
