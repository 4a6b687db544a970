"""Lines of code on paper: real numbers, long lines broken with a mark, nothing that hides. Pure."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

COLUMNS = 100  # of the page's width in its font
MOST_CHARS = 6_000  # of one line
TAB = 4
CONTINUED = "↪"

Piece = tuple[str, str]  # class of colour, text


@dataclass(frozen=True, slots=True)
class Row:
    """One row of paper. `number` is that of the line, or the mark that it goes on."""

    number: str
    html: str
    cited: bool = False
    notes: tuple[int, ...] = ()  # footnotes whose lines begin here


def rows(number: int, pieces: Sequence[Piece], *, cited: bool, notes: Sequence[int]) -> list[Row]:
    """The rows of one line; its pieces joined are the line."""
    shown, left = _cut(pieces, MOST_CHARS)
    parts = list(_broken(shown)) or [""]
    if left:
        parts[-1] += f'<span class="cut"> … {left:,} more characters</span>'
    first = Row(str(number), parts[0], cited, tuple(notes))
    return [first, *(Row(CONTINUED, part, cited) for part in parts[1:])]


def _cut(pieces: Sequence[Piece], most: int) -> tuple[list[Piece], int]:
    kept, room = [], most
    for name, text in pieces:
        kept.append((name, text[:room]))
        room = max(room - len(text), 0)
    return kept, max(sum(len(text) for _, text in pieces) - most, 0)


def _broken(pieces: Sequence[Piece]) -> Iterator[str]:
    """HTML of the line in parts of at most COLUMNS."""
    out: list[str] = []
    column = 0
    for name, text in pieces:
        start = 0
        shown = [_shown(char, column) for char in text]
        for at, (_, width) in enumerate(shown):
            if column + width > COLUMNS and column:
                out.append(_html(name, shown[start:at]))
                yield "".join(out)
                out, column, start = [], 0, at
            column += width
        out.append(_html(name, shown[start:]))
    if out:
        yield "".join(out)


def _shown(char: str, column: int) -> tuple[str, int]:
    """What stands for a character, as HTML, and how many columns it takes."""
    if char == "\t":
        return " " * TAB, TAB
    if _hides(char):
        code = f"U+{ord(char):04X}"
        return f'<span class="hidden">{code}</span>', len(code) + 1
    if unicodedata.combining(char) or char in "\u200d\ufe0e\ufe0f":
        return char, 0
    return escape(char, quote=False), 2 if unicodedata.east_asian_width(char) in "WF" else 1


def _hides(char: str) -> bool:
    """Controls and what turns text around: shown by its number. Joiners of letters and emoji stay.

    XML holds no controls but tabs and line ends, so a PDF could not either.
    """
    if char in "\u200c\u200d\ufe0e\ufe0f":
        return False
    return unicodedata.category(char) in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def _html(name: str, shown: Sequence[tuple[str, int]]) -> str:
    text = "".join(one for one, _ in shown)
    if not text:
        return ""
    return f'<i class="{name}">{text}</i>' if name else text


def visible(text: str) -> str:
    """Prose with every character that hides replaced by its number."""
    return "".join(f"[U+{ord(c):04X}]" if c not in "\n\t" and _hides(c) else c for c in text)
