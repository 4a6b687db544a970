"""Where words and shapes stand in a text, all of them in one pass of Hyperscan.

Only offsets come out of it: what stands there is decided by the patterns of the rules. Hyperscan
tells every end of a match, so an expression here ends in something that can end only once.
"""

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import hyperscan

# The hits of one slice are in memory at once; a file of nothing but hits stays bounded.
SLICE = 1 << 20
# No expression here matches more than this, so nothing is lost where two slices meet.
_LONGEST = 400


@dataclass(frozen=True, slots=True)
class Trigger:
    """A rule is given the offset that lies `back` before the end of a match."""

    expression: str
    back: int = 0


def word(literal: str) -> Trigger:
    """The offset is that where the word begins."""
    return Trigger(re.escape(literal), len(literal))


class Prefilter:
    """May be used by several threads at once: each has working memory of its own."""

    def __init__(self, triggers: Sequence[Trigger], *, any_case: bool = False) -> None:
        self._backs = [trigger.back for trigger in triggers]
        self._database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        case = hyperscan.HS_FLAG_CASELESS if any_case else 0
        self._database.compile(
            expressions=[trigger.expression.encode() for trigger in triggers],
            ids=range(len(triggers)),
            elements=len(triggers),
            flags=[hyperscan.HS_FLAG_MULTILINE | case] * len(triggers),
        )
        self._memory = threading.local()

    def hits(self, raw: bytes) -> Iterator[tuple[int, int]]:
        """(number of the trigger, offset) in the order in which the matches end."""
        if not hasattr(self._memory, "scratch"):
            self._memory.scratch = hyperscan.Scratch(self._database)
        for start in range(0, len(raw), SLICE):
            overlap = min(_LONGEST, start)
            first = start - overlap
            ends: list[tuple[int, int]] = []
            part = raw[first : start + SLICE] if len(raw) > SLICE else raw
            self._scan(part, ends)
            for number, end in ends:
                if end > overlap:
                    yield number, first + end - self._backs[number]

    def _scan(self, part: bytes, ends: list[tuple[int, int]]) -> None:
        def note(number: int, _start: int, end: int, _flags: int, _context: object) -> None:
            ends.append((number, end))

        self._database.scan(part, match_event_handler=note, scratch=self._memory.scratch)
