"""What a second look at a text may leave out: a change matters only near it.

When values have been covered, the rest of the text is as it was. Rules that begin far from every
change find what they found before; where none begins near one, there is nothing to look for.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from indexing.scrubbing.shapes import Places

# No name, word or number is judged by what stands farther from it than this.
REACH = 1200
# These are: by blocks, and by what other parts of the text say of the same value.
_FAR_SHAPES = ("runs", "narrow")
_NEAR_SHAPES = ("joints", "phones", "bare_phones", "social", "cards", "ibans", "discord",
                "airtable", "mailgun")  # fmt: skip
# A mark that is glued to one of these may make something new of what goes on there.
_GLUE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+%@/=\\-[]")


class Windows:
    """The parts of a text that lie within REACH of a change."""

    def __init__(self, spans: Sequence[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans):
            if self._ends and start - REACH <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end + REACH)
            else:
                self._starts.append(start - REACH)
                self._ends.append(end + REACH)

    def __contains__(self, place: int) -> bool:
        index = bisect_right(self._starts, place) - 1
        return index >= 0 and place <= self._ends[index]


@dataclass(slots=True)
class Traces:
    """Where the rules have looked: keywords and shapes, by their offsets."""

    hits: list[int] = field(default_factory=list)
    shapes: Places = field(default_factory=dict)

    def touched_by(self, text: str, spans: Sequence[tuple[int, int]]) -> bool:
        """May covering these spans of `text` lay open anything?"""
        if any(self.shapes[name] for name in _FAR_SHAPES):
            return True
        glued = (text[a - 1 : a] in _GLUE or text[b : b + 1] in _GLUE for a, b in spans)
        if any(glued):
            return True
        places = sorted([*self.hits, *(at for name in _NEAR_SHAPES for at in self.shapes[name])])
        return any(_any_near(places, start, end) for start, end in spans)


def _any_near(places: list[int], start: int, end: int) -> bool:
    """Outside of the span itself, which is covered as a whole."""
    first = bisect_left(places, start - REACH)
    inside = bisect_left(places, start), bisect_right(places, end)
    return first < inside[0] or inside[1] < bisect_right(places, end + REACH)
