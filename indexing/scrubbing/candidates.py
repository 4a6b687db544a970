"""Where a value may stand at all, so that most names of secrets in code are not looked at closer.

A value has eight characters and in it a digit, a sign that passwords have, or cases as mixed as
chance mixes them.
"""

import re
from bisect import bisect_right

from indexing.scrubbing.prefilter import Prefilter, Trigger

LEAST = 8
_INSIDE = r"[^\s\"'`<>\\]"
# Each with its length in characters, the least where it varies.
_TELLING = (
    ("[0-9]", 1),
    ("[A-Za-z][~!@#$%^&*+]", 2),
    ("[~!@#$%^&*]{2}", 2),
    ("[a-z][A-Z][a-z]{0,2}[A-Z]", 3),
)
_BEARING = re.compile("|".join(expression for expression, _ in _TELLING))
_END = r"[\s\"'`<>\\]"


def _inside(count: int) -> str:
    return f"{_INSIDE}{{{count}}}" if count else ""


def _expression(end: str) -> str:
    """A run of enough characters with one that tells in it, up to its end."""
    runs = [
        _inside(before) + tells + _inside(LEAST - length - before)
        for tells, length in _TELLING
        for before in range(LEAST - length + 1)
    ]
    return f"(?:{'|'.join(runs)}){_INSIDE}*{end}"


_FILTER = Prefilter([Trigger(_expression(_END), 1), Trigger(_expression(r"\Z"))])
# How far behind a name its value may begin, on its line and on those that follow a bare name.
_ON_LINE = 260
_ON_NEXT = 200
_IN_BLOCK = 500
_BEFORE = 260
_LONGEST = 520
# To look at so few names costs less than to look for all that may be their values.
_UNFILTERED = 4
_BYTES_A_NAME = 3000
_WORD = re.compile(r"[A-Za-z0-9]")
_NAMED = re.compile(r"(?:[nN]ame|[kK]ey)[\"']?\s{0,4}[:=]\s{0,4}[\"']?[\w.-]{0,60}\Z")
_DELIMITER = re.compile(_END)


def may_be_value(value: str) -> bool:
    return len(value) >= LEAST and _BEARING.search(value) is not None


class Candidates:
    """Of one text; found when more names have asked for them than are usual."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._unfiltered = _UNFILTERED + len(raw) // _BYTES_A_NAME
        self._ends: list[int] | None = None

    def near(self, text: str, hit: int, end: int) -> bool:
        """May there be a value for the name around `hit` that ends at `end`?"""
        self._unfiltered -= 1
        if self._unfiltered >= 0:
            return True
        if self._ends is None:
            self._ends = sorted({place for _, place in _FILTER.hits(self._raw)})
        ends = self._ends
        index = bisect_right(ends, end + LEAST - 2)
        if index < len(ends) and _begins_before(text, ends[index], _reach(text, end)):
            return True
        if bisect_right(ends, end - _BEFORE - _LONGEST) == bisect_right(ends, hit):
            return False
        return _named_value(text, hit)

    def on_line(self, text: str, end: int) -> bool:
        """May one begin on the rest of the line?"""
        if self._ends is None:
            return True
        index = bisect_right(self._ends, end + LEAST - 2)
        stop = text.find("\n", end, end + _ON_LINE)
        stop = stop if stop >= 0 else end + _ON_LINE
        return index < len(self._ends) and _begins_before(text, self._ends[index], stop)


def _named_value(text: str, hit: int) -> bool:
    """`name: …`, whose value may stand before it."""
    before = text[max(0, hit - 80) : hit]
    return ("ame" in before or "ey" in before) and _NAMED.search(before) is not None


def _begins_before(text: str, end: int, stop: int) -> bool:
    """The candidate that ends at `end`."""
    if end <= stop:
        return True
    return end <= stop + _LONGEST and _DELIMITER.search(text, stop, end) is None


def _reach(text: str, end: int) -> int:
    """Up to where a value may begin."""
    stop = text.find("\n", end, end + _ON_LINE)
    if stop < 0:
        return end + _ON_LINE
    if text.startswith("</", end) or _WORD.search(text, end, stop) is None:
        return stop + (_IN_BLOCK if "{" in text[end:stop] else _ON_NEXT)
    return stop
