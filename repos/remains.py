"""What there is of a repository, or is left of it: rows of every table that names it, and files.

Tables are not listed here: the database is asked which have a column `repository_id` or a foreign
key to repositories, so that one that somebody adds is counted too.
"""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from django.db import connection
from psycopg.sql import SQL, Identifier

from repos.models import Repository
from repos.places import folder_of

TABLES = """/* repository_tables */
SELECT columns.table_name, columns.column_name
FROM information_schema.columns
JOIN information_schema.tables USING (table_schema, table_name)
WHERE columns.table_schema = current_schema()
  AND tables.table_type = 'BASE TABLE'
  AND columns.column_name = 'repository_id'
UNION
SELECT relation.relname, attribute.attname
FROM pg_constraint
JOIN pg_class AS relation ON relation.oid = conrelid
JOIN pg_attribute AS attribute ON attrelid = conrelid AND attnum = conkey[1]
WHERE contype = 'f' AND confrelid = 'repos_repository'::regclass
UNION
SELECT 'repos_repository', 'id'
ORDER BY 1, 2
"""
COUNT = SQL("/* repository_rows */ SELECT count(*) FROM {} WHERE {} = %(repository)s")

# What describes a repository that is gone, and why it stays. None of it holds code. Those with a
# column `repository_id` are counted; the others name it in their own way.
KEPT = {
    "accounts_auditevent": "who saw and did what: the audit trail is not rewritten",
    "outbound_sentlines": "which lines left for a model: path, lines and commit, never the text",
    "outbound_modelcall": "calls of models: the numbers of the repositories whose lines they sent",
    "compliance_report": "reports that were made: counts, names and commits as they stood",
    "search_evaluationrun": "evaluations: the questions as somebody uploaded them",
    "search_evaluationresult": "evaluations: questions, and how their files ranked",
}


@dataclass(frozen=True, slots=True)
class Files:
    count: int
    bytes: int


def tables() -> list[tuple[str, str]]:
    """(table, column) of everything that names a repository."""
    with connection.cursor() as cursor:
        cursor.execute(TABLES)
        return [(str(table), str(column)) for table, column in cursor.fetchall()]


def rows_of(repository_id: int, *, kept: bool = False) -> dict[str, int]:
    """Rows by table, those that have any; `kept`: of the tables in KEPT instead of all others."""
    chosen = [one for one in tables() if (one[0] in KEPT) is kept]
    counts: dict[str, int] = {}
    with connection.cursor() as cursor:
        for table, column in chosen:
            statement = COUNT.format(Identifier(table), Identifier(column))
            cursor.execute(statement, {"repository": repository_id})
            (found,) = cursor.fetchone()
            if found:
                counts[table] = counts.get(table, 0) + found
    return counts


def files_of(repository_id: int) -> Files:
    sizes = [_size(path) for path in _files(folder_of(Repository(pk=repository_id)))]
    return Files(len(sizes), sum(sizes))


def _files(folder: Path) -> Iterable[Path]:
    """Everything but folders, links as links; the folder itself where it is empty."""
    for at, _, names in os.walk(folder):
        yield from (Path(at) / name for name in names)


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except FileNotFoundError:
        return 0  # a run that just ended has tidied up


def is_on_disk(repository_id: int) -> bool:
    return folder_of(Repository(pk=repository_id)).exists()
