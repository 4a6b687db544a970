"""Processes that a test started, found again by a mark in their environment.

A parent's number does not do: who outlives its parent gets another one.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

NAME = "TEST_MARK"


def marked_environment() -> tuple[str, dict[str, str]]:
    """A fresh mark and this process's environment with it."""
    mark = uuid4().hex
    return mark, {**os.environ, NAME: mark}


def living(mark: str) -> list[int]:
    """The processes that bear the mark and have not ended."""
    wanted = f"{NAME}={mark}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:  # the process has ended meanwhile, or is another user's
            continue
    return found


def eventually(condition: Callable[[], bool], seconds: float = 20.0) -> bool:
    patience = time.monotonic() + seconds
    while not condition() and time.monotonic() < patience:
        time.sleep(0.05)
    return condition()
