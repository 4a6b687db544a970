"""Keys of the object at the top of a JSON file (comments allowed); arrays have none."""

import re

from indexing.readers.lines import (
    MAX_KEYS,
    indent_rows,
    key_records,
    lines_of,
    parsed_lines,
    until_next,
)
from indexing.records import ParsedFile

COMMENT = ("//", "/*", "*")
TOKEN = re.compile(
    r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'|[{}\[\]]|//[^\n]*|/\*[\s\S]*?(?:\*/|\Z)"
)
# Other escapes stay as written: they may stand for NUL or half a surrogate pair.
PLAIN = re.compile(r"\\([\"/])")
COLON = re.compile(r"\s*:")


def read(text: str) -> ParsedFile:
    keys, end, broken = _keys(text)
    lines = lines_of(text)
    last = _last_line(lines, text.count("\n", 0, end) + 1)
    found = until_next(keys, max(last, keys[-1][1]) if keys else last)
    symbols = key_records(found, lines, COMMENT)
    return parsed_lines(symbols, indent_rows(text), broken=broken)


def _last_line(lines: list[str], closing: int) -> int:
    """The line before a closing brace that stands alone."""
    alone = 0 < closing <= len(lines) and lines[closing - 1].strip()[:1] in {"}", ""}
    return closing - 1 if alone else min(closing, len(lines))


def _keys(text: str) -> tuple[list[tuple[str, int]], int, bool]:
    """(name, line) of each key, the offset where the object ends, whether it never does."""
    found: list[tuple[str, int]] = []
    depth, line, seen = 0, 1, 0
    for token in TOKEN.finditer(text):
        first = token[0][0]
        if first in "{[":
            depth += 1
            if depth == 1 and first == "[":
                return [], len(text), False
        elif first in "}]":
            depth -= 1
            if depth <= 0:
                return found, token.start(), depth < 0
        elif depth == 1 and first in "\"'" and COLON.match(text, token.end()):
            line += text.count("\n", seen, token.start())
            seen = token.start()
            found.append((PLAIN.sub(r"\1", token[0][1:-1]), line))
            if len(found) > MAX_KEYS:
                return found, len(text), False
    return found, len(text), depth > 0
