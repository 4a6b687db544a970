"""Looking at a fetch while it runs: its limits, its progress, whether it is still wanted."""

import os
import re
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from repos.gitprocess import GitError

SIZE_EVERY_SECONDS = 0.5
_PROGRESS = re.compile(
    rb"(Counting objects|Compressing objects|Receiving objects|Resolving deltas):"
    rb" +\d+% \((\d+)/(\d+)\)"
)

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class GitLimits:
    """What one fetch may cost: seconds in all, bytes added to the disk."""

    seconds: float = 900.0
    max_bytes: int = 2 * 1024**3


class Watch:
    """Looks at a running fetch: cancelled, too large, how far; called several times a second."""

    def __init__(
        self,
        target: Path,
        limits: GitLimits,
        progress: Progress | None,
        cancelled: Callable[[], bool] | None,
    ) -> None:
        self._target = target
        self._limits = limits
        self._progress = progress
        self._cancelled = cancelled
        self._before = _disk_size(target)
        self._measure_at = 0.0

    def __call__(self, err: bytes) -> None:
        if self._cancelled is not None and self._cancelled():
            raise GitError("cancelled", "The import was cancelled.")
        if time.monotonic() >= self._measure_at:
            self.check_size()
            self._measure_at = time.monotonic() + SIZE_EVERY_SECONDS
        seen = _PROGRESS.findall(err) if self._progress is not None else []
        if seen and self._progress is not None:
            name, done, total = seen[-1]
            self._progress(name.decode(), int(done), int(total))

    def check_size(self) -> None:
        if _disk_size(self._target) - self._before > self._limits.max_bytes:
            limit = self._limits.max_bytes / 1024**2
            raise GitError(
                "too_large",
                f"The repository is larger than the limit of {limit:,.0f} MiB. "
                "Ask an administrator to raise the limit, or import a smaller part as a ZIP.",
            )


def _disk_size(folder: Path) -> int:
    total = 0
    for place, _, files in os.walk(folder):
        for name in files:
            with suppress(FileNotFoundError):  # git renames its temporary files meanwhile
                total += Path(place, name).lstat().st_size
    return total
