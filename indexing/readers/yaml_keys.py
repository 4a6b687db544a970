"""Top-level keys of YAML, document by document.

The grammar crashes on a few hundred nested marks; a key at the left margin needs none of it.
"""

import re

from indexing.readers.lines import (
    MAX_NAME,
    indent_rows,
    key_records,
    lines_of,
    parsed_lines,
    until_next,
)
from indexing.records import ParsedFile

COMMENT = ("#",)
# What can begin a line at the left margin: a document mark, or a key (no indicator in front).
MARGIN = re.compile(r"^(?:---|\.\.\.)(?=\s|$).*|^[^\s#\-?:,\[\]{}&*!|>%@`][^\n]*", re.MULTILINE)
QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*)\"\s*:(?=\s|$)|'((?:[^']|'')*)'\s*:(?=\s|$)")
COLON = re.compile(r":(?=\s|$)")
ROOT_TEXT = re.compile(r"---\s+[|>]")


def read(text: str) -> ParsedFile:
    lines = lines_of(text)
    found: list[tuple[str, int]] = []  # ("", line) ends a document
    line, seen, in_text = 1, 0, False
    for match in MARGIN.finditer(text):
        line += text.count("\n", seen, match.start())
        seen = match.start()
        written = match[0]
        if written.startswith(("---", "...")):
            in_text = bool(ROOT_TEXT.match(written))
            found.append(("", line))
        elif not in_text and (name := _key(written)):
            found.append((name, line))
    keys = until_next(found, len(lines))
    return parsed_lines(key_records(keys, lines, COMMENT), indent_rows(text))


def _key(written: str) -> str:
    """The key a line at the margin begins with, or "" when it is text or a merge key."""
    if written[0] in "\"'":
        quoted = QUOTED.match(written)
        return (quoted[1] or (quoted[2] or "").replace("''", "'")) if quoted else ""
    colon = COLON.search(written)
    if colon is None:
        return ""
    name = written[: colon.start()].rstrip()
    return "" if name == "<<" or " #" in name or len(name) > MAX_NAME else name
