"""Findings as the console lists, counts and exports them. Officers and auditors answer for all
repositories, so these statements are not narrowed to those a person may read (accounts/roles.py).

A secret of several lines is one row: its first line. No statement returns a value; text comes
from the stored line, and masking.py covers what still stands there.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from compliance.findings.filters import Filter

PAGE_ROWS = 50
EXPORT_ROWS = 500
BEFORE, WINDOW = 32, 200  # characters of a line around a finding

# The most precise review in force: of the value, of the path, of the kind; then the newest.
STATE = """
COALESCE(
  (SELECT w.decision FROM indexing_reviewedvalue AS v
   JOIN indexing_findingreview AS w ON w.id = v.review_id
   WHERE v.fingerprint = x.fingerprint AND v.kind = x.kind AND w.undone IS NULL
     AND (w.repository_id IS NULL OR w.repository_id = x.repository_id)
   ORDER BY w.id DESC LIMIT 1),
  (SELECT w.decision FROM indexing_findingreview AS w
   WHERE w.scope = 'path' AND w.kind = x.kind AND w.undone IS NULL
     AND (w.repository_id IS NULL OR w.repository_id = x.repository_id)
     AND f.path ~ w.path_regex
   ORDER BY w.id DESC LIMIT 1),
  (SELECT w.decision FROM indexing_findingreview AS w
   WHERE w.scope = 'kind' AND w.kind = x.kind AND w.undone IS NULL
     AND (w.repository_id IS NULL OR w.repository_id = x.repository_id)
   ORDER BY w.id DESC LIMIT 1),
  'open')
"""

FOUND = f"""
FROM indexing_finding AS x
JOIN repos_file AS f ON f.repository_id = x.repository_id AND f.id = x.file_id
JOIN repos_repository AS r ON r.id = x.repository_id
CROSS JOIN LATERAL (SELECT {STATE} AS state) AS s
WHERE x.leads
  AND f.first_snapshot <= r.published_snapshot
  AND (%(seen)s = 'ever' OR f.last_snapshot IS NULL OR f.last_snapshot >= r.published_snapshot)
  AND (%(repository)s = 0 OR x.repository_id = %(repository)s)
  AND (%(kind)s = '' OR x.kind = %(kind)s)
  AND (%(confidence)s = '' OR x.confidence = %(confidence)s)
  AND (%(action)s = '' OR x.action = %(action)s)
  AND (%(path)s = '' OR strpos(lower(f.path), %(path)s) > 0)
  AND (%(state)s = '' OR s.state = %(state)s)
  AND (%(review)s = 0 OR EXISTS (
    SELECT FROM indexing_reviewedvalue AS v
    WHERE v.review_id = %(review)s AND v.fingerprint = x.fingerprint AND v.kind = x.kind))
  AND (%(since)s::date IS NULL OR NOT EXISTS (
    SELECT FROM indexing_finding AS e
    JOIN repos_file AS g ON g.repository_id = e.repository_id AND g.id = e.file_id
    JOIN repos_snapshot AS n ON n.repository_id = g.repository_id AND n.number = g.first_snapshot
    WHERE e.repository_id = x.repository_id AND e.fingerprint = x.fingerprint
      AND n.published < %(since)s::date))
"""  # noqa: S608 - put together from constants

ROWS = f"""
/* list_findings */
SELECT x.repository_id, r.slug, x.id, x.file_id, f.path, x.line, x.start_col, x.end_col, x.kind,
       x.action, x.confidence, s.state, x.fingerprint, x.key_id, n.commit, n.published,
       greatest(0, x.start_col - {BEFORE}) AS cut,
       (SELECT substr(split_part(c.text, E'\\n', x.line), greatest(0, x.start_col - {BEFORE}) + 1,
                      {WINDOW})
        FROM indexing_content AS c
        WHERE c.repository_id = x.repository_id AND c.file_id = x.file_id) AS text
FROM (SELECT x.id, s.state {FOUND} AND x.id > %(after)s ORDER BY x.id LIMIT %(limit)s) AS s
JOIN indexing_finding AS x ON x.id = s.id AND x.leads
JOIN repos_file AS f ON f.repository_id = x.repository_id AND f.id = x.file_id
JOIN repos_repository AS r ON r.id = x.repository_id
LEFT JOIN repos_snapshot AS n ON n.repository_id = f.repository_id AND n.number = f.first_snapshot
ORDER BY x.id
"""  # noqa: S608 - put together from constants

COUNTS = f"""
/* count_findings */
SELECT CASE WHEN grouping(r.slug) = 0 THEN 'repository'
            WHEN grouping(x.kind) = 0 THEN 'kind'
            WHEN grouping(x.confidence) = 0 THEN 'confidence'
            WHEN grouping(x.action) = 0 THEN 'action'
            WHEN grouping(s.state) = 0 THEN 'state'
            ELSE '' END,
       COALESCE(r.slug, x.kind, x.confidence, x.action, s.state, ''), count(*)
{FOUND}
GROUP BY GROUPING SETS ((), (r.slug), (x.kind), (x.confidence), (x.action), (s.state))
ORDER BY 1, 3 DESC, 2
"""

TOTAL = f"/* total_of_findings */ SELECT count(*) {FOUND}"

REACHED = f"""
/* reached_findings */
SELECT count(*) {FOUND} AND (%(path_regex)s = '' OR f.path ~ %(path_regex)s)
"""

SELECTED = f"""
/* selected_findings */
SELECT x.kind, x.fingerprint, x.key_id, r.slug, f.path, count(*)
{FOUND} AND (%(every)s OR x.id = ANY(%(numbers)s))
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1, 4, 5
"""

SPANS = """
/* spans_of_lines */
SELECT x.file_id, x.line, x.start_col, x.end_col, x.action
FROM indexing_finding AS x
JOIN unnest(%(files)s::bigint[], %(lines)s::int[]) AS wanted (file_id, line)
  ON wanted.file_id = x.file_id AND wanted.line = x.line
WHERE x.repository_id = ANY(%(repositories)s)
ORDER BY 1, 2, 3
"""

Span = tuple[int, int, str]  # first column, column behind the last, action


@dataclass(frozen=True, slots=True)
class Row:
    """A finding; `text` are `WINDOW` characters of its stored line from column `cut` on."""

    repository_id: int
    slug: str
    number: int
    file_id: int
    path: str
    line: int
    start_col: int
    end_col: int
    kind: str
    action: str
    confidence: str
    state: str
    fingerprint: bytes
    key_id: str
    commit: str  # of the snapshot in which the file became as it is
    published: datetime | None
    cut: int
    text: str


@dataclass(frozen=True, slots=True)
class Selected:
    """Findings of one value in one file."""

    kind: str
    fingerprint: bytes
    key_id: str
    slug: str
    path: str
    findings: int


def rows(chosen: Filter, *, after: int = 0, limit: int = PAGE_ROWS) -> list[Row]:
    """In the order in which they were found, from behind the number `after` on."""
    parameters = {**chosen.parameters(), "after": after, "limit": limit}
    with connection.cursor() as cursor:
        cursor.execute(ROWS, parameters)
        return [
            Row(*(*row[:12], bytes(row[12]), *row[13:17], (row[17] or "").rstrip("\r")))
            for row in cursor.fetchall()
        ]


def every_row(chosen: Filter) -> Iterator[list[Row]]:
    """All of them, some hundred at a time."""
    after = 0
    while some := rows(chosen, after=after, limit=EXPORT_ROWS):
        yield some
        after = some[-1].number


def counts(chosen: Filter) -> dict[str, list[tuple[str, int]]]:
    """By column, (value, findings), most first; the total is under ""."""
    found: dict[str, list[tuple[str, int]]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(COUNTS, chosen.parameters())
        for column, value, number in cursor.fetchall():
            found[column].append((value, number))
    return dict(found)


def total(chosen: Filter) -> int:
    with connection.cursor() as cursor:
        cursor.execute(TOTAL, chosen.parameters())
        return int(cursor.fetchone()[0])


def reached(chosen: Filter, path_regex: str = "") -> int:
    """How many of what is published now lie in paths that match; "" matches all."""
    with connection.cursor() as cursor:
        cursor.execute(REACHED, {**chosen.parameters(), "path_regex": path_regex})
        return int(cursor.fetchone()[0])


def selected(chosen: Filter, numbers: list[int] | None) -> list[Selected]:
    """What a review would speak of: findings by number, or all that match (None)."""
    parameters = {**chosen.parameters(), "every": numbers is None, "numbers": numbers or []}
    with connection.cursor() as cursor:
        cursor.execute(SELECTED, parameters)
        return [Selected(kind, bytes(print_), *rest) for kind, print_, *rest in cursor.fetchall()]


def spans_of(found: list[Row]) -> dict[tuple[int, int], list[Span]]:
    """By (file, line), every finding on the lines of these rows."""
    spans: dict[tuple[int, int], list[Span]] = defaultdict(list)
    parameters: dict[str, Any] = {
        "files": [row.file_id for row in found],
        "lines": [row.line for row in found],
        "repositories": list({row.repository_id for row in found}),
    }
    with connection.cursor() as cursor:
        cursor.execute(SPANS, parameters)
        for file_id, line, start, end, action in cursor.fetchall():
            spans[file_id, line].append((start, end, action))
    return spans
