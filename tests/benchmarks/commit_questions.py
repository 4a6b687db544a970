"""Questions from the history of clones: `-m tests.benchmarks.commit_questions DIR owner/name ...`.

One a commit before the head that changed one or two source files which are still there: its subject
asks, these files are the answer. Merges, releases, bumps, clean-ups and commits of more than
MOST_FILES files are left out, and a file is an answer MOST_OFTEN times.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from search.roles import Role, role_of

COUNT = 30
COMMITS = 3_000
MOST_FILES = 12
MOST_OFTEN = 3
LEAST_WORDS = 4

_CODE = re.compile(
    r"\.(?:py|go|rs|tsx?|jsx?|mjs|cjs|java|kts?|rb|php|cs|swift|scala|c|h|cc|cpp|hpp|exs?)$"
)
_NO_CHANGE = re.compile(
    r"^(?:merge|version|prepare|revert|v?\d+\.\d|\[?ci\b|chore\(deps|build\(deps|update dep|format"
    r"|fmt|lint|apply fix)|bump|change-?log|release|dependabot|scala-steward|typos?\b|copyright"
    r"|rubocop|phpstan|cs fix|reformat|scalafmt|swiftlint|phpdoc",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*\(?#\d+\)?")
_PREFIX = re.compile(r"^\w+(?:\([^)]*\))?!?:\s*")


def git(folder: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(folder), *arguments], capture_output=True, check=True)
    return done.stdout.decode(errors="replace")


def changes(folder: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Commit, subject and changed files, newest first."""
    form = "--format=%x01%h%x02%s"
    log = git(folder, "log", "--no-merges", "-n", str(COMMITS), "--name-only", form, "HEAD")
    for block in log.split("\x01")[1:]:
        first, *files = filter(None, block.splitlines())
        commit, subject = first.split("\x02", 1)
        yield commit, _NUMBER.sub("", subject).strip().rstrip("."), files


def questions(folder: Path, name: str) -> Iterator[dict[str, object]]:
    head = git(folder, "rev-parse", "HEAD").strip()
    living = set(git(folder, "ls-tree", "-r", "--name-only", "HEAD").splitlines())
    used: Counter[str] = Counter()
    asked: set[str] = set()
    for commit, subject, files in changes(folder):
        source = [path for path in files if _CODE.search(path) and role_of(path) is Role.SOURCE]
        words = _PREFIX.sub("", subject).split()
        told = len(words) >= LEAST_WORDS and not _NO_CHANGE.search(subject)
        if not told or subject in asked or len(files) > MOST_FILES or not 1 <= len(source) <= 2:
            continue
        if any(path not in living or used[path] == MOST_OFTEN for path in source):
            continue
        used.update(source)
        asked.add(subject)
        yield {
            "id": f"{name.rpartition('/')[2]}-{commit}",
            "repository": name,
            "commit": head,
            "question": subject,
            "gold_files": source,
        }
        if len(asked) == COUNT:
            return


def main() -> None:
    sources = Path(sys.argv[1])
    for name in sys.argv[2:]:
        for question in questions(sources / name, name):
            sys.stdout.write(json.dumps(question, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
