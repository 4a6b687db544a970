"""Time to searchable: Footnote, the floors, and repowise, in turn on the same checkouts."""

import json
import os
import shutil
import tempfile
from datetime import datetime
from pathlib import Path
from statistics import median

from tests.benchmarks.machine import ROOT, middle, run
from tests.benchmarks.sources import SOURCES, BenchSource, check_out

MEASURED = ("pytest-dev/pytest", "sqlfluff/sqlfluff")
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
PYTHON = str(ROOT / ".venv" / "bin" / "python")
# A database of its own: the copies that are indexed here must not be searched by the other parts.
DATA = {"FOOTNOTE_DATA": str(ROOT / "var" / "bench-index")}


def report() -> list[str]:
    columns = (
        "repository", "Footnote: searchable s", "peak MiB", "repowise s", "ratio",
        "git + scrub + parse s", "ratio", "tree-sitter alone s",
    )  # fmt: skip
    lines = [f"| {' | '.join(columns)} |", "|---" * len(columns) + "|"]
    run([PYTHON, "manage.py", "migrate", "--verbosity", "0"], env=DATA)
    for source in SOURCES:
        if source.name in MEASURED:
            with tempfile.TemporaryDirectory(prefix="bench-") as place:
                lines.append(_row(source, Path(place)))
    return lines


def _row(source: BenchSource, place: Path) -> str:
    checkout = check_out(source, place / "footnote" / source.name.rpartition("/")[2])
    ours, peaks, floors, parses, theirs = [], [], [], [], []
    for number in range(ROUNDS):
        seconds, peak = _footnote(checkout, place, number)
        ours.append(seconds)
        peaks.append(peak)
        floors.append(_floor("scrub", checkout))
        parses.append(_floor("parse", checkout))
        theirs += _repowise(source, place, number)
    other = f"{middle(theirs)} | {median(theirs) / median(ours):.1f}x" if theirs else "- | -"
    return (
        f"| {source.name} | {middle(ours)} | {max(peaks):.0f} | {other} "
        f"| {middle(floors)} | {median(ours) / median(floors):.1f}x | {middle(parses)} |"
    )


def _footnote(checkout: Path, place: Path, number: int) -> tuple[float, float]:
    """Seconds from the start of the run until it is searchable; a new repository each time."""
    copy = place / "roots" / f"{checkout.name}-{number}"
    shutil.copytree(checkout, copy, symlinks=True)
    command = [PYTHON, "manage.py", "import_repository", str(copy), "--wait", "--json"]
    env = {**DATA, "FOOTNOTE_FOLDER_ROOTS": str(place), "FOOTNOTE_EMBEDDING_MODEL": "none"}
    done = run(command, env=env)
    state = json.loads(done.output.strip().splitlines()[-1])["run"]
    begun, live = (datetime.fromisoformat(state[key]) for key in ("started", "searchable"))
    return (live - begun).total_seconds(), done.peak_mib


def _floor(kind: str, checkout: Path) -> float:
    done = run([PYTHON, "-m", "tests.benchmarks.floor", kind, str(checkout)])
    return float(done.output.split()[0])


def _repowise(source: BenchSource, place: Path, number: int) -> list[float]:
    """[seconds], or [] where $REPOWISE does not name the program."""
    program = os.environ.get("REPOWISE", "")
    if not program:
        return []
    copy = check_out(source, place / f"repowise-{number}" / source.name.rpartition("/")[2])
    home = place / f"home-{number}"
    home.mkdir()
    env = {"HOME": str(home), "ANTHROPIC_API_KEY": "", "OPENAI_API_KEY": ""}
    return [run([program, "init", "--no-prose", "-y", str(copy)], env=env, cwd=copy).seconds]
