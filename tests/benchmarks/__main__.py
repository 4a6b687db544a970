"""`make bench [ONLY=index,quality,search,answers,...]`: the tables of docs/benchmarks.md.

BENCH_SOURCES names the folder with the clones, BENCH_QUESTIONS the files of questions,
REPOWISE (optional) the program of repowise 0.59. A data folder of its own (var/bench) is used.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
os.environ.setdefault("FOOTNOTE_DATA", str(ROOT / "var" / "bench"))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django  # noqa: E402 - the settings read the variables above
from django.core.management import call_command  # noqa: E402

from config.startup import ensure_database  # noqa: E402

django.setup()

from tests.benchmarks import (  # noqa: E402
    answer_overhead,
    console_speed,
    growth,
    index_speed,
    machine,
    quality,
    regex_speed,
    scrubbing,
    search_scale,
    search_speed,
    storage,
)

PARTS: dict[str, tuple[tuple[str, Callable[[], list[str]]], ...]] = {
    "index": (("Time to searchable", index_speed.report),),
    "quality": (("Retrieval", quality.report),),
    "search": (
        ("Search latency", search_speed.report),
        ("Exact and regular-expression search", regex_speed.report),
    ),
    "answers": (("What is added to a model", answer_overhead.report),),
    "scrub": (
        ("Scrubbing real trees", scrubbing.trees),
        ("Scrubbing beside other scanners", scrubbing.comparison),
    ),
    "scale": (("Search at size", search_scale.report),),
    "console": (("The console at size", console_speed.report),),
    "growth": (("Growth", growth.report),),
    "storage": (("Size in the database", storage.sizes), ("Embeddings", storage.embeddings)),
}


def main() -> None:
    ensure_database()
    call_command("migrate", verbosity=0)
    chosen = [name for name in os.environ.get("ONLY", "").split(",") if name] or list(PARTS)
    print_out(f"Measured on {machine.describe()}.")
    for name in chosen:
        for title, part in PARTS[name]:
            before = machine.pace()
            lines = part()
            pace = f"{before:.0f} ms before, {machine.pace():.0f} ms after"
            print_out("", f"## {title}", "", *lines, "", f"Two million additions: {pace}.")


def print_out(*lines: str) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
