"""Asks again where that may help: as told by Retry-After, else with back-off and jitter."""

import random
import time
from collections.abc import Callable
from typing import TypeVar

from outbound.failures import ModelFailed

TRIES = 5
FIRST_WAIT = 0.5  # seconds, doubled each time
LONGEST_WAIT = 60.0
PATIENCE = 30.0  # seconds of waiting in all, where a person waits for the answer

Result = TypeVar("Result")
Pause = Callable[[float], None]


def slept(seconds: float) -> None:
    time.sleep(seconds)


def retried(
    ask: Callable[[], Result],
    *,
    patience: float = PATIENCE,
    tries: int = TRIES,
    pause: Pause = slept,
    told: Callable[[int], None] = lambda _count: None,
) -> Result:
    """What `ask` gives. `told` hears how often it was asked again; `pause` may raise to stop."""
    for count in range(tries):
        try:
            return ask()
        except ModelFailed as failure:
            wait = _wait(failure, count)
            if not failure.retried or count + 1 >= tries or wait > patience:
                raise
            patience -= wait
        told(count + 1)
        pause(wait)
    raise AssertionError("unreachable")  # pragma: no cover


def _wait(failure: ModelFailed, count: int) -> float:
    if failure.wait is not None:
        return min(failure.wait, LONGEST_WAIT)
    most = min(FIRST_WAIT * 2**count, LONGEST_WAIT)
    return random.uniform(most / 2, most)  # noqa: S311 - spreads load, guards nothing
