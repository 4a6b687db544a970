"""Findings by published snapshot of one repository: exact, since files are intervals."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from compliance.charts import Chart, Column, series_of, stacked, values_of, with_other
from compliance.findings.labels import label
from compliance.findings.listing import STATE
from repos.models import Repository

SNAPSHOTS = 24
BY = {"kind": "x.kind", "state": "s.state", "action": "x.action", "confidence": "x.confidence"}

TREND = """
/* findings_by_snapshot */
SELECT n.number, n.commit, n.published, found.name, COALESCE(found.findings, 0)
FROM (SELECT number, commit, published FROM repos_snapshot
      WHERE repository_id = %(repository)s AND state = 'published'
      ORDER BY number DESC LIMIT %(limit)s) AS n
LEFT JOIN LATERAL (
    SELECT {by} AS name, count(*) AS findings
    FROM indexing_finding AS x
    JOIN repos_file AS f ON f.repository_id = x.repository_id AND f.id = x.file_id
    CROSS JOIN LATERAL (SELECT {state} AS state) AS s
    WHERE x.repository_id = %(repository)s AND x.leads AND f.first_snapshot <= n.number
      AND (f.last_snapshot IS NULL OR f.last_snapshot >= n.number)
    GROUP BY 1
) AS found ON true
ORDER BY n.number
"""


@dataclass(frozen=True, slots=True)
class Point:
    """One snapshot; `values` in the order of the series."""

    number: int
    commit: str
    published: datetime | None
    values: list[float]

    @property
    def total(self) -> float:
        return sum(self.values)


@dataclass(frozen=True, slots=True)
class Trend:
    series: list[str]  # the values, as stored; the chart has them in words
    points: list[Point]
    chart: Chart


def trend(repository: Repository, by: str) -> Trend:
    """The newest `SNAPSHOTS`; all but the largest values together."""
    points, names = _points(repository, by)
    columns = [Column(f"#{point.number}", point.values) for point in points]
    words = [label(by, name) for name in names]
    return Trend(names, points, stacked(columns, words, lambda number: f"{round(number)}"))


def _points(repository: Repository, by: str) -> tuple[list[Point], list[str]]:
    statement = TREND.format(by=BY[by], state=STATE)
    parameters = {"repository": repository.pk, "limit": SNAPSHOTS}
    counted: dict[tuple[int, str, datetime | None], dict[str, float]] = {}
    totals: dict[str, float] = defaultdict(int)
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        for number, commit, published, name, findings in cursor.fetchall():
            here = counted.setdefault((number, commit, published), {})
            if name is not None:
                here[name] = findings
                totals[name] += findings
    names, rest = series_of(totals)
    points = [Point(*key, values_of(here, names, rest)) for key, here in counted.items()]
    return points, with_other(names, rest)
