"""The parts of a printed answer, as its template reads them."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field

from answers.exports.lines import Row
from answers.marks import Span
from answers.models import Answer

MOST_ROWS = 4_000  # of code in one document, about sixty pages


@dataclass(frozen=True, slots=True)
class Source:
    """What was asked, at which commit; `url` is its page on the code host, "" without one."""

    name: str
    commit: str
    published: dt.datetime | None
    url: str


@dataclass(frozen=True, slots=True)
class PrintedStatement:
    """`head` is the symbol and path where a new piece of evidence begins, else empty."""

    kind: str
    spans: Sequence[Span]
    numbers: Sequence[int]
    rows: Sequence[Row] = ()
    head: tuple[str, str] | None = None

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True)
class PrintedPiece:
    place: str
    symbol: str
    source: str
    commit: str
    url: str
    notes: Sequence[tuple[int, str]]  # footnote, its verdict in words
    rows: Sequence[Row]


@dataclass(frozen=True, slots=True)
class PrintedAnswer:
    """`place` counts from 1 in the document: footnotes of two answers have different anchors."""

    place: int
    answer: Answer
    question: str
    asked_by: str
    label: str
    steps: str
    words: Sequence[str]  # what was searched
    notes: Sequence[str]
    why: str  # it abstained
    reason: str  # there are extracts although a model is set up, or nothing
    advice: Sequence[str]
    sources: Sequence[Source]
    statements: Sequence[PrintedStatement]
    pieces: Sequence[PrintedPiece]
    deleted: int

    @property
    def abstained(self) -> bool:
        return self.answer.state == Answer.State.ABSTAINED

    @property
    def is_broken_off(self) -> bool:
        return self.answer.state not in {Answer.State.DONE, Answer.State.ABSTAINED}


@dataclass(frozen=True, slots=True)
class Document:
    title: str
    created: dt.datetime
    answers: Sequence[PrintedAnswer]
    lines_out: int = 0  # of code that had no room
    answers_out: int = 0

    @property
    def is_conversation(self) -> bool:
        return len(self.answers) > 1 or self.answers_out > 0


@dataclass(slots=True)
class Room:
    """Rows of code that the document may still have, and the lines that had to stay out."""

    left: int = MOST_ROWS
    lines_out: int = field(default=0)

    def holds(self, found: Sequence[Row]) -> bool:
        if len(found) > self.left:
            self.left = 0  # what follows stays out too: no gaps in the middle
            self.lines_out += 1
            return False
        self.left -= len(found)
        return True
