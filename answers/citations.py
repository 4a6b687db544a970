"""Judge quotes against the lines that were sent. Pure; whoever wrote a quote is not trusted.

1. A range inside the sent lines that holds the quote (white space folded) is ok.
2. A quote that stands elsewhere in what was sent, also under another label, moves the citation to
   where it stands.
3. Anything else is rejected, and a rejected quote is never saved or shown.

What is kept of an accepted quote are the sent lines themselves, never the text that came in.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

# Shorter quotes occur anywhere; they are accepted where they are said to be, not searched for.
LEAST_TO_SEARCH = 12  # characters, white space folded
MOST_LINES_SHORT = 6  # of a range that such a quote may carry
MOST_LINES = 60  # of any range; the lines of the quote itself where more are claimed
_WORD = re.compile(r"\w")


class Verdict(StrEnum):
    OK = "ok"
    REANCHORED = "reanchored"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Sent:
    """Lines of one file as they were sent (or stored as evidence); the first has a number."""

    start_line: int
    lines: Sequence[str]

    @property
    def end_line(self) -> int:
        return self.start_line + len(self.lines) - 1

    def between(self, first: int, last: int) -> Sequence[str]:
        return self.lines[first - self.start_line : last - self.start_line + 1]


@dataclass(frozen=True, slots=True)
class Judged:
    """`lines` are the sent lines from `start_line` to `end_line`; none where rejected."""

    verdict: Verdict
    start_line: int
    end_line: int
    lines: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def judge(quote: str, start: int, end: int, sent: Sent) -> Judged:
    wanted = folded(quote)
    if not _WORD.search(wanted):
        return Judged(Verdict.REJECTED, start, end)
    if sent.start_line <= start <= end <= sent.end_line and _is_bearable(wanted, end - start + 1):
        lines = tuple(sent.between(start, end))
        if wanted in folded("\n".join(lines)):
            return Judged(Verdict.OK, start, end, lines)
    found = _nearest(wanted, start, sent) if len(wanted) >= LEAST_TO_SEARCH else None
    if found is None:
        return Judged(Verdict.REJECTED, start, end)
    return Judged(Verdict.REANCHORED, *found, tuple(sent.between(*found)))


def judge_anywhere(
    label: str, quote: str, start: int, end: int, sent: Mapping[str, Sent]
) -> tuple[str, Judged]:
    """The verdict with the label it is about: the given one first, then all others in order."""
    rejected = Judged(Verdict.REJECTED, start, end)
    for one in sorted(sent, key=lambda key: key != label):
        # Under another label the numbers mean nothing; only the place of the quote does.
        judged = (
            judge(quote, start, end, sent[one]) if one == label else judge(quote, 0, 0, sent[one])
        )
        if judged.verdict != Verdict.REJECTED:
            return one, judged
    return label, rejected


def judge_code(
    label: str, code: str, start: int, sent: Mapping[str, Sent]
) -> tuple[str, Judged] | None:
    """Where the lines of a code block stand one below the other; indentation may differ."""
    wanted = [line.strip() for line in code.split("\n")]
    if not any(_WORD.search(line) for line in wanted):
        return None
    found = [
        (one != label, abs(first - start), one, first)
        for one in sorted(sent, key=lambda key: key != label)
        for first in _same_lines(wanted, sent[one])
    ]
    if not found:
        return None
    elsewhere, off, one, first = min(found)
    last = first + len(wanted) - 1
    verdict = Verdict.REANCHORED if elsewhere or off else Verdict.OK
    return one, Judged(verdict, first, last, tuple(sent[one].between(first, last)))


def _same_lines(wanted: Sequence[str], sent: Sent) -> Iterator[int]:
    stripped = [line.strip() for line in sent.lines]
    for at in range(len(stripped) - len(wanted) + 1):
        if stripped[at : at + len(wanted)] == wanted:
            yield sent.start_line + at


def _is_bearable(wanted: str, count: int) -> bool:
    """Whether a quote is long enough to carry so many lines."""
    return count <= (MOST_LINES if len(wanted) >= LEAST_TO_SEARCH else MOST_LINES_SHORT)


def judge_exactly(quote: str, start: int, end: int, sent: Sent) -> Judged:
    """For extracts: the quote must be the lines themselves, white space and all."""
    if sent.start_line <= start <= end <= sent.end_line:
        lines = tuple(sent.between(start, end))
        if quote == "\n".join(lines):
            return Judged(Verdict.OK, start, end, lines)
    return Judged(Verdict.REJECTED, start, end)


def folded(text: str) -> str:
    return " ".join(text.split())


def _nearest(wanted: str, start: int, sent: Sent) -> tuple[int, int] | None:
    """The lines that hold the folded quote, those nearest to the range that was claimed."""
    parts = [folded(line) for line in sent.lines]
    kept = [(number, part) for number, part in enumerate(parts, sent.start_line) if part]
    text = " ".join(part for _, part in kept)
    starts = [0, *accumulate(len(part) + 1 for _, part in kept)]
    places = []
    at = text.find(wanted)
    while at >= 0:
        first = kept[bisect_right(starts, at) - 1][0]
        last = kept[bisect_right(starts, at + len(wanted) - 1) - 1][0]
        places.append((first, last))
        at = text.find(wanted, at + 1)
    return min(places, key=lambda place: abs(place[0] - start), default=None)
