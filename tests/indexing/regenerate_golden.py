"""Write expected.json anew and show what changed.

    python -m tests.indexing.regenerate_golden [LANGUAGE ...]

Read the difference line by line before committing it; the test only repeats what this wrote.
"""

import difflib
import sys

from tests.indexing.golden_files import GOLDEN, found_in, languages


def regenerate(language: str) -> str:
    path = GOLDEN / language / "expected.json"
    before = path.read_text("utf-8") if path.exists() else ""
    after = found_in(language)
    path.write_text(after, "utf-8")
    return "".join(
        difflib.unified_diff(
            before.splitlines(True), after.splitlines(True), language, language, n=0
        )
    )


if __name__ == "__main__":
    for name in sys.argv[1:] or languages():
        sys.stdout.write(regenerate(name))
