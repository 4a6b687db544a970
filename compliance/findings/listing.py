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

from compliance.findings import tallies
from compliance.findings.filters import Filter
from compliance.findings.tallies import STATE

PAGE_ROWS = 50
EXPORT_ROWS = 500
SELECTED_AT_ONCE = 5_000
COUNTED = 2_000  # where nothing was counted beforehand: further, the page says "more than"
BEFORE, WINDOW = 32, 200  # characters of a line around a finding

# `{narrowed}` is from NARROWED: what begins with an index of its own.
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
  AND (%(path)s = '' OR f.path ILIKE %(path_pattern)s)
  {{narrowed}}
"""

# Added where the filter is set: inside of an OR none of them could lead the plan. State and age are
# asked of what was counted beforehand (tallies.py): to work them out for all would take seconds.
# The first two do, for what must be as of now while the counts are not.
NARROWED = {
    "state as of now": """
  AND s.state = %(state)s""",
    "since as of now": """
  AND f.first_snapshot >= (
    SELECT min(n.number) FROM repos_snapshot AS n
    WHERE n.repository_id = x.repository_id AND n.published >= %(since)s::date)
  AND NOT EXISTS (
    SELECT FROM indexing_finding AS e
    JOIN repos_file AS g ON g.repository_id = e.repository_id AND g.id = e.file_id
    JOIN repos_snapshot AS n ON n.repository_id = g.repository_id AND n.number = g.first_snapshot
    LEFT JOIN compliance_datedfinding AS d ON d.id = e.id
    WHERE e.repository_id = x.repository_id AND e.fingerprint = x.fingerprint
      AND least(n.published, d.first_seen) < %(since)s::date)""",
    "decided": """
  AND x.id IN (SELECT d.id FROM compliance_decidedfinding AS d WHERE d.state = %(state)s)""",
    "open": """
  AND NOT EXISTS (SELECT FROM compliance_decidedfinding AS d WHERE d.id = x.id)""",
    "review": """
  AND (x.fingerprint, x.kind) IN (
    SELECT v.fingerprint, v.kind FROM indexing_reviewedvalue AS v
    WHERE v.review_id = %(review)s)""",
    "since": """
  AND x.id IN (
    SELECT d.id FROM compliance_datedfinding AS d WHERE d.first_seen >= %(since)s::date)""",
}

_ROWS = f"""
SELECT x.repository_id, r.slug, x.id, x.file_id, f.path, x.line, x.start_col, x.end_col, x.kind,
       x.action, x.confidence, {STATE} AS state, x.fingerprint, x.key_id, n.commit, n.published,
       greatest(0, x.start_col - {BEFORE}) AS cut,
       (SELECT substr(split_part(c.text, E'\\n', x.line), greatest(0, x.start_col - {BEFORE}) + 1,
                      {WINDOW})
        FROM indexing_content AS c
        WHERE c.repository_id = x.repository_id AND c.file_id = x.file_id) AS text
FROM ({{chosen}}) AS s
JOIN indexing_finding AS x ON x.id = s.id AND x.leads
JOIN repos_file AS f ON f.repository_id = x.repository_id AND f.id = x.file_id
JOIN repos_repository AS r ON r.id = x.repository_id
LEFT JOIN repos_snapshot AS n ON n.repository_id = f.repository_id AND n.number = f.first_snapshot
ORDER BY x.id DESC
"""  # noqa: S608 - put together from constants
_FOUND_ROWS = f"""SELECT x.id {FOUND}
        AND (%(after)s = 0 OR x.id < %(after)s) AND (%(number)s = 0 OR x.id = %(number)s)
      ORDER BY x.id DESC LIMIT %(limit)s"""
_NUMBERED_ROWS = "SELECT unnest(%(numbers)s::bigint[]) AS id"

ROWS = "/* list_findings */" + _ROWS.format(chosen=_FOUND_ROWS)
NUMBERED = "/* findings_by_number */" + _ROWS.format(chosen=_NUMBERED_ROWS)

# One look for counts and page: a limit beyond what a rare filter finds keeps the database from
# walking through all findings in search of a page of them.
LOOK = f"""
/* look_at_findings */
SELECT x.id, r.slug, x.kind, x.confidence, x.action, {{state}} {FOUND}
ORDER BY x.id DESC LIMIT %(limit)s
"""
COUNTED_STATE = """
COALESCE((SELECT d.state FROM compliance_decidedfinding AS d WHERE d.id = x.id), 'open')"""

REACHED = f"""
/* reached_findings */
SELECT count(*) FROM (
  SELECT {FOUND} AND (%(path_regex)s = '' OR f.path ~ %(path_regex)s) LIMIT %(limit)s
) AS found
"""  # noqa: S608 - put together from constants

SELECTED = f"""
/* selected_findings */
SELECT kind, fingerprint, key_id, slug, path, count(*)
FROM (
  SELECT x.kind, x.fingerprint, x.key_id, r.slug, f.path
  {FOUND} AND (%(every)s OR x.id = ANY(%(numbers)s)) LIMIT %(limit)s
) AS found
GROUP BY 1, 2, 3, 4, 5
ORDER BY 1, 4, 5
"""  # noqa: S608 - put together from constants

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
class Counts:
    """(value, findings) by column, most first; the total under "". `more`: only the first
    `COUNTED` were looked at. `since`: the counts are as of then, newer ones are being made; not
    `complete`: some repository has not been counted at all yet. `numbers` are those of what was
    looked at, the newest first; None where the tallies told."""

    found: dict[str, list[tuple[str, int]]]
    more: bool = False
    since: datetime | None = None
    complete: bool = True
    numbers: list[int] | None = None

    @property
    def may_be_any(self) -> bool:
        """False spares a look at everything for the nothing that is known to be there."""
        return bool(self.total) or not self.is_of_now

    @property
    def is_of_now(self) -> bool:
        return self.complete and self.since is None

    @property
    def total(self) -> int:
        return dict(self.found[""]).get("", 0)


@dataclass(frozen=True, slots=True)
class Selected:
    """Findings of one value in one file."""

    kind: str
    fingerprint: bytes
    key_id: str
    slug: str
    path: str
    findings: int


def rows(
    chosen: Filter, *, after: int = 0, number: int = 0, limit: int = PAGE_ROWS, exact: bool = False
) -> list[Row]:
    """The newest first, from behind the number `after` on; or one by its `number`.

    Each has its state as of now. Which are found by state or age is as of the last count
    (tallies.py), unless it is to be `exact`, which reads everything where that is out of date.
    """
    parameters = {**chosen.parameters(), "after": after, "number": number, "limit": limit}
    conditions = _exactly(chosen) if exact else narrowed(chosen)
    return _rows(ROWS.format(narrowed=conditions), parameters)


def page(chosen: Filter, counted: Counts, after: int = 0) -> list[Row]:
    """`PAGE_ROWS` and one more, behind the number `after`: of what was looked at for the counts,
    where it is in there."""
    limit = PAGE_ROWS + 1
    if counted.numbers is not None:
        numbers = [one for one in counted.numbers if not after or one < after][:limit]
        if len(numbers) == limit or not counted.more:
            return _rows(NUMBERED, {"numbers": numbers})
    return rows(chosen, after=after, limit=limit) if counted.may_be_any else []


def _rows(statement: str, parameters: dict[str, Any]) -> list[Row]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return [
            Row(*(*row[:12], bytes(row[12]), *row[13:17], (row[17] or "").rstrip("\r")))
            for row in cursor.fetchall()
        ]


def narrowed(chosen: Filter, *, exact: bool = False) -> str:
    wanted = {
        "state as of now": exact and bool(chosen.state),
        "since as of now": exact and bool(chosen.since),
        "open": not exact and chosen.state == "open",
        "decided": not exact and chosen.state not in {"", "open"},
        "review": bool(chosen.review),
        "since": not exact and bool(chosen.since),
    }
    return "".join(NARROWED[name] for name, is_wanted in wanted.items() if is_wanted)


def _exactly(chosen: Filter) -> str:
    """What was counted is as of now, too, as long as it is not out of date."""
    return narrowed(chosen, exact=not tallies.standing(chosen.parameters()["repository"]).is_fresh)


def every_row(chosen: Filter) -> Iterator[list[Row]]:
    """All of them, some hundred at a time."""
    after = 0
    while some := rows(chosen, after=after, limit=EXPORT_ROWS, exact=True):
        yield some
        after = some[-1].number


def counts(chosen: Filter) -> Counts:
    """From the tallies; what they do not know, or do not hold yet, by a look at the first
    `COUNTED` findings."""
    parameters = chosen.parameters()
    held = tallies.standing(parameters["repository"])
    if chosen.is_tallied and held.complete:
        return Counts(tallies.added_up(chosen), since=held.since)
    return _looked(chosen, held)


def _looked(chosen: Filter, held: tallies.Standing) -> Counts:
    """States are worked out where those that were counted are not of now: it takes longer."""
    parameters = {**chosen.parameters(), "limit": COUNTED + 1}
    known = "%(state)s" if chosen.state else COUNTED_STATE
    state = known if held.is_fresh else "s.state"
    with connection.cursor() as cursor:
        cursor.execute(LOOK.format(narrowed=narrowed(chosen), state=state), parameters)
        looked = cursor.fetchall()
    more = len(looked) > COUNTED
    found = tallies.by_column((*row[1:], 1) for row in looked[:COUNTED])
    numbers = [row[0] for row in looked]
    if chosen.state or chosen.since:  # which those are was counted beforehand
        return Counts(found, more, held.since, held.complete, numbers)
    return Counts(found, more, numbers=numbers)


def reached(chosen: Filter, path_regex: str = "") -> tuple[int, bool]:
    """How many of what is published now lie in paths that match, "" matches all; and whether
    there are more."""
    if not path_regex and chosen.is_tallied:
        found = counts(chosen)
        if found.is_of_now:
            return found.total, found.more
    parameters = {**chosen.parameters(), "path_regex": path_regex, "limit": COUNTED + 1}
    with connection.cursor() as cursor:
        cursor.execute(REACHED.format(narrowed=narrowed(chosen)), parameters)
        number = int(cursor.fetchone()[0])
    return min(number, COUNTED), number > COUNTED


def selected(chosen: Filter, numbers: list[int] | None) -> list[Selected]:
    """What a review would speak of: findings by number, or all that match (None); no more than
    `SELECTED_AT_ONCE` + 1 findings."""
    parameters = {
        **chosen.parameters(),
        "every": numbers is None,
        "numbers": numbers or [],
        "limit": SELECTED_AT_ONCE + 1,
    }
    conditions = _exactly(chosen)
    with connection.cursor() as cursor:
        cursor.execute(SELECTED.format(narrowed=conditions), parameters)
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
