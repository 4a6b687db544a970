"""Definitions in SQL of any dialect: each CREATE is one symbol, and their lines do not overlap.

A scanner of the few words that matter: grammars know one dialect and lose the rest of the
file at the first statement of another.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass

from indexing.parsing.wording import signature
from indexing.readers.lines import (
    MAX_NAME,
    doc_of,
    indent_rows,
    last_code_line,
    lines_of,
    parsed_lines,
)
from indexing.readers.sql_tokens import (
    GOES_ON,
    OBJECT,
    TRANSACTION,
    delimiters_of,
    name_parts,
    tokens,
)
from indexing.records import ParsedFile, SymbolKind, SymbolRecord

KINDS = {
    "table": SymbolKind.TABLE,
    "view": SymbolKind.VIEW,
    "trigger": SymbolKind.TRIGGER,
    "type": SymbolKind.TYPE,
    "domain": SymbolKind.TYPE,
    "package": SymbolKind.MODULE,
    "schema": SymbolKind.MODULE,
}
ROUTINES = frozenset({"function", "procedure", "proc", "macro", "trigger", "package"})
CUT_AT_BRACKET = frozenset({SymbolKind.TABLE, SymbolKind.TYPE})
COMMENT = ("--", "/*", "*")
MAX_SYMBOLS = 20_000
HEAD_CHARS = 2_000


@dataclass(slots=True)
class _Open:
    """The definition being read; offsets into the text. `head_end` is where its body begins."""

    kind: SymbolKind
    name: str
    start: int
    name_start: int
    routine: bool
    depth: int = 0
    head_end: int = 0
    declares: bool = False
    begun: bool = False
    quoted: bool = False


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.lines = lines_of(text)
        self.newlines = [match.start() for match in re.finditer("\n", text)]
        self.delimiters = delimiters_of(text)
        self.delimiter = ";"
        self.batches = False
        self.open: _Open | None = None
        self.after = 0  # end of the last comment or stop: a CREATE behind it begins a statement
        self.after_as = -1
        self.comments: dict[int, int] = {}
        self.symbols: list[SymbolRecord] = []

    def read(self) -> None:
        pattern = tokens(self.delimiters)
        found = list(pattern.finditer(self.text))
        self.batches = any(token.lastgroup == "batch" for token in found)
        for token in found:
            handler = HANDLERS.get(token.lastgroup or "")
            if handler:
                handler(self, token)
        self._close(len(self.text))

    def _line(self, offset: int) -> int:
        return bisect_right(self.newlines, offset - 1) + 1

    def comment(self, token: re.Match[str]) -> None:
        start = self.text.rfind("\n", 0, token.start()) + 1
        if not self.text[start : token.start()].strip():
            self.comments[self._line(token.end() - 1)] = self._line(token.start())
        self.after = token.end()

    def dollar(self, token: re.Match[str]) -> None:
        self._quote(token)

    def string(self, token: re.Match[str]) -> None:
        if self.after_as >= 0 and not self.text[self.after_as : token.start()].strip():
            self._quote(token)

    def _quote(self, token: re.Match[str]) -> None:
        if self.open:
            self.open.quoted = True
            self._head(token.start())

    def command(self, token: re.Match[str]) -> None:
        self._close(token.start())
        self.delimiter = token[0].split()[1]
        self.after = token.end()

    def batch(self, token: re.Match[str]) -> None:
        self._close(token.start())
        self.after = token.end()

    def open_bracket(self, token: re.Match[str]) -> None:
        if self.open and self.open.kind in CUT_AT_BRACKET:
            self._head(token.start())

    def word(self, token: re.Match[str]) -> None:
        word = token[0].lower()
        if word == "create":
            self._create(token)
        elif self.open is None or token.start() < self.open.name_start:
            return
        elif word in {"as", "is"}:
            self._as(token)
        elif self.open.routine and not TRANSACTION.match(self.text, token.end()):
            self.open.begun |= word == "begin"
            self.open.depth += 1
            if word == "begin":
                self._head(token.start())

    def _as(self, token: re.Match[str]) -> None:
        self.after_as = token.end()
        if self.open and self.open.kind not in CUT_AT_BRACKET:
            self.open.declares = True
            self._head(token.start())

    def _head(self, offset: int) -> None:
        if self.open and not self.open.head_end and offset > self.open.name_start:
            self.open.head_end = offset

    def end(self, token: re.Match[str]) -> None:
        closes = token[0].split()[1:] in ([], ["CASE"], ["case"])
        if self.open and closes:
            self.open.depth = max(self.open.depth - 1, 0)

    def stop(self, token: re.Match[str]) -> None:
        self.after = token.end()
        if self.open and self._ends(self.open, token):
            self._close(token.end() if token[0] == ";" else token.start())

    def _ends(self, one: _Open, token: re.Match[str]) -> bool:
        if token[0] != self.delimiter:
            return False
        if not one.routine or token[0] != ";" or one.quoted:
            return True
        if one.depth or (self.batches and one.declares):
            return False
        return not (one.declares and not one.begun and self._goes_on(token.end()))

    def _goes_on(self, offset: int) -> bool:
        word = GOES_ON.search(self.text, offset)
        return word is not None and word[0].lower() == "begin"

    def _create(self, token: re.Match[str]) -> None:
        line_start = self.text.rfind("\n", 0, token.start()) + 1
        if self.text[max(line_start, self.after) : token.start()].strip():
            return
        inside = self.open is not None and self.open.routine and not self.open.quoted
        if inside and self.open and (self.open.depth or self.open.declares):
            # Only another routine at the margin shows that the body was left open.
            found = OBJECT.match(self.text, token.start())
            if found is None or token.start() != line_start or not _resumes(found):
                return
        self._close(token.start())
        found = OBJECT.match(self.text, token.start())
        if found and len(self.symbols) < MAX_SYMBOLS:
            self.open = _opened(found)

    def _close(self, end: int) -> None:
        one, self.open = self.open, None
        if one is not None:
            self.symbols.append(self._record(one, end))

    def _record(self, one: _Open, end: int) -> SymbolRecord:
        start_line = lead = self._line(one.start)
        while lead - 1 in self.comments:
            lead = self.comments[lead - 1]
        last = min(self._line(max(end - 1, one.start)), len(self.lines))
        parts = name_parts(one.name)
        head = self.text[one.start : min(one.head_end or end, one.start + HEAD_CHARS)]
        return SymbolRecord(
            name=parts[-1][:MAX_NAME],
            qualified_name=".".join(parts)[: 2 * MAX_NAME],
            kind=one.kind,
            signature=signature(head.encode("utf-8", "replace")),
            doc=doc_of(self.lines, lead, start_line),
            lead_line=lead,
            start_line=start_line,
            name_line=self._line(one.name_start),
            end_line=last_code_line(self.lines, start_line, last, COMMENT),
            parent="",
            exported=True,
        )


def _resumes(found: re.Match[str]) -> bool:
    return found["kind"].lower().split()[-1] in ROUTINES | {"view"}


def _opened(found: re.Match[str]) -> _Open:
    word = found["kind"].lower().split()[-1]
    return _Open(
        kind=KINDS.get(word, SymbolKind.FUNCTION),
        name=found["name"],
        start=found.start(),
        name_start=found.start("name"),
        routine=word in ROUTINES or found["body"] is not None,
        depth=1 if word == "package" or found["body"] else 0,
    )


HANDLERS = {
    "comment": _Scanner.comment,
    "string": _Scanner.string,
    "dollar": _Scanner.dollar,
    "command": _Scanner.command,
    "batch": _Scanner.batch,
    "open": _Scanner.open_bracket,
    "word": _Scanner.word,
    "end": _Scanner.end,
    "stop": _Scanner.stop,
}


def read(text: str) -> ParsedFile:
    symbols: tuple[SymbolRecord, ...] = ()
    if "create" in text.lower():
        scanner = _Scanner(text)
        scanner.read()
        symbols = tuple(scanner.symbols)
    return parsed_lines(symbols, _rows(text, symbols))


def _rows(text: str, symbols: tuple[SymbolRecord, ...]) -> dict[int, int]:
    """Statements at depth 0; lines inside a statement or definition lie deeper."""
    rows = indent_rows(text)
    lines = text.split("\n")
    inside = {row for one in symbols for row in range(one.start_line, one.end_line)}
    heads = {one.start_line - 1 for one in symbols}
    for row, spaces in rows.items():
        above = lines[row - 1].strip() if row else ""
        begins = row in heads or (
            row not in inside and not spaces and (not above or above.endswith(";"))
        )
        rows[row] = 0 if begins else spaces + 1
    return rows
