"""Processes that run in the background: written down when started, known again, stopped.

A number alone does not tell a process: it is given to another one after a crash. A record holds
the start time and the command as well, and only a process that fits all three is ever stopped.
"""

import contextlib
import json
import os
import signal
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

import psutil
from django.conf import settings

STOP_SECONDS = 15.0
CLOCK_SECONDS = 5.0  # start times are told by the wall clock, which is set at times


@dataclass(frozen=True, slots=True)
class Record:
    """`address` and `roots` are what a web server was started with; else empty."""

    pid: int
    started: float
    command: tuple[str, ...]
    address: str = ""
    roots: str = ""


def folder() -> Path:
    """Where the records and logs are; not beside the database's socket, which is another user's."""
    return Path(settings.DATA) / "processes"


def record_of(name: str) -> Path:
    return folder() / f"{name}.json"


def log_of(name: str) -> Path:
    return folder() / f"{name}.log"


def describe(pid: int, command: tuple[str, ...], *, address: str = "", roots: str = "") -> Record:
    """The record of a process that was just started; the kernel shows its command a bit later."""
    return Record(pid, psutil.Process(pid).create_time(), command, address, roots)


def write(path: Path, record: Record) -> None:
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps(asdict(record)), encoding="utf-8")
    draft.replace(path)


def read(path: Path) -> Record | None:
    """The record of a process that still runs, else None."""
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
        record = Record(**{**found, "command": tuple(found["command"])})
    except (FileNotFoundError, ValueError, TypeError, KeyError):
        return None
    return record if _runs(record) else None


def _runs(record: Record) -> bool:
    try:
        process = psutil.Process(record.pid)
        same_start = abs(process.create_time() - record.started) < CLOCK_SECONDS
        command = tuple(process.cmdline())
        # Empty is the command of one that was started a moment ago, and of one that is dead and
        # that nobody has buried yet.
        starting = not command and process.status() != psutil.STATUS_ZOMBIE
        return same_start and (starting or command == record.command)
    except psutil.Error:
        return False


def stop(path: Path, seconds: float = STOP_SECONDS) -> bool:
    """End the recorded process with its group, and forget it; False where it did not run."""
    record = read(path)
    if record is not None:
        stop_groups([record.pid], seconds)
    path.unlink(missing_ok=True)
    return record is not None


def stop_groups(leaders: Iterable[int], seconds: float) -> None:
    """Ask the leaders of process groups to end; then end what is left, after `seconds` at most.

    Only the leaders are asked: the worker's ends its own children in order.
    """
    groups = list(leaders)
    for group in groups:
        with contextlib.suppress(ProcessLookupError):
            os.kill(group, signal.SIGTERM)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and any(map(_is_alive, groups)):
        time.sleep(0.05)
    for group in groups:
        kill_group(group)


def kill_group(group: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _is_alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False
