"""Secrets split over literals that an operator joins, or over the lines of one literal."""

import re
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from indexing.scrubbing.matches import Match
from indexing.scrubbing.shapes import CONTINUED, IN_LITERAL, joint

_QUOTES = frozenset("\"'`")
_JOINT = re.compile(joint(r"([\"'`])", r"\1"))
_CONTINUED = re.compile(f"(?<={IN_LITERAL}){CONTINUED}(?={IN_LITERAL})")
_LONGEST = 200
# What is looked at before the first and behind the last joint of a chain.
_REACH = 300
_FARTHEST = 400  # between two joints of one chain
_CHAIN = 64
_BATCH = 200  # chains


def joined_matches(
    text: str,
    ends: Sequence[int],
    find: Callable[[str, bytes], Iterable[Match]],
    worth: Callable[[list[str]], Collection[int]],
) -> Iterator[Match]:
    """Matches that only exist once the pieces are put together, as spans of the pieces.

    `ends` is where a joint may end; `worth` answers which of many texts hold anything to look for.
    """
    for batch in _batches(text, _chains(text, ends)):
        wholes = ["".join(text[a:b] for a, b in segments) for segments in batch]
        for number in sorted(worth(wholes)):
            whole, segments = wholes[number], batch[number]
            for match in find(whole, whole.encode("ascii", "replace")):
                spans = tuple(_back(segments, match.spans))
                if len(spans) > len(match.spans):
                    yield replace(match, spans=spans)


def _batches(
    text: str, chains: Iterable[list[tuple[int, int]]]
) -> Iterator[list[list[tuple[int, int]]]]:
    batch: list[list[tuple[int, int]]] = []
    for chain in chains:
        batch.append(_segments(text, chain))
        if len(batch) == _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


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
        quote = text[end - 1 : end]
        if end <= done:
            continue
        if quote in _QUOTES:
            # Nothing in a joint is the quote that begins and ends it.
            start = text.rfind(quote, max(done, end - _LONGEST), end - 1)
            found = _JOINT.match(text, start, end) if start >= 0 else None
        else:
            found = _CONTINUED.search(text, max(done, end - _LONGEST), end)
        if found:
            yield found.span()
            done = found.end()


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
