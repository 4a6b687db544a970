"""The floors under indexing, as programs of their own: `python -m tests.benchmarks.floor KIND DIR`.

`parse`: tree-sitter alone on the Python files, nothing extracted. `scrub`: every indexed text
file through git, decode, scrub and the parser, on one core, nothing stored.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from tree_sitter_language_pack import get_parser

from indexing.decode import Undecodable, decode
from indexing.languages import language_of_text
from indexing.parse import parse
from indexing.parsing.errors import NotParsedError
from indexing.scrub import scrub
from repos.classify import Classification, classify_content, classify_entry
from repos.excludes import Excludes


def texts(folder: Path) -> Iterator[tuple[str, bytes]]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=folder, capture_output=True, check=True
    ).stdout
    for path in listed.decode().split("\0"):
        if path and (folder / path).is_file() and not (folder / path).is_symlink():
            yield path, (folder / path).read_bytes()


def parse_alone(folder: Path) -> int:
    parser = get_parser("python")
    python = [data for path, data in texts(folder) if path.endswith(".py")]
    for data in python:
        parser.parse(data)
    return len(python)


def scrub_and_parse(folder: Path) -> int:
    files = 0
    for path, data in texts(folder):
        early = classify_entry(
            path=path, mode="100644", size=len(data), attributes={}, excludes=Excludes()
        )
        verdict = early or classify_content(path=path, data=data)
        if verdict.classification is Classification.INDEXED:
            files += _one(path, data)
    return files


def _one(path: str, data: bytes) -> int:
    try:
        text = scrub(path, decode(data).text).text
        language = language_of_text(path, text)
        if language is not None:
            parse(language, text)
    except (Undecodable, NotParsedError):
        return 0
    return 1


def main() -> None:
    kind, folder = sys.argv[1], Path(sys.argv[2])
    started = time.perf_counter()
    files = {"parse": parse_alone, "scrub": scrub_and_parse}[kind](folder)
    sys.stdout.write(f"{time.perf_counter() - started:.3f} {files}\n")


if __name__ == "__main__":
    main()
