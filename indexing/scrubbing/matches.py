"""A match before it becomes a record: where it is and how sure we are."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum


class Rank(IntEnum):
    """Which kind names an overlap: the higher one."""

    ENTROPY = 0
    PERSONAL = 1
    ASSIGNED = 2
    CONTEXT = 3
    FORMAT = 4
    KEY_BLOCK = 5
    CUSTOM = 6


@dataclass(frozen=True, slots=True)
class Match:
    """Half-open code point spans of one secret in the file; more than one when it is split up.

    `published` says that the value carries a published prefix or structure of its own, so that
    a test path does not make it doubtful.
    """

    kind: str
    spans: tuple[tuple[int, int], ...]
    rank: Rank
    confidence: str
    published: bool = False

    @property
    def start(self) -> int:
        return self.spans[0][0]

    @property
    def end(self) -> int:
        return self.spans[-1][1]


# What a search over a region answers: where the region ends, and the matches in it.
Region = tuple[int, list[Match]]


@dataclass(slots=True)
class Merged:
    """One span of text to cover, with the match that names it."""

    start: int
    end: int
    match: Match


def merge(matches: Iterable[Match]) -> list[Merged]:
    """Spans in order; overlapping ones become their union, named by the best match."""
    spans = sorted(
        ((start, end, match) for match in matches for start, end in match.spans if start < end),
        key=lambda item: (item[0], -item[1]),
    )
    merged: list[Merged] = []
    for start, end, match in spans:
        if merged and start < merged[-1].end:
            last = merged[-1]
            last.end = max(last.end, end)
            last.match = max(last.match, match, key=_weight)
        else:
            merged.append(Merged(start, end, match))
    return merged


def _weight(match: Match) -> tuple[bool, Rank, int]:
    return match.confidence != "low", match.rank, match.end - match.start
