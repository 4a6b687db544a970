"""The history of evaluations as numbers for an SVG: no script, no style, words beside it. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 56, 176, 12, 32
SAMPLE = 24  # of the stroke, beside the name of a line
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)
COLUMN_NAMES = 10  # numbers of runs below the chart, where there are more
LABEL_GAP = 22.0  # between the names of two lines that end at the same height
# Figure -> name of its line; the order gives the colours (static/css/evaluation.css).
LINES = {
    "recall_at_10": "recall",
    "hit_at_10": "hit",
    "mrr_at_10": "MRR",
    "line_hit_at_10": "line hit",
    "abstention_correct": "rightly silent",
    "abstention_false": "wrongly silent",
}


@dataclass(frozen=True, slots=True)
class Mark:
    """One measurement, and the sentence that is read out for it."""

    x: float
    y: float
    told: str


@dataclass(frozen=True, slots=True)
class Line:
    name: str
    number: int
    points: str
    marks: tuple[Mark, ...]
    label_y: float


@dataclass(frozen=True, slots=True)
class Tick:
    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Coordinates in a view box of `width` by `height`."""

    lines: tuple[Line, ...]
    rows: tuple[Tick, ...]
    columns: tuple[Tick, ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    sample: int = WIDTH - RIGHT + SAMPLE
    bottom: int = HEIGHT - BOTTOM


def history(runs: Sequence[tuple[int, str, Mapping[str, float]]]) -> Chart:
    """Runs as (number, name, figures of the fused ranking), the oldest first."""
    xs = [_x(at, len(runs)) for at in range(len(runs))]
    pairs = list(zip(xs, runs, strict=True))
    each = -(-len(runs) // COLUMN_NAMES) or 1
    lines = [
        _line(name, order, [(x, run[1], run[2][key]) for x, run in pairs if key in run[2]])
        for order, (key, name) in enumerate(LINES.items(), 1)
        if any(key in run[2] for _, run in pairs)
    ]
    return Chart(
        lines=tuple(_apart(lines)),
        rows=tuple(Tick(_y(value), f"{value:.2f}") for value in TICKS),
        columns=tuple(
            Tick(x, str(run[0])) for x, run in zip(xs[::each], runs[::each], strict=True)
        ),
    )


def _x(at: int, count: int) -> float:
    span = WIDTH - RIGHT - LEFT
    return round(LEFT + span * (at + 0.5) / max(count, 1), 1)


def _y(value: float) -> float:
    return round(TOP + (HEIGHT - BOTTOM - TOP) * (1 - value), 1)


def _line(name: str, number: int, values: Sequence[tuple[float, str, float]]) -> Line:
    marks = tuple(Mark(x, _y(value), f"{run}: {name} {value:.3f}") for x, run, value in values)
    points = " ".join(f"{mark.x:g},{mark.y:g}" for mark in marks)
    return Line(name, number, points, marks, marks[-1].y)


def _apart(lines: Sequence[Line]) -> list[Line]:
    """The labels at the ends are moved down until none covers another."""
    placed: dict[int, Line] = {}
    least = float(TOP)
    room = HEIGHT - LABEL_GAP * len(lines)
    for line in sorted(lines, key=lambda one: one.label_y):
        y = max(min(line.label_y, room + LABEL_GAP * len(placed)), least)
        least = y + LABEL_GAP
        placed[line.number] = Line(line.name, line.number, line.points, line.marks, round(y, 1))
    return [placed[line.number] for line in lines]
