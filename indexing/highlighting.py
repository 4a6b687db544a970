"""Colours for source lines: text in, the same text in safe HTML out, line by line.

No Django app and no database here: a child process imports it (see colouring.py).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape

from pygments.lexer import Lexer
from pygments.lexers import find_lexer_class_by_name
from pygments.token import Token, _TokenType, is_token_subtype
from pygments.util import ClassNotFound

LONGEST_LINE = 1000  # characters of a line that are shown
# Where Pygments has another name than indexing/languages.py, or something close enough.
_ALIASES = {
    "svelte": "html",
    "vue": "html",
    "astro": "html",
    "gradle": "groovy",
    "notebook": "json",
    "dotenv": "ini",
    "gomod": "",
    "prisma": "graphql",
    "just": "make",
    "cue": "go",
    "vb": "vbnet",
    "nushell": "bash",
}
# The first type that holds a token decides; names of things that are merely used stay plain.
_CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Token.Comment.Preproc, "a"),
    (Token.Comment, "c"),
    (Token.Keyword, "k"),
    (Token.Operator.Word, "k"),
    (Token.Literal.String, "s"),
    (Token.Literal.Number, "m"),
    (Token.Name.Function, "n"),
    (Token.Name.Class, "n"),
    (Token.Name.Namespace, "n"),
    (Token.Name.Tag, "n"),
    (Token.Name.Decorator, "a"),
    (Token.Name.Attribute, "a"),
    (Token.Generic.Heading, "h"),
    (Token.Generic.Subheading, "h"),
    (Token.Generic.Deleted, "gd"),
    (Token.Generic.Inserted, "gi"),
)

Piece = tuple[str, str]  # class, text


@dataclass(frozen=True, slots=True)
class Mark:
    """A span of one line to be set off: columns are 0-based and half-open."""

    start: int
    end: int
    label: str


def colour(lines: Sequence[str], language: str) -> list[list[Piece]]:
    """Each line as (class, text) pieces; joined, the pieces are the line as it came."""
    lexer = _lexer(language)
    if lexer is None:
        return [[("", line)] for line in lines]
    text = "\n".join(lines)
    pieces: list[list[Piece]] = [[]]
    for name, value in _tokens(lexer, text):
        first, *others = value.split("\n")
        _add(pieces[-1], name, first)
        for other in others:
            pieces.append([])
            _add(pieces[-1], name, other)
    if ["".join(part for _, part in line) for line in pieces] != list(lines):
        return [[("", line)] for line in lines]
    return pieces


def _tokens(lexer: Lexer, text: str) -> Iterator[Piece]:
    # Not get_tokens(): it strips and adds line feeds before it reads.
    for _position, token, value in lexer.get_tokens_unprocessed(text):
        yield _class_of(token), value


def _add(line: list[Piece], name: str, text: str) -> None:
    if not text:
        return
    if line and (line[-1][0] == name or text.isspace()):
        line[-1] = (line[-1][0], line[-1][1] + text)
    else:
        line.append((name, text))


@cache
def _class_of(token: _TokenType) -> str:
    return next((name for kind, name in _CLASSES if is_token_subtype(token, kind)), "")


@cache
def _lexer(language: str) -> Lexer | None:
    name = _ALIASES.get(language, language)
    if not name:
        return None
    try:
        return find_lexer_class_by_name(name)()
    except ClassNotFound:
        return None


def html_line(pieces: Sequence[Piece], marks: Sequence[Mark] = ()) -> str:
    """The escaped line; `marks` ascend and do not overlap."""
    out: list[str] = []
    column = 0
    for name, text in pieces:
        out.extend(_html(name, part, label) for part, label in _cut(text, column, marks))
        column += len(text)
    return "".join(out)


def _cut(text: str, column: int, marks: Sequence[Mark]) -> Iterator[tuple[str, str]]:
    """The text in parts, each with the label of the mark it lies in."""
    at = column
    end = column + len(text)
    for mark in marks:
        start, stop = max(mark.start, at), min(mark.end, end)
        if start >= stop:
            continue
        yield text[at - column : start - column], ""
        yield text[start - column : stop - column], mark.label
        at = stop
    yield text[at - column :], ""


def _html(name: str, text: str, label: str) -> str:
    if not text:
        return ""
    if label:
        return f'<span class="redacted" title="{escape(label)}">{escape(text)}</span>'
    return f"<i class={name}>{escape(text)}</i>" if name else escape(text, quote=False)
