"""Secrets split over string literals joined by an operator: `'ghp_…' + '…'`."""

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from indexing.scrubbing.matches import Match
from indexing.scrubbing.shapes import joint

_JOINT = re.compile(joint(r"([\"'`])", r"\1"))
_LONGEST = 200
# What is looked at before the first and behind the last joint of a chain.
_REACH = 300
_FARTHEST = 400  # between two joints of one chain
_CHAIN = 64


def joined_matches(
    text: str, ends: Sequence[int], find: Callable[[str, bytes], Iterable[Match]]
) -> Iterator[Match]:
    """Matches that only exist once the pieces are put together, as spans of the pieces.

    `ends` is where a joint may end.
    """
    for chain in _chains(text, ends):
        segments = _segments(text, chain)
        whole = "".join(text[a:b] for a, b in segments)
        for match in find(whole, whole.encode("ascii", "replace")):
            spans = tuple(_back(segments, match.spans))
            if len(spans) > len(match.spans):
                yield replace(match, spans=spans)


def _chains(text: str, ends: Sequence[int]) -> Iterator[list[tuple[int, int]]]:
    chain: list[tuple[int, int]] = []
    for start, end in _joints(text, ends):
        if chain and (start - chain[-1][1] > _FARTHEST or len(chain) >= _CHAIN):
            yield chain
            chain = []
        chain.append((start, end))
    if chain:
        yield chain


def _joints(text: str, ends: Sequence[int]) -> Iterator[tuple[int, int]]:
    done = 0
    for end in ends:
        found = _JOINT.search(text, max(done, end - _LONGEST), end) if end > done else None
        while found:
            yield found.span()
            done = found.end()
            found = _JOINT.search(text, done, end)


def _segments(text: str, chain: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The text around and between the joints of a chain."""
    starts = [max(0, chain[0][0] - _REACH), *(end for _, end in chain)]
    ends = [*(start for start, _ in chain), min(len(text), chain[-1][1] + _REACH)]
    return list(zip(starts, ends, strict=True))


def _back(
    segments: list[tuple[int, int]], spans: Iterable[tuple[int, int]]
) -> Iterator[tuple[int, int]]:
    """Spans of the joined text as spans of the original."""
    offsets = [0, *accumulate(b - a for a, b in segments)]
    for start, end in spans:
        index = bisect_right(offsets, start) - 1
        while index < len(segments) and offsets[index] < end:
            a = segments[index][0] - offsets[index]
            low, high = max(start, offsets[index]), min(end, offsets[index + 1])
            if low < high:
                yield a + low, a + high
            index += 1
