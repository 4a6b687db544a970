"""Findings by published snapshot of one repository: exact, since files are intervals."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.db import connection
from django.utils.translation import gettext as _

from compliance.findings.listing import STATE
from repos.models import Repository

SNAPSHOTS = 24
SERIES = 5
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 760, 240, 48, 200, 12
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
    values: list[int]

    @property
    def total(self) -> int:
        return sum(self.values)


@dataclass(frozen=True, slots=True)
class Bar:
    series: int  # 1 to 6
    x: float
    y: float
    width: float
    height: float
    told: str


@dataclass(frozen=True, slots=True)
class Trend:
    series: list[str]
    points: list[Point]
    bars: list[Bar]
    grid: list[tuple[float, int]]
    labels: list[tuple[float, str]]

    width = WIDTH
    height = HEIGHT
    left = LEFT
    right = WIDTH
    bottom = BOTTOM


def trend(repository: Repository, by: str) -> Trend:
    """The newest `SNAPSHOTS`; all but the `SERIES` largest values together."""
    points, series = _points(repository, by)
    most = max((point.total for point in points), default=0) or 1
    step = (WIDTH - LEFT) / max(len(points), 1)
    bars, labels = [], []
    for index, point in enumerate(points):
        x, y = LEFT + step * index + step * 0.15, float(BOTTOM)
        for number, value in enumerate(point.values, 1):
            height = value / most * (BOTTOM - TOP)
            y -= height
            if value:
                told = f"#{point.number}: {series[number - 1]} {value}"
                bars.append(
                    Bar(number, round(x, 1), round(y, 1), round(step * 0.7, 1), round(height, 1),
                        told)
                )  # fmt: skip
        labels.append((round(x + step * 0.35, 1), f"#{point.number}"))
    grid = [(round(BOTTOM - part * (BOTTOM - TOP), 1), round(part * most)) for part in (0, 0.5, 1)]
    every = max(1, len(labels) // 8)
    return Trend(series, points, bars, grid, labels[::every])


def _points(repository: Repository, by: str) -> tuple[list[Point], list[str]]:
    statement = TREND.format(by=BY[by], state=STATE)
    parameters = {"repository": repository.pk, "limit": SNAPSHOTS}
    counted: dict[tuple[int, str, datetime | None], dict[str, int]] = {}
    totals: dict[str, int] = defaultdict(int)
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        for number, commit, published, name, findings in cursor.fetchall():
            here = counted.setdefault((number, commit, published), {})
            if name is not None:
                here[name] = findings
                totals[name] += findings
    largest = sorted(totals, key=lambda name: (-totals[name], name))
    names, rest = largest[:SERIES], largest[SERIES:]
    points = []
    for (number, commit, published), here in counted.items():
        values = [here.get(name, 0) for name in names]
        if rest:
            values.append(sum(here.get(name, 0) for name in rest))
        points.append(Point(number, commit, published, values))
    return points, [*names, *([_("other")] if rest else [])]
