"""Tables and top-level keys of TOML."""

import re
from collections.abc import Sequence

from indexing.readers.lines import Key, indent_rows, key_records, lines_of, parsed_lines, until_next
from indexing.records import ParsedFile

COMMENT = ("#",)
TABLE = re.compile(r"\s*\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}\s*(?:#.*)?$")
KEY = re.compile(
    r"\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[\w-]+|\"[^\"]*\"|'[^']*'))*)\s*="
)
OPENS = re.compile(r"=\s*(?:\"\"\"|'''|[\[{])|\"\"\"|'''")
TOKEN = re.compile(r"\"\"\"|'''|\"(?:[^\"\\]|\\.)*\"|'[^']*'|#.*|[\[\]{}]")
MAX_LINE = 2_000


class _Value:
    """Follows a value over lines: `closing` is the quote it waits for, `depth` its brackets."""

    def __init__(self) -> None:
        self.depth = 0
        self.closing = ""

    def open(self) -> bool:
        return bool(self.closing) or self.depth > 0

    def feed(self, line: str) -> None:
        at = 0
        while at < len(line):
            if self.closing:
                end = line.find(self.closing, at)
                if end < 0:
                    return
                at, self.closing = end + 3, ""
            token = TOKEN.search(line, at)
            if token is None:
                return
            at = token.end()
            if token[0] in {'"""', "'''"}:
                self.closing = token[0]
            elif token[0] in "[]{}":
                self.depth = max(self.depth + (1 if token[0] in "[{" else -1), 0)


def read(text: str) -> ParsedFile:
    lines = lines_of(text)
    keys = _keys(lines)
    return parsed_lines(key_records(keys, lines, COMMENT), indent_rows(text))


def _keys(lines: Sequence[str]) -> list[Key]:
    found: list[tuple[str, int]] = []
    in_table = False
    value = _Value()
    for number, line in enumerate(lines, start=1):
        if value.open():
            # A table header ends an array that was never closed.
            if value.closing or not line.startswith("[") or not TABLE.match(line[:MAX_LINE]):
                value.feed(line)
                continue
            value = _Value()
        table = TABLE.match(line[:MAX_LINE]) if line.lstrip()[:1] == "[" else None
        if table:
            in_table = True
            found.append((_bare(table[1]), number))
            continue
        key = None if in_table else KEY.match(line[:MAX_LINE])
        if key:
            found.append((_bare(key[1]), number))
        if OPENS.search(line):
            value.feed(line.partition("=")[2])
    return until_next(found, len(lines))


def _bare(written: str) -> str:
    return re.sub(r"\s*\.\s*", ".", re.sub(r"[\"']", "", written)).strip()
