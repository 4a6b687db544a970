"""Retrieval quality on a file of questions: $BENCH_QUESTIONS, one or more, separated by ':'."""

import json
import os
from pathlib import Path

from tests.benchmarks.machine import ROOT, run
from tests.benchmarks.sources import folder

COLUMNS = ("recall_at_10", "hit_at_10", "mrr_at_10", "line_hit_at_10", "precision_at_10")
TIMES = ("p50_ms", "p95_ms")


def report() -> list[str]:
    lines: list[str] = []
    for text in filter(None, os.environ.get("BENCH_QUESTIONS", "").split(":")):
        lines += ["", *_table(Path(text))]
    return lines or ["(BENCH_QUESTIONS names no file of questions)"]


def _table(questions: Path) -> list[str]:
    command = [str(ROOT / ".venv" / "bin" / "python"), "manage.py", "evaluate", "--json"]
    command += ["--questions", str(questions), "--sources", str(folder())]
    output = run(command).output
    figures = json.loads(output[output.index("{\n") :])
    head = " | ".join(name.replace("_", " ") for name in (*COLUMNS, *TIMES))
    lines = [
        f"{questions.name}, {figures['questions']} questions:",
        "",
        f"| channel | {head} |",
        "|---" * (len(COLUMNS) + len(TIMES) + 1) + "|",
    ]
    for channel, row in figures["channels"].items():
        cells = [f"{row[name]:.3f}" for name in COLUMNS] + [f"{row[name]:.0f}" for name in TIMES]
        lines.append(f"| {channel} | {' | '.join(cells)} |")
    return lines
