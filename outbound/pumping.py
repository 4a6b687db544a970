"""Reads a stream in a thread, so that its silence has a limit whatever keeps the line busy.

Providers send comment lines while they think; those end no read, and reading is all that the time
limit of a socket knows.
"""

import queue
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

Item = TypeVar("Item")
END = object()
AHEAD = 64  # pieces that may wait for their reader


class Silent(Exception):
    """Nothing came within the limit."""


def pumped(
    open_stream: Callable[[], Iterable[Item]],
    *,
    seconds: float,
) -> Generator[Item]:
    """The items of the stream; raises what opening or reading it raises, or Silent.

    Closing the iterator ends the thread at the next item or at the socket's own time limit.
    """
    items: queue.Queue[Any] = queue.Queue(AHEAD)
    stopped = threading.Event()

    def pump() -> None:
        try:
            stream = open_stream()
            with _closed_at_the_end(stream):
                for item in stream:
                    if not _put(items, item, stopped):
                        return
            _put(items, END, stopped)
        except BaseException as error:
            # Raised again where it is read: a thread that ended silently would look like a
            # provider that says nothing, and print what it was sent.
            _put(items, error, stopped)

    threading.Thread(target=pump, name="model-stream", daemon=True).start()
    try:
        while (item := _get(items, seconds)) is not END:
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        stopped.set()


@contextmanager
def _closed_at_the_end(stream: Iterable[Any]) -> Iterator[None]:
    """Else the socket of a stream that was left early stays open until it is collected."""
    try:
        yield
    finally:
        if close := getattr(stream, "close", None):
            close()


def _put(items: "queue.Queue[Any]", item: Any, stopped: threading.Event) -> bool:
    while not stopped.is_set():
        try:
            items.put(item, timeout=0.5)
        except queue.Full:
            continue
        return True
    return False


def _get(items: "queue.Queue[Any]", seconds: float) -> Any:
    try:
        return items.get(timeout=seconds)
    except queue.Empty:
        raise Silent from None
