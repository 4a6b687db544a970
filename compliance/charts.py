"""Stacked bars, drawn here: numbers in, places in an SVG out. Templates: compliance/chart.html."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

SERIES = 5  # the largest; what is left is one more
WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 760, 240, 48, 200, 12
LABELS = 8


@dataclass(frozen=True, slots=True)
class Column:
    """A bar; `values` in the order of the series."""

    label: str
    values: Sequence[float]


@dataclass(frozen=True, slots=True)
class Bar:
    series: int  # 1 to 6
    x: float
    y: float
    width: float
    height: float
    told: str


@dataclass(frozen=True, slots=True)
class Chart:
    series: Sequence[str]
    bars: list[Bar]
    grid: list[tuple[float, str]]
    labels: list[tuple[float, str]]

    width = WIDTH
    height = HEIGHT
    left = LEFT
    right = WIDTH
    bottom = BOTTOM


def series_of(totals: Mapping[str, float]) -> tuple[list[str], list[str]]:
    """The names of the largest, and those that are drawn together."""
    largest = sorted(totals, key=lambda name: (-totals[name], name))
    return largest[:SERIES], largest[SERIES:]


def with_other(names: Sequence[str], rest: Sequence[str]) -> list[str]:
    return [*names, *([_("other")] if rest else [])]


def values_of(here: Mapping[str, float], names: Sequence[str], rest: Sequence[str]) -> list[float]:
    values = [here.get(name, 0) for name in names]
    return [*values, sum(here.get(name, 0) for name in rest)] if rest else values


def stacked(
    columns: Sequence[Column], series: Sequence[str], told: Callable[[float], str]
) -> Chart:
    """`told` writes a number, on the axis and where a bar is pointed at."""
    most = max((sum(column.values) for column in columns), default=0) or 1
    step = (WIDTH - LEFT) / max(len(columns), 1)
    bars: list[Bar] = []
    labels = []
    for index, column in enumerate(columns):
        x, y = LEFT + step * index + step * 0.15, float(BOTTOM)
        for number, value in enumerate(column.values, 1):
            height = value / most * (BOTTOM - TOP)
            y -= height
            if value:
                words = f"{column.label}: {series[number - 1]} {told(value)}"
                place = (round(x, 1), round(y, 1), round(step * 0.7, 1), round(height, 1))
                bars.append(Bar(number, *place, words))
        labels.append((round(x + step * 0.35, 1), column.label))
    grid = [(round(BOTTOM - part * (BOTTOM - TOP), 1), told(part * most)) for part in (0, 0.5, 1)]
    return Chart(series, bars, grid, labels[:: max(1, -(-len(labels) // LABELS))])
