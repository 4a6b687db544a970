"""What a figure stands on: the machine, the commit, and how processes are measured."""

import os
import platform
import subprocess
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parents[2]
SAMPLE_SECONDS = 0.05
PACE_LOOP = 2_000_000  # additions


@dataclass(frozen=True, slots=True)
class Measured:
    """One run of a command: wall seconds, peak resident MiB of its process tree, its output.

    The tree's memory is the sum over its processes, so shared pages count several times.
    """

    seconds: float
    peak_mib: float
    output: str


def describe() -> str:
    git = ["git", "rev-parse", "--short=8", "HEAD"]
    commit = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    return (
        f"{_processor()}, {os.cpu_count()} cores, {_memory_gib()} GiB, Python "
        f"{platform.python_version()}, commit {commit.strip()}, {time.strftime('%Y-%m-%d')}"
    )


def pace() -> float:
    """Milliseconds of a fixed loop, the best of five: a machine is not as fast at every hour."""
    times = []
    for _ in range(5):
        started = time.perf_counter()
        total = 0
        for number in range(PACE_LOOP):
            total += number
        times.append(time.perf_counter() - started)
    return min(times) * 1000


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def _memory_gib() -> int:
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30)


def run(command: Sequence[str], *, env: dict[str, str] | None = None, cwd: Path = ROOT) -> Measured:
    """Run to the end; raises CalledProcessError with the output where it fails."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        env={**os.environ, **(env or {})},
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    peak = _Peak(process.pid)
    output, _ = process.communicate()
    seconds = time.perf_counter() - started
    peak.stop()
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, list(command), output)
    return Measured(seconds, peak.mib, output)


class _Peak:
    def __init__(self, pid: int) -> None:
        self.mib = 0.0
        self._pid = pid
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._end.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._end.wait(SAMPLE_SECONDS):
            self.mib = max(self.mib, sum(resident_mib(pid) for pid in _tree(self._pid)))


def _tree(pid: int) -> list[int]:
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        try:
            for task in Path(f"/proc/{one}/task").iterdir():
                waiting += map(int, (task / "children").read_text(encoding="ascii").split())
        except OSError:  # it ended meanwhile
            continue
    return found


def resident_mib(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def middle(values: Sequence[float]) -> str:
    """Median with the range, as the tables show it."""
    return f"{median(values):.2f} ({min(values):.2f}-{max(values):.2f})"
