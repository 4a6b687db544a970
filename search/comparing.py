"""Two evaluations of the same questions: what changed, and whether chance explains it.

The means are of the questions that both have. The interval is the middle 95 % of the mean
difference over resamples of the questions (bootstrap, paired), with a fixed seed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from search.results import Result

RESAMPLES = 10_000
AT_ONCE = 2_000_000  # numbers drawn at a time, so that memory does not grow with the questions
SEED = 20_240
LOW, HIGH = 2.5, 97.5


def _ranked(value: float, result: Result) -> float | None:
    return value if result.abstained is None else None


METRICS: dict[str, Callable[[Result], float | None]] = {
    "recall": lambda one: _ranked(one.recall, one),
    "hit": lambda one: _ranked(one.hit, one),
    "MRR": lambda one: _ranked(one.reciprocal_rank, one),
    "line hit": lambda one: one.line_hit,
    "right to answer": lambda one: one.right,
}


class NothingToCompare(Exception):
    """The two have no question of this channel in common."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Of one metric: means before and after, and the interval of their difference."""

    metric: str
    before: float
    after: float
    low: float
    high: float

    @property
    def change(self) -> float:
        return self.after - self.before

    @property
    def is_certain(self) -> bool:
        return self.low > 0 or self.high < 0

    @property
    def sentence(self) -> str:
        if not self.low and not self.high and not self.change:
            return f"{self.metric} is the same for every question."
        way = "rose" if self.change > 0 else "fell" if self.change < 0 else "did not move in sum"
        by = f" by {abs(self.change):.3f}" if self.change else ""
        verdict = "more than chance" if self.is_certain else "may be chance"
        return (
            f"{self.metric} {way}{by}, from {self.before:.3f} to {self.after:.3f} "
            f"(95 % interval {self.low:+.3f} to {self.high:+.3f}): {verdict}."
        )


@dataclass(frozen=True, slots=True)
class Moved:
    """One question whose result changed; `change` sums recall, reciprocal rank and line hit,
    or is that of being right to answer."""

    before: Result
    after: Result
    change: float

    @property
    def sides(self) -> tuple[Result, Result]:
        return self.before, self.after


@dataclass(frozen=True, slots=True)
class Comparison:
    channel: str
    questions: int
    differences: tuple[Difference, ...]
    better: tuple[Moved, ...]
    worse: tuple[Moved, ...]
    left_out: tuple[str, ...]  # questions that only one of the two has


def compare(before: Sequence[Result], after: Sequence[Result], channel: str) -> Comparison:
    """Raises NothingToCompare."""
    old = {one.id: one for one in before if one.channel == channel}
    new = {one.id: one for one in after if one.channel == channel}
    pairs = [(old[key], new[key]) for key in old if key in new]
    if not pairs:
        raise NothingToCompare(f"The two have no question in common for the channel {channel}.")
    moved = [Moved(one, two, _change(one, two)) for one, two in pairs]
    return Comparison(
        channel=channel,
        questions=len(pairs),
        differences=tuple(_differences(pairs)),
        better=tuple(sorted((m for m in moved if m.change > 0), key=lambda m: -m.change)),
        worse=tuple(sorted((m for m in moved if m.change < 0), key=lambda m: m.change)),
        left_out=tuple(sorted(old.keys() ^ new.keys())),
    )


def _change(before: Result, after: Result) -> float:
    if before.right is not None and after.right is not None:
        return after.right - before.right
    lines = (after.line_hit or 0.0) - (before.line_hit or 0.0)
    ranks = after.reciprocal_rank - before.reciprocal_rank
    return round(after.recall - before.recall + ranks + lines, 9)


def _differences(pairs: Sequence[tuple[Result, Result]]) -> list[Difference]:
    found: list[Difference] = []
    for metric, value in METRICS.items():
        values = [(value(one), value(two)) for one, two in pairs]
        known = [(one, two) for one, two in values if one is not None and two is not None]
        if known:
            table = np.array(known, dtype=np.float64)
            low, high = interval(table[:, 1] - table[:, 0])
            before, after = (round(float(mean), 9) for mean in table.mean(axis=0))
            found.append(Difference(metric, before, after, low, high))
    return found


def interval(changes: NDArray[np.float64], *, seed: int = SEED) -> tuple[float, float]:
    """Bounds of the mean of these numbers over RESAMPLES draws of as many of them."""
    random = np.random.default_rng(seed)
    rows = max(1, AT_ONCE // len(changes))
    means = [
        changes[random.integers(len(changes), size=(min(rows, RESAMPLES - done), len(changes)))]
        .mean(axis=1)
        .round(9)
        for done in range(0, RESAMPLES, rows)
    ]
    low, high = np.percentile(np.concatenate(means), [LOW, HIGH])
    return float(low), float(high)
