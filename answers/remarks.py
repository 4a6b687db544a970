"""Which lines of code say something about the code instead of doing it: comments, docstrings,
imports. Told by their marks, whatever the language. Pure."""

import re
from collections.abc import Sequence

COMMENT = 0.3  # of the weight that words of the question have in code
IMPORT = 0.2

_COMMENT = re.compile(
    r"\s*(?:#(?!include|define|if|\[|!\[)|//|/\*|\*(?:\s|/|$)|--\s|;;|%%?\s|<!--)"
)
_QUOTES = re.compile(r"\"\"\"|'''")
_IMPORT = re.compile(
    r"\s*(?:import\b|from\s+[\w.]+\s+import\b|use\s+[\w:{]+|using\s+[\w.]+\s*;|#\s*include\b"
    r"|require(?:_relative)?\b|package\s+[\w.]+\s*;?\s*$|export\s+(?:\*|\{[^}]*\})\s+from\b"
    r"|(?:const|let|var)\s+[\w{}\s,]+=\s*require\()"
)
_OPENED = re.compile(r"\s*(?:import\b|from\s+[\w.]+\s+import\b|use\s+)[^(){}]*[({][^(){}]*$")
_CLOSING = re.compile(r"[)}]")


def shares(lines: Sequence[str], start_line: int) -> dict[int, float]:
    """What words in such lines are worth, by the number of the line; the others are worth 1."""
    worth = dict.fromkeys(comments(lines), COMMENT) | dict.fromkeys(imports(lines), IMPORT)
    return {start_line + place: share for place, share in worth.items()}


def comments(lines: Sequence[str]) -> set[int]:
    """The places (from 0) of lines that are comment or docstring."""
    found: set[int] = set()
    inside = ""
    for place, line in enumerate(lines):
        marks = _QUOTES.findall(line)
        if inside:
            found.add(place)
            if inside in marks:
                inside = ""
        elif marks and line.lstrip(" \trRuUbBfF").startswith(marks[0]):
            found.add(place)
            inside = marks[0] if marks.count(marks[0]) % 2 else ""
        elif marks and marks.count(marks[0]) % 2:
            inside = marks[0]
        elif _COMMENT.match(line):
            found.add(place)
    return found


def imports(lines: Sequence[str]) -> set[int]:
    """The places (from 0) of lines that bring names in from elsewhere, lists of names included."""
    found: set[int] = set()
    is_open = False
    for place, line in enumerate(lines):
        if is_open:
            found.add(place)
            is_open = not _CLOSING.search(line)
        elif _IMPORT.match(line):
            found.add(place)
            is_open = bool(_OPENED.match(line))
    return found
