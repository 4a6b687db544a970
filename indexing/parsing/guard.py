"""Cheap checks before a grammar sees the text: some crash or hang on hostile nesting."""

import re

from indexing.languages import Language
from indexing.parsing.errors import LineTooLongError, TooDeepError

MAX_LINE_BYTES = 100_000
OPEN = b"([{"
BRACKETS = re.compile(rb"[()\[\]{}]")


def check(language: Language, source: bytes) -> None:
    """Raise TooDeepError or LineTooLongError for text that should not reach the grammar."""
    _check_lines(source)
    _check_brackets(language, source)


def _check_lines(source: bytes) -> None:
    if len(source) <= MAX_LINE_BYTES:
        return
    for number, line in enumerate(source.split(b"\n"), start=1):
        if len(line) > MAX_LINE_BYTES:
            raise LineTooLongError(
                f"line {number} has {len(line)} bytes; {MAX_LINE_BYTES} are parsed"
            )


def _check_brackets(language: Language, source: bytes) -> None:
    if sum(source.count(mark) for mark in (b"(", b"[", b"{")) <= language.max_nesting:
        return
    depth = 0
    for mark in BRACKETS.findall(source):
        depth = depth + 1 if mark in OPEN else max(depth - 1, 0)
        if depth > language.max_nesting:
            raise TooDeepError(f"more than {language.max_nesting} brackets are open at once")
