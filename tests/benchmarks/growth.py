"""Index time, memory and database size as a repository grows: copies of real files, made larger.

$BENCH_GROWTH names the sizes in chunks, by comma. Each size gets a data folder of its own, so that
what is in the database is what was indexed.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from tests.benchmarks.machine import ROOT, run
from tests.benchmarks.sources import SOURCES, check_out

SIZES = tuple(
    int(size) for size in os.environ.get("BENCH_GROWTH", "10000,100000,300000").split(",")
)
BYTES_A_CHUNK = 800  # of the four repositories, roughly: the table says how many there were
PYTHON = str(ROOT / ".venv" / "bin" / "python")
START = (
    "import django; from config.startup import ensure_database; ensure_database(); django.setup()"
)
DATABASE_BYTES = f"""{START}
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SELECT pg_database_size(current_database())")
    print(cursor.fetchone()[0])
"""
CHUNKS = f"""{START}
from repos.models import Snapshot
print(*Snapshot.objects.values_list("chunks", "lines")[0])
"""


def report() -> list[str]:
    lines = [
        "| chunks | lines | searchable s | s for 10,000 chunks | peak MiB | database MB |",
        "|---|---|---|---|---|---|",
    ]
    with tempfile.TemporaryDirectory(prefix="bench-") as place:
        originals = [
            check_out(one, Path(place) / "originals" / str(number))
            for number, one in enumerate(SOURCES)
        ]
        for size in SIZES:
            folder = Path(place) / "grown"
            _grow(folder, originals, size * BYTES_A_CHUNK)
            lines.append(_row(folder, Path(place) / f"data-{size}"))
            shutil.rmtree(folder)
    return lines


def _grow(folder: Path, originals: list[Path], size: int) -> None:
    """Copies of the files, a folder a round, until so many bytes are there."""
    written = 0
    for target, source in _copies(folder, originals):
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        written += source.stat().st_size
        if written >= size:
            return


def _copies(folder: Path, originals: list[Path]) -> Iterator[tuple[Path, Path]]:
    files = [
        (f"{number}/{path.relative_to(original)}", path)
        for number, original in enumerate(originals)
        for path in sorted(original.rglob("*"))
        if path.is_file() and not path.is_symlink() and ".git" not in path.parts
    ]
    turn = 0
    while True:
        turn += 1
        for name, path in files:
            yield folder / f"copy{turn}" / name, path


def _row(folder: Path, data: Path) -> str:
    env = {
        "FOOTNOTE_DATA": str(data),
        "FOOTNOTE_FOLDER_ROOTS": str(folder.parent),
        "FOOTNOTE_EMBEDDING_MODEL": "none",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": "",
    }
    run([PYTHON, "-c", START], env=env)
    try:
        run([PYTHON, "manage.py", "migrate", "--verbosity", "0"], env=env)
        empty = int(run([PYTHON, "-c", DATABASE_BYTES], env=env).output)
        command = [PYTHON, "manage.py", "import_repository", str(folder), "--wait", "--json"]
        done = run(command, env=env)
        state = json.loads(done.output.strip().splitlines()[-1])["run"]
        begun, live = (datetime.fromisoformat(state[key]) for key in ("started", "searchable"))
        seconds = (live - begun).total_seconds()
        full = int(run([PYTHON, "-c", DATABASE_BYTES], env=env).output)
        chunks, lines = map(int, run([PYTHON, "-c", CHUNKS], env=env).output.split())
    finally:
        run([PYTHON, "-m", "config.down"], env=env)
    return (
        f"| {chunks:,} | {lines:,} | {seconds:.1f} | {seconds / chunks * 10_000:.2f} "
        f"| {done.peak_mib:.0f} | {(full - empty) / 1e6:.0f} |"
    )
