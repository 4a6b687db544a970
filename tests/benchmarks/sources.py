"""The repositories that are measured: DIR/owner/name, any clone; DIR is $BENCH_SOURCES."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class BenchSource:
    name: str
    commit: str


# The commits that the public SWE-QA questions name.
SOURCES = (
    BenchSource("pallets/flask", "85c5d93cbd049c4bd0679c36fd1ddcae8c37b642"),
    BenchSource("psf/requests", "46e939b5525d9c72b677340985582b04b128478a"),
    BenchSource("pytest-dev/pytest", "5989efe3efec31a9d14f550d89903b6311dfc828"),
    BenchSource("sqlfluff/sqlfluff", "db9801b7eb7fd014e765117f63ee1b0675fa9f87"),
)


def folder() -> Path:
    """Where the clones are; ends the program with a sentence where that is not said."""
    text = os.environ.get("BENCH_SOURCES", "")
    if not text or not Path(text).is_dir():
        sys.exit("bench: set BENCH_SOURCES to a folder that holds owner/name git repositories.")
    return Path(text)


def git_dir(name: str) -> Path:
    clone = folder() / name
    return clone / ".git" if (clone / ".git").is_dir() else clone


def check_out(source: BenchSource, target: Path) -> Path:
    """The files of the commit in a fresh git checkout of one commit, as a person would have it."""
    target.mkdir(parents=True)
    archive = subprocess.Popen(
        ["git", f"--git-dir={git_dir(source.name)}", "archive", source.commit],
        stdout=subprocess.PIPE,
    )
    subprocess.run(["tar", "-x", "-C", str(target)], stdin=archive.stdout, check=True)
    archive.wait()
    identity = ["-c", "user.name=bench", "-c", "user.email=bench@example.org"]
    for command in (["init", "-q"], ["add", "-A", "-f"], [*identity, "commit", "-qm", "bench"]):
        subprocess.run(["git", *command], cwd=target, check=True)
    return target
