import threading
from collections.abc import Iterator

import pytest

from outbound.pumping import Silent, pumped


class Line:
    """A stream over a line that somebody must hang up."""

    def __init__(self, pieces: int, fault: Exception | None = None) -> None:
        self._pieces, self._fault = pieces, fault
        self.hung_up = threading.Event()

    def __iter__(self) -> Iterator[int]:
        yield from range(self._pieces)
        if self._fault:
            raise self._fault

    def close(self) -> None:
        self.hung_up.set()


def read(line, seconds=20):
    return pumped(lambda: line, seconds=seconds)


def test_a_line_is_closed_when_all_of_it_is_read():
    line = Line(200)
    assert list(read(line)) == list(range(200))
    assert line.hung_up.wait(20)


def test_a_line_is_closed_when_its_reader_leaves():
    line = Line(200)
    items = read(line)
    assert next(items) == 0
    items.close()
    assert line.hung_up.wait(20)


def test_a_line_that_breaks_is_closed_and_says_so():
    line = Line(1, ValueError("broken"))
    with pytest.raises(ValueError, match="broken"):
        list(read(line))
    assert line.hung_up.wait(20)


def test_a_fault_nobody_foresaw_is_no_silence():
    with pytest.raises(ZeroDivisionError):
        list(read(Line(1, ZeroDivisionError("0"))))


def test_silence_has_a_limit():
    talks = threading.Event()

    def quiet() -> Iterator[int]:
        yield 1
        talks.wait(20)

    items = pumped(quiet, seconds=0.1)
    assert next(items) == 1
    with pytest.raises(Silent):
        next(items)
    talks.set()
