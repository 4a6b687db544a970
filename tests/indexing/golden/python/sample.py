"""Bookings of a small ferry line."""

from __future__ import annotations

import os.path, re as regex
from collections.abc import (
    Iterable,
    Mapping as AnyMapping,
)
from . import tariff
from ..harbour.quay import *

MAX_DECK_CARS = 48
_lock = object()
__all__ = ["Ferry", "book"]
double = lambda cars: cars * 2
Weights = dict[str, int]
type Deck = list[int]

TEXT = """
def not_a_function():
    class NotAClass: pass
"""

# def commented_out(): pass


# A seat is counted once, e.g. for a child. Babies do not count.
def seats(people: int) -> int:
    return people


def total(
    cars: Iterable[int],
    *,
    night: bool = False,
) -> int:
    """Sum of the lengths,
    in metres. Night ferries take fewer.
    """
    limit = 3
    LOCAL = 4

    def clamp(value):
        class Inner:
            def deep(self): ...

        return min(value, limit)

    return sum(map(lambda car: clamp(car), cars)) + LOCAL


@register("ferry")
# between decorators
@dataclass(frozen=True)
class Ferry(Base, metaclass=Meta):
    '''A ship with a deck.'''

    deck: int = 0
    NAME = "ferry"

    def __init__(self):
        self.deck = 1

    @property
    def free(self) -> int:
        """Free places? Yes."""
        return MAX_DECK_CARS - self.deck

    @staticmethod
    async def _load(cars): pass

    class Meta:
        def label(self):
            return "x"


@overload
def book(car: int) -> int: ...
@overload
def book(car: str) -> str: ...
def book(car):
    if car:
        for one in car:
            print(one)
    else:
        return {
            "one": 1,
            "two": [
                2,
            ],
        }


def half_written(a, b
    x = [1, 2


# behind the break
@decorated
def after_break():
    return 2
