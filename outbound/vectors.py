"""Vectors as a provider gives them: checked, in the order of their texts, of length 1."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from outbound.failures import BrokenReply
from outbound.providers import Target

MOST_DIMENSIONS = 4_000  # what a halfvec with an index holds


def checked(data: Any, wanted: int, target: Target) -> list[Sequence[float]]:
    """Raises BrokenReply: a vector under the wrong text is worse than none."""
    if not isinstance(data, list) or len(data) != wanted:
        given = len(data) if isinstance(data, list) else 0
        message = _("%(host)s sent %(given)d vectors for %(wanted)d texts.")
        raise BrokenReply(message % {"host": target.host, "given": given, "wanted": wanted})
    rows = [one if isinstance(one, Mapping) else vars(one) for one in data]
    places = [row.get("index", place) for place, row in enumerate(rows)]
    if sorted(map(str, places)) != sorted(map(str, range(wanted))):
        raise BrokenReply(_("%s sent vectors whose order is not told.") % target.host)
    by_place = dict(zip((int(place) for place in places), rows, strict=True))
    found = [_unit(by_place[place].get("embedding"), target) for place in range(wanted)]
    if len({len(vector) for vector in found}) > 1:
        raise BrokenReply(_("%s sent vectors of different lengths.") % target.host)
    return found


def _unit(numbers: Any, target: Target) -> Sequence[float]:
    good = isinstance(numbers, list) and all(
        isinstance(number, int | float) and math.isfinite(number) for number in numbers
    )
    length = math.sqrt(sum(number * number for number in numbers)) if good else 0.0
    if not good or not math.isfinite(length) or length == 0.0:
        raise BrokenReply(_("%s sent a vector that is none: zero, or no numbers.") % target.host)
    if len(numbers) > MOST_DIMENSIONS:
        message = _("%(host)s sent vectors of %(given)d numbers; at most %(most)d can be stored.")
        words = {"host": target.host, "given": len(numbers), "most": MOST_DIMENSIONS}
        raise BrokenReply(message % words)
    return [number / length for number in numbers]
