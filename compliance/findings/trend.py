"""Findings by published snapshot of one repository: exact, since files are intervals."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from compliance.charts import Chart, Column, series_of, stacked, values_of, with_other
from compliance.findings import tallies
from compliance.findings.labels import label
from repos.models import Repository

SNAPSHOTS = 24
BY = ("kind", "state", "action", "confidence")

TREND = """
/* findings_by_snapshot */
SELECT n.number, n.commit, n.published, t.{by}, COALESCE(sum(t.findings), 0)::bigint
FROM (SELECT number, commit, published FROM repos_snapshot
      WHERE repository_id = %(repository)s AND state = 'published'
      ORDER BY number DESC LIMIT %(limit)s) AS n
LEFT JOIN compliance_findingtally AS t
  ON t.repository_id = %(repository)s AND t.first_snapshot <= n.number
 AND (t.last_snapshot IS NULL OR t.last_snapshot >= n.number)
GROUP BY 1, 2, 3, 4
ORDER BY 1
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
    standing: tallies.Standing


def trend(repository: Repository, by: str) -> Trend:
    """The newest `SNAPSHOTS`; all but the largest values together."""
    standing = tallies.standing(repository.pk)
    points, names = _points(repository, by)
    columns = [Column(f"#{point.number}", point.values) for point in points]
    words = [label(by, name) for name in names]
    return Trend(
        names, points, stacked(columns, words, lambda number: f"{round(number):,}"), standing
    )


def _points(repository: Repository, by: str) -> tuple[list[Point], list[str]]:
    statement = TREND.format(by=by)
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
