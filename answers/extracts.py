"""The few lines of each piece of evidence that say most about the question. Pure.

A term weighs more the fewer pieces hold it. The lines are taken as they stand, at least one
of them has a word, and the doc sentence is given by the lines in which it stands.
"""

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from indexing.terms import tokenize

MOST_LINES = 10
LEAST_LINES = 3  # where the piece has them: one line alone is hard to place
SCANNED_CHARS = 2_000  # of one line; longer lines are data
REPEATED = 0.2  # of a term's weight for each further line that holds it
A_LINE = 0.3  # what each line costs, so that a window is not long for nothing
NAMED = 1.0  # for a line that names a symbol, if it says something of the question
DOC_LINES = 8

Weights = Mapping[str, float]
NO_SHARES: Mapping[int, float] = {}

_WORD = re.compile(r"\w")
# What comments and docstrings put before the words of a line, and after them.
_COMMENT_MARKS = re.compile(r"^[\s#/*;%!\"'<>|-]+|[\s*/\"'|>-]+$")


@dataclass(frozen=True, slots=True)
class Extract:
    """Lines of a file, as they are there."""

    start_line: int
    end_line: int
    quote: str


def weigh(terms: Iterable[str], texts: Sequence[str]) -> dict[str, float]:
    """Weights of the terms that occur in the texts, the rarer the heavier."""
    held = [set(tokenize(text)) for text in texts]
    weights = {}
    for term in dict.fromkeys(terms):
        count = sum(term in one for one in held)
        if count:
            weights[term] = math.log1p(len(texts) / count)
    return weights


def best_lines(
    lines: Sequence[str],
    start_line: int,
    weights: Weights,
    *,
    name_lines: Collection[int] = (),
    breaks: Collection[int] = (),
    shares: Mapping[int, float] = NO_SHARES,
    without: Extract | None = None,
) -> Extract | None:
    """The best window of the lines, whose first has the number `start_line`.

    None where no line has a word. A window does not reach over the beginning of a line in
    `breaks`, where another function begins; words of the lines in `shares` weigh so much less.
    `without` are lines that are quoted already: beside them, only what has a term is given.
    """
    scores = [
        _scores(line, weights, shares.get(number, 1.0))
        for number, line in enumerate(lines, start_line)
    ]
    worded = [bool(_WORD.search(line[:SCANNED_CHARS])) for line in lines]
    taken = _indexes(without, start_line)
    ends = _ends(len(lines), [line - start_line for line in breaks])
    windows = [
        (first, last)
        for first in range(len(lines))
        for last in range(first, ends[first])
        if worded[first] and worded[last] and not _meet(first, last, taken)
    ]
    if not windows:
        return None
    named = {line - start_line for line in name_lines}
    telling = [window for window in windows if any(scores[window[0] : window[1] + 1])]
    if without is not None and not telling:
        return None
    best = max(telling or windows, key=lambda window: _worth(window, scores, named))
    first, last = _grown(best, windows)
    return Extract(start_line + first, start_line + last, "\n".join(lines[first : last + 1]))


def _ends(count: int, breaks: Collection[int]) -> list[int]:
    """Behind which line a window that begins at each line must end."""
    return [
        min([first + MOST_LINES, count, *(at for at in breaks if at > first)])
        for first in range(count)
    ]


def _meet(first: int, last: int, taken: range) -> bool:
    return first < taken.stop and taken.start <= last


def _scores(line: str, weights: Weights, share: float) -> dict[str, float]:
    held = set(tokenize(line[:SCANNED_CHARS])) & weights.keys()
    return {term: weights[term] * share for term in held}


def _worth(
    window: tuple[int, int], scores: Sequence[Mapping[str, float]], named: Collection[int]
) -> tuple[float, int]:
    first, last = window
    total = 0.0
    best: dict[str, float] = {}
    for number in range(first, last + 1):
        for term, weight in scores[number].items():
            more = max(weight - best.get(term, 0.0), 0.0)
            total += more + REPEATED * (weight - more)
            best[term] = best.get(term, 0.0) + more
    has_name = any(number in named and scores[number] for number in range(first, last + 1))
    worth = total + NAMED * has_name - A_LINE * (last - first + 1)
    return round(worth, 6), -first  # of equals the first


def _grown(best: tuple[int, int], windows: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The best window with lines below it, else above it, until it has LEAST_LINES."""
    first, last = best
    if last - first + 1 >= LEAST_LINES:
        return best
    around = [one for one in windows if one[0] <= first and last <= one[1]]
    return max(around, key=lambda one: (min(one[1] - one[0] + 1, LEAST_LINES), one[0], -one[1]))


def _indexes(extract: Extract | None, start_line: int) -> range:
    """Where its lines stand among lines that begin with `start_line`; empty for None."""
    if extract is None:
        return range(0)
    return range(extract.start_line - start_line, extract.end_line - start_line + 1)


def doc_lines(doc: str, lines: Sequence[str], start_line: int) -> Extract | None:
    """The lines that hold the doc sentence; None where it does not stand there as it reads."""
    wanted = " ".join(doc.split()).rstrip(" .…")
    if not _WORD.search(wanted):
        return None
    words = [_bare(line) for line in lines]
    for first, text in enumerate(words):
        if not text:
            continue
        joined = ""
        for last in range(first, min(first + DOC_LINES, len(lines))):
            joined = f"{joined} {words[last]}".strip()
            if wanted in joined:
                if wanted in joined.removeprefix(text).strip():
                    break  # it begins on a later line
                quote = "\n".join(lines[first : last + 1])
                return Extract(start_line + first, start_line + last, quote)
    return None


def _bare(line: str) -> str:
    return " ".join(_COMMENT_MARKS.sub("", line[:SCANNED_CHARS]).split())


def matches(doc: str, weights: Weights) -> bool:
    """Whether a doc sentence has something to do with the question."""
    return not weights.keys().isdisjoint(tokenize(doc))
