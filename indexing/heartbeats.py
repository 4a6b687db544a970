"""Signs of life of whoever has claimed a row, given from a thread beside the work."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError, connection


@contextmanager
def beating(beat: Callable[[], int], *, seconds: float, name: str) -> Iterator[None]:
    """Call `beat` every so many seconds while the block runs, in a thread with a connection of its
    own; it says how many rows are still ours, and at none the thread ends."""
    ended = threading.Event()

    def go_on() -> None:
        try:
            while not ended.wait(seconds) and _once(beat):
                pass
        finally:
            connection.close()

    thread = threading.Thread(target=go_on, name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def _once(beat: Callable[[], int]) -> bool:
    try:
        return bool(beat())
    except (OperationalError, InterfaceError):
        connection.close()  # the server was restarted: the next beat connects anew
        return True
