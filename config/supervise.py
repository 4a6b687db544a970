"""Keeps the web server, the workers and the embedded database running until told to stop.

`python -m config.up` starts it in the background. A program that ends is started again, and what
it left of its process group is ended first, so that no job has two workers.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass
from types import FrameType

from django.conf import settings

from config import postgres, processes
from config.refused import StartRefused

COMMANDS = {
    "web": (sys.executable, "-m", "config.web"),
    "worker": (sys.executable, "manage.py", "qcluster"),
    "answers": (sys.executable, "manage.py", "answer_worker"),
}
LOOK_SECONDS = 0.5
FIRST_DELAY, LONGEST_DELAY = 1.0, 30.0
STEADY_SECONDS = 60.0  # a program that ran this long is started again without a growing delay
PROGRAM_SECONDS = 10.0  # to end; less than processes.STOP_SECONDS, which is ours
LOG_BYTES = 10 * 2**20


@dataclass(slots=True)
class Program:
    """One kept program; `started` and `due` (not before which it starts) are monotonic."""

    name: str
    process: subprocess.Popen[bytes] | None = None
    started: float = 0.0
    due: float = 0.0
    delay: float = FIRST_DELAY

    def look(self) -> None:
        """Start it when it does not run and the time has come."""
        if self.process is not None and self.process.poll() is not None:
            self._ended(self.process)
        if self.process is None and time.monotonic() >= self.due:
            self._start()

    def _start(self) -> None:
        self.started = time.monotonic()
        self.process = start_detached(COMMANDS[self.name], self.name)

    def _ended(self, process: subprocess.Popen[bytes]) -> None:
        processes.kill_group(process.pid)
        steady = time.monotonic() - self.started > STEADY_SECONDS
        self.delay = FIRST_DELAY if steady else min(self.delay * 2, LONGEST_DELAY)
        self.due = time.monotonic() + self.delay
        say(f"{self.name} ended with {process.returncode}; next start in {self.delay:.0f} s")
        self.process = None


def start_detached(
    command: tuple[str, ...], name: str, *, address: str = "", roots: str = ""
) -> subprocess.Popen[bytes]:
    """Start a process group of its own, with its log and its record in the folder for them."""
    log = processes.log_of(name)
    if log.exists() and log.stat().st_size > LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            cwd=settings.BASE_DIR,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    record = processes.describe(process.pid, command, address=address, roots=roots)
    processes.write(processes.record_of(name), record)
    return process


def wanted() -> list[str]:
    """Without a model no answer waits to be written."""
    return [name for name in COMMANDS if name != "answers" or settings.ANSWER_MODEL]


def say(message: str) -> None:
    sys.stdout.write(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {message}\n")
    sys.stdout.flush()


def keep_database() -> None:
    """Start the embedded server again where it was killed."""
    try:
        if settings.EMBEDDED is not None and postgres.ensure_running(settings.EMBEDDED):
            say("the embedded Postgres was started again")
    except StartRefused as error:
        say(str(error))


def main() -> int:
    stopping = threading.Event()

    def stop(_number: int, _frame: FrameType | None) -> None:
        stopping.set()

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    programs = [Program(name) for name in wanted()]
    say(f"supervisor {os.getpid()} starts")
    while not stopping.wait(LOOK_SECONDS):
        if settings.EMBEDDED is not None and not postgres.is_running(settings.EMBEDDED):
            keep_database()
        for program in programs:
            program.look()
    end(programs)
    return 0


def end(programs: list[Program]) -> None:
    running = [program.process for program in programs if program.process is not None]
    processes.stop_groups((process.pid for process in running), PROGRAM_SECONDS)
    for process in running:
        process.wait()
    for program in programs:
        processes.record_of(program.name).unlink(missing_ok=True)
    say("supervisor ends")


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    sys.exit(main())
