"""Jupyter notebooks: hide outputs in place, and read the code of the cells.

Nothing here moves a line of the raw JSON, so a citation opens where the code host shows it.
"""

import json
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Union

from indexing.records import ParsedFile

# Values that a notebook's author did not write: results, pictures and the state of widgets.
_HIDDEN_KEYS = frozenset({"outputs", "attachments", "widgets"})
_TOKEN = re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|[{}\[\]:,]|[^\s"{}\[\]:,]+')
_EMBEDDED = re.compile(r"(?<=;base64,)[A-Za-z0-9+/=]{64,}")
_NOT_LF = re.compile(r"[^\n]")
_MAGIC = re.compile(r"\s*[%!?]")


class BrokenNotebook(Exception):
    """The JSON does not parse; `reason` is a sentence for a person."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class NotebookCode:
    """The code cells one after the other; line i of `code` stands on raw line `raw_lines[i-1]`."""

    language: str
    code: str
    raw_lines: tuple[int, ...]


def notebook_text(text: str) -> str:
    """The raw JSON in the same length and lines, outputs and embedded files blank.

    Works on broken JSON too; only `notebook_code` insists on a whole notebook.
    """
    return _EMBEDDED.sub(_blank, _hide_values(text))


def notebook_code(text: str) -> NotebookCode:
    """What the code cells hold, for the parser; raises BrokenNotebook."""
    if fault := _fault(text):
        raise BrokenNotebook(f"not a readable notebook: {fault}")
    book = _Reader(text).read()
    cells = [cell for cell in _cells(book) if _word(cell.get("cell_type")) == "code"]
    pieces = [piece for cell in cells for piece in _without_magic(_source_lines(cell))]
    code = "".join(f"{line}\n" for line, _ in pieces)
    return NotebookCode(_language(book, cells), code, tuple(number for _, number in pieces))


def at_raw_lines(parsed: ParsedFile, raw_lines: tuple[int, ...]) -> ParsedFile:
    """The records of a parsed NotebookCode with the lines of the raw JSON."""
    if not raw_lines:
        return ParsedFile(broken=parsed.broken)

    def raw(line: int) -> int:
        return raw_lines[min(max(line, 1), len(raw_lines)) - 1]

    symbols = tuple(
        replace(
            symbol,
            lead_line=raw(symbol.lead_line),
            start_line=raw(symbol.start_line),
            name_line=raw(symbol.name_line),
            end_line=raw(symbol.end_line),
        )
        for symbol in parsed.symbols
    )
    imports = tuple(replace(each, line=raw(each.line)) for each in parsed.imports)
    breaks: dict[int, int] = {}
    for line, depth in parsed.breaks:
        breaks[raw(line)] = min(depth, breaks.get(raw(line), depth))
    return ParsedFile(symbols, imports, tuple(sorted(breaks.items())), parsed.broken)


def _fault(text: str) -> str:
    """What is wrong, empty for valid JSON.

    A value, not an exception: json's errors carry the whole unscrubbed text.
    """
    try:
        json.loads(text.strip() or "{}")
        _Reader(text).read()  # nests in Python, so it gives up before the C parser does
    except RecursionError:
        return "nested too deeply"
    except json.JSONDecodeError as error:
        return f"{error.msg} (line {error.lineno})"
    return ""


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _hide_values(text: str) -> str:
    """Works on tokens, not on parsed JSON, so that a notebook cut in the middle is hidden too."""
    parts: list[str] = []
    shown_from = 0
    for start, end in _hidden_spans(text):
        parts += [text[shown_from:start], _NOT_LF.sub(" ", text[start:end])]
        shown_from = end
    return "".join([*parts, text[shown_from:]])


def _hidden_spans(text: str) -> Iterator[tuple[int, int]]:
    before, key = "", ""
    depth, start = 0, None
    for match in _TOKEN.finditer(text):
        token = match[0]
        opens, closes = token in {"{", "["}, token in {"}", "]"}
        if start is None and opens and before == ":" and key.strip('"') in _HIDDEN_KEYS:
            depth, start = 0, match.end()
        elif start is not None:
            depth += opens - closes
            if depth < 0:
                yield start, match.start()
                start = None
        key = before if token == ":" else key  # noqa: S105 - a JSON token
        before = token
    if start is not None:
        yield start, len(text)


@dataclass(frozen=True, slots=True)
class _Text:
    """A JSON string and the raw line it stands on."""

    value: str
    line: int


_Node = Union["dict[str, _Node]", "list[_Node]", _Text, None]


class _Reader:
    """Valid JSON with the line of each string; numbers and constants become None."""

    def __init__(self, text: str) -> None:
        self._tokens = _TOKEN.finditer(text)
        self._line_ends = [match.end() for match in re.finditer("\n", text)]

    def read(self) -> _Node:
        token = next(self._tokens, None)
        return None if token is None else self._value(token)

    def _value(self, token: re.Match[str]) -> _Node:
        if token[0] == "{":
            return dict(self._members())
        if token[0] == "[":
            return list(self._items())
        return self._text(token) if token[0].startswith('"') else None

    def _members(self) -> Iterator[tuple[str, _Node]]:
        for token in self._until("}"):
            next(self._tokens)  # the colon
            yield self._text(token).value, self._value(next(self._tokens))

    def _items(self) -> Iterator[_Node]:
        for token in self._until("]"):
            yield self._value(token)

    def _until(self, end: str) -> Iterator[re.Match[str]]:
        for token in self._tokens:
            if token[0] == end:
                return
            if token[0] != ",":
                yield token

    def _text(self, token: re.Match[str]) -> _Text:
        return _Text(json.loads(token[0]), bisect_right(self._line_ends, token.start()) + 1)


def _cells(book: _Node) -> list[dict[str, _Node]]:
    holders = [book, *_list(_get(book, "worksheets"))]  # worksheets up to format 3
    found = [cell for holder in holders for cell in _list(_get(holder, "cells"))]
    return [cell for cell in found if isinstance(cell, dict)]


def _language(book: _Node, cells: list[dict[str, _Node]]) -> str:
    metadata = _get(book, "metadata")
    named = (
        _get(_get(metadata, "kernelspec"), "language"),
        _get(_get(metadata, "language_info"), "name"),
        *(cell.get("language") for cell in cells[:1]),
    )
    return next((_word(name).lower() for name in named if _word(name)), "python")


def _source_lines(cell: dict[str, _Node]) -> list[tuple[str, int]]:
    """(line of code, raw line); a string that does not end in LF goes on in the next one."""
    source = cell.get("source", cell.get("input"))
    pieces = [source] if isinstance(source, _Text) else _list(source)
    lines: list[tuple[str, int]] = []
    ended = True
    for piece in (each for each in pieces if isinstance(each, _Text)):
        for line in _kept(piece.value):
            if ended:
                lines.append((line.removesuffix("\n"), piece.line))
            else:
                lines[-1] = (lines[-1][0] + line.removesuffix("\n"), lines[-1][1])
            ended = line.endswith("\n")
    return lines


def _kept(text: str) -> list[str]:
    """Lines with their LF; str.splitlines would also cut at form feeds."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _without_magic(lines: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """IPython's own lines become blank; a cell in another language (%%bash) is left out."""
    first = next((line for line, _ in lines if line.strip()), "")
    if first.startswith("%%"):
        return []
    return [("" if _MAGIC.match(line) else line, number) for line, number in lines]


def _get(node: _Node, key: str) -> _Node:
    return node.get(key) if isinstance(node, dict) else None


def _list(node: _Node) -> list[_Node]:
    return node if isinstance(node, list) else []


def _word(node: _Node) -> str:
    return node.value if isinstance(node, _Text) else ""
