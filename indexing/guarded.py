"""Work on hostile text behind a time limit: patterns and parsers can hang on it.

One child process a web process does it. It knows neither Django nor the database.
"""

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as TimedOut
from functools import cache
from typing import ParamSpec, TypeVar

from pebble import ProcessExpired, ProcessPool

SECONDS = 3
START_SECONDS = 10  # a child that has to start first
RECYCLE_AFTER = 5_000  # calls; whatever the libraries leak goes with the child

P = ParamSpec("P")
T = TypeVar("T")

_starting = threading.Lock()


class TookTooLong(Exception):
    """The child hung or crashed; the next call gets a new one."""


def guarded(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """The result of a module-level function of plain values. Raises TookTooLong."""
    with _starting:
        pool = _pool()
    future: Future[T] = pool.schedule(
        function, args=list(args), kwargs=dict(kwargs), timeout=SECONDS
    )
    try:
        return future.result(SECONDS + START_SECONDS)
    except (TimedOut, ProcessExpired) as error:
        future.cancel()
        raise TookTooLong from error


@cache
def _pool() -> ProcessPool:
    # spawn: a web process has threads, and a forked child may inherit a lock that one holds.
    context = multiprocessing.get_context("spawn")
    return ProcessPool(max_workers=1, max_tasks=RECYCLE_AFTER, context=context)
