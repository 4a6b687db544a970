"""Findings counted beforehand, a repository at a time, so that a page adds up a few hundred rows.

What the counts stand on is written down as `marks`. Repositories whose marks have changed are
counted again: few findings by the page that asks, many by the worker, once a minute. Until then
the page shows the last counts and says when they were made.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from compliance.findings.filters import Filter

AT_ONCE = 2_000  # findings that a page counts itself
COLUMNS = ("repository", "kind", "confidence", "action", "state")

# What runs write is seen from its publishing on, by its number; the snapshots stand for what
# retention takes away, the newest change of the policy for reviews.
MARKS = """
/* marks_of_tallies */
SELECT r.id, concat_ws('/', r.published_snapshot,
         (SELECT count(*) FROM repos_snapshot AS n
          WHERE n.repository_id = r.id AND n.state = 'published'),
         (SELECT max(p.id) FROM indexing_policychange AS p
          WHERE p.repository_id IS NULL OR p.repository_id = r.id)) AS marks,
       t.marks, t.counted
FROM repos_repository AS r
LEFT JOIN compliance_talliedrepository AS t ON t.repository_id = r.id
WHERE r.published_snapshot IS NOT NULL AND (%(repository)s = 0 OR r.id = %(repository)s)
ORDER BY r.id
"""

SIZE = """
/* size_for_tallies */
SELECT count(*) FROM (SELECT FROM indexing_finding WHERE repository_id = %(repository)s
                      LIMIT %(limit)s) AS found
"""

LOCK = """
/* lock_tallies */
SELECT pg_advisory_xact_lock(hashtext('footnote tallies'), %(repository)s::int)
"""

# Nothing is found of a repository that goes or is gone.
HELD = """
/* hold_for_tallies */
SELECT t.marks FROM repos_repository AS r
LEFT JOIN compliance_talliedrepository AS t ON t.repository_id = r.id
WHERE r.id = %(repository)s
FOR KEY SHARE OF r SKIP LOCKED
"""

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

# What was dated earlier stays so: retention takes away the files in which a value stood first. The
# dates are read before any is written: a table that grows while it is read may be read row by row.
COUNT = f"""
/* count_tallies */
WITH all_of_it AS (
  SELECT x.id, f.first_snapshot, f.last_snapshot, x.kind, x.confidence, x.action, {STATE} AS state,
         d.first_seen AS dated,
         min(least(d.first_seen, n.published)) OVER (PARTITION BY x.fingerprint) AS first_seen
  FROM indexing_finding AS x
  JOIN repos_file AS f ON f.repository_id = x.repository_id AND f.id = x.file_id
  JOIN repos_repository AS r ON r.id = x.repository_id
  LEFT JOIN repos_snapshot AS n
    ON n.repository_id = %(repository)s AND n.number = f.first_snapshot
  LEFT JOIN compliance_datedfinding AS d ON d.id = x.id AND d.repository_id = %(repository)s
  WHERE x.repository_id = %(repository)s AND x.leads AND f.first_snapshot <= r.published_snapshot
    -- Else retention is about to take it away, and nothing would tell when it has.
    AND (f.last_snapshot IS NULL OR f.last_snapshot >= r.published_snapshot OR EXISTS (
      SELECT FROM repos_snapshot AS n
      WHERE n.repository_id = %(repository)s AND n.state = 'published'
        AND n.number BETWEEN f.first_snapshot AND f.last_snapshot))
), dated AS (
  INSERT INTO compliance_datedfinding (id, repository_id, first_seen)
  SELECT id, %(repository)s, first_seen FROM all_of_it WHERE first_seen IS DISTINCT FROM dated
  ON CONFLICT (id) DO UPDATE SET first_seen = EXCLUDED.first_seen
), decided AS (
  INSERT INTO compliance_decidedfinding (id, repository_id, state)
  SELECT id, %(repository)s, state FROM all_of_it WHERE state <> 'open'
), counted AS (
  INSERT INTO compliance_findingtally (repository_id, first_snapshot, last_snapshot, kind,
      confidence, action, state, first_seen, findings)
  SELECT %(repository)s, first_snapshot, last_snapshot, kind, confidence, action, state, first_seen,
      count(*)
  FROM all_of_it GROUP BY 2, 3, 4, 5, 6, 7, 8
)
INSERT INTO compliance_talliedrepository (repository_id, marks, counted)
VALUES (%(repository)s, %(marks)s, now())
ON CONFLICT (repository_id) DO UPDATE SET marks = EXCLUDED.marks, counted = EXCLUDED.counted
"""  # noqa: S608 - put together from constants

FORGET = """
/* forget_tallies */
DELETE FROM compliance_findingtally WHERE repository_id = %(repository)s;
DELETE FROM compliance_decidedfinding WHERE repository_id = %(repository)s;
DELETE FROM compliance_datedfinding AS d
WHERE d.repository_id = %(repository)s
  AND NOT EXISTS (SELECT FROM indexing_finding AS x WHERE x.id = d.id AND x.leads)
"""

TALLIES = """
/* tallies */
SELECT r.slug, t.kind, t.confidence, t.action, t.state, sum(t.findings)::bigint
FROM compliance_findingtally AS t
JOIN repos_repository AS r ON r.id = t.repository_id
WHERE (%(since)s::date IS NULL OR t.first_seen >= %(since)s::date)
  AND t.first_snapshot <= r.published_snapshot
  AND (%(seen)s = 'ever' OR t.last_snapshot IS NULL OR t.last_snapshot >= r.published_snapshot)
  AND (%(repository)s = 0 OR t.repository_id = %(repository)s)
  AND (%(kind)s = '' OR t.kind = %(kind)s)
  AND (%(confidence)s = '' OR t.confidence = %(confidence)s)
  AND (%(action)s = '' OR t.action = %(action)s)
  AND (%(state)s = '' OR t.state = %(state)s)
GROUP BY 1, 2, 3, 4, 5
"""


@dataclass(frozen=True, slots=True)
class Marked:
    """A published repository: what its counts would stand on now, and what they do stand on."""

    repository: int
    now: str
    counted_of: str | None
    counted: datetime | None

    @property
    def is_fresh(self) -> bool:
        return self.now == self.counted_of


@dataclass(frozen=True, slots=True)
class Standing:
    """Whether there are counts of all repositories that were asked for, and from when the oldest
    is that is out of date (None: all are as of now)."""

    complete: bool
    since: datetime | None

    @property
    def is_fresh(self) -> bool:
        return self.complete and self.since is None


def standing(repository: int = 0) -> Standing:
    """Of one repository, or of all (0); what is little is counted on the way."""
    stale = _count_little(_out_of_date(repository))
    moments = [one.counted for one in stale if one.counted is not None]
    return Standing(len(moments) == len(stale), min(moments, default=None))


def recount() -> int:
    """Scheduled every minute: repositories whose counts are out of date. Returns how many."""
    stale = _out_of_date()
    for one in stale:
        count(one)
    return len(stale)


def _out_of_date(repository: int = 0) -> list[Marked]:
    return [one for one in marks(repository) if not one.is_fresh]


def marks(repository: int = 0) -> list[Marked]:
    with connection.cursor() as cursor:
        cursor.execute(MARKS, {"repository": repository})
        return [Marked(*row) for row in cursor.fetchall()]


def _count_little(stale: Iterable[Marked]) -> list[Marked]:
    """Those that are left, since they hold too much to be counted by a page."""
    room, left = AT_ONCE, []
    for one in stale:
        size = _size(one.repository, room + 1) if room >= 0 else 1
        room -= size
        if room >= 0:
            count(one)
        else:
            left.append(one)
    return left


def _size(repository: int, limit: int) -> int:
    with connection.cursor() as cursor:
        cursor.execute(SIZE, {"repository": repository, "limit": limit})
        return int(cursor.fetchone()[0])


def count(one: Marked) -> None:
    """The marks were read before: what changes meanwhile is seen as out of date. Nothing where
    another has just counted the same, or the repository is being removed."""
    parameters: dict[str, Any] = {"repository": one.repository, "marks": one.now}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(LOCK, parameters)
        cursor.execute(HELD, parameters)
        if cursor.fetchone() in {None, (one.now,)}:
            return
        cursor.execute(FORGET, parameters)
        cursor.execute(COUNT, parameters)


def added_up(chosen: Filter) -> dict[str, list[tuple[str, int]]]:
    """By column, (value, findings), most first; the total is under "". Path and review are
    not in the counts."""
    with connection.cursor() as cursor:
        cursor.execute(TALLIES, chosen.parameters())
        return by_column(cursor.fetchall())


def by_column(found: Iterable[Sequence[Any]]) -> dict[str, list[tuple[str, int]]]:
    """Rows of COLUMNS and a number, added up by each column; the total is under ""."""
    sums: dict[str, Counter[str]] = {name: Counter() for name in ("", *COLUMNS)}
    for *values, number in found:
        sums[""][""] += number
        for name, value in zip(COLUMNS, values, strict=True):
            sums[name][value] += number
    return {
        name: sorted(values.items(), key=lambda one: (-one[1], one[0]))
        for name, values in sums.items()
    }
