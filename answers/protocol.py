"""The reply of a model: JSON in a fixed shape, read while it arrives. Pure.

    {"answerable": true, "statements": [
        {"type": "prose|heading|code", "text": "…",
         "citations": [{"label": "…", "start": 1, "end": 2, "quote": "…"}]}]}

A statement is given out as soon as its last brace is there. What surrounds the JSON (fences,
chatter, an envelope with other keys) is passed over, and a reply that breaks off keeps the
statements before the break. The shape itself is strict: what does not fit becomes a Fault.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from answers.drafts import Claim, Draft, Kind
from answers.marks import one_line, visible

MOST_STATEMENTS = 40
MOST_CITATIONS = 12  # of one statement
MOST_TEXT = 2_000  # characters of a statement's text
MOST_QUOTE = 4_000
MOST_REPLY = 60_000  # characters that are read at all
HEADING_CHARS = 80
LAST_LINE = 10_000_000
NAMED_KEYS, NAMED_CHARS = 5, 40  # of an object that is not what was asked for
# A reply is stuck where it ends in the same characters over and over.
STUCK_CHARS = 400  # that are one piece again and again
STUCK_TIMES = 4
STUCK_PIECE = 200  # the longest piece that is looked for
LOOK_CHARS = 100  # between two looks

_CITATION = {
    "type": "object",
    "properties": {
        "label": {"type": "string"},
        "start": {"type": "integer"},
        "end": {"type": "integer"},
        "quote": {"type": "string"},
    },
    "required": ["label", "start", "end", "quote"],
    "additionalProperties": False,
}
_STATEMENT = {
    "type": "object",
    "properties": {
        "type": {"type": "string", "enum": ["prose", "heading", "code"]},
        "text": {"type": "string"},
        "citations": {"type": "array", "items": _CITATION},
    },
    "required": ["type", "text", "citations"],
    "additionalProperties": False,
}
SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "answerable": {"type": "boolean"},
        "statements": {"type": "array", "items": _STATEMENT},
    },
    "required": ["answerable", "statements"],
    "additionalProperties": False,
}

_MARKS = re.compile(r'["{}]')
_NEXT = re.compile(r"\s*\S")
_STRING_END = re.compile(r'["\\]')
_BAD_ESCAPE = re.compile(r'\\(?![\\"/bfnrtu])|\\u(?![0-9a-fA-F]{4})')
_GOOD_ESCAPE = re.compile(r'\\(?:[\\"/bfnrt]|u[0-9a-fA-F]{4})')
_UNANSWERABLE = re.compile(r'"answerable"\s*:\s*false')


class Fault(StrEnum):
    SHAPE = "shape"
    EMPTY = "empty"
    TOO_LONG = "too_long"


@dataclass(frozen=True, slots=True)
class Proposed:
    """One statement as it came, counted from 1; either a draft or why it is none."""

    number: int
    draft: Draft | None
    fault: Fault | None = None


@dataclass(slots=True)
class ReplyParser:
    """Feed it the pieces of one reply, then finish it. `sent` are texts that the model was sent:
    what repeats itself there may do so in the reply."""

    sent: Sequence[str] = ()
    proposed: int = 0
    read: int = 0
    is_broken: bool = False  # the JSON was not closed; known when finished
    _text: str = ""
    _at: int = 0  # up to where `_text` has been looked at
    _open: list[int] = field(default_factory=list)  # where objects began that are still open
    _in_string: bool = False
    _answerable: bool = True
    _cites: bool = False
    is_stuck: bool = False  # goes round in circles, as small models do
    _looked: int = 0

    @property
    def text(self) -> str:
        """What has been read."""
        return self._text

    @property
    def is_full(self) -> bool:
        """Whether reading on is for nothing."""
        return self.is_stuck or self.read >= MOST_REPLY or self.proposed >= MOST_STATEMENTS

    @property
    def says_unanswerable(self) -> bool:
        """The model says that the lines hold no answer, and cites none of them."""
        return not self._answerable and not self._cites

    def feed(self, piece: str) -> Iterator[Proposed]:
        taken = piece[: max(MOST_REPLY - self.read, 0)]
        self.read += len(taken)
        self._text += taken
        yield from self._look()
        if len(self._text) - self._looked >= LOOK_CHARS:
            self._looked = len(self._text)
            self.is_stuck = goes_round(self._text) and not self._is_copied()

    def finish(self) -> Iterator[Proposed]:
        """What can still be saved where the text around the JSON held a lone brace or quote."""
        self.is_broken = bool(self._open)
        if self._open and _UNANSWERABLE.search(self._text[self._open[0] :]):
            self._answerable = False
        starts = [match.start() for match in re.finditer(r"\{\s*\"", self._text)]
        for start in starts[:MOST_STATEMENTS]:
            if self.proposed:
                return
            self._at, self._open, self._in_string = start, [], False
            yield from self._look()

    def _is_copied(self) -> bool:
        """Whether the end of the text stands so in what was sent: tables of zeros, rulers."""
        end = _unescaped(self._text[-STUCK_CHARS // 2 :])
        return any(end in " ".join(text.split()) for text in self.sent)

    def _look(self) -> Iterator[Proposed]:
        while not self.is_full:
            if self._in_string:
                if not self._skip_string():
                    return
                continue
            match = _MARKS.search(self._text, self._at)
            if match is None:
                self._at = len(self._text)
                return
            self._at = match.end()
            if match[0] == "{" and not (begins := self._begins_object()):
                if begins is None:
                    self._at = match.start()  # look again with the next piece
                    return
                continue
            yield from self._mark(match[0])

    def _begins_object(self) -> bool | None:
        """Whether a key or the end follows the brace, which it does not in chatter and code."""
        match = _NEXT.match(self._text, self._at)
        return match[0][-1] in '"}' if match else None

    def _mark(self, mark: str) -> Iterator[Proposed]:
        if mark == "{":
            self._open.append(self._at - 1)
        elif mark == '"':
            # Quotation marks before the JSON are chatter.
            self._in_string = bool(self._open)
        elif self._open:
            yield from self._close(self._text[self._open.pop() : self._at])

    def _skip_string(self) -> bool:
        """Go behind the end of the string; False where that has not come yet."""
        while match := _STRING_END.search(self._text, self._at):
            if match[0] == '"':
                self._at = match.end()
                self._in_string = False
                return True
            if match.end() == len(self._text):
                self._at = match.start()  # what is escaped comes with the next piece
                return False
            self._at = match.end() + 1
        self._at = len(self._text)
        return False

    def _close(self, text: str) -> Iterator[Proposed]:
        found = _object(text)
        if found is None:
            return
        if "statements" in found or "answerable" in found:
            self._answerable = found.get("answerable") is not False
        elif "text" in found or "type" in found:
            self.proposed += 1
            self._cites = self._cites or bool(found.get("citations"))
            yield _proposed(self.proposed, found)


def goes_round(text: str) -> bool:
    """Whether the end of the text is one short piece, repeated."""
    for size in range(1, STUCK_PIECE + 1):
        times = max(STUCK_TIMES, -(-STUCK_CHARS // size))
        if text.endswith(text[-size:] * times):
            return True
    return False


def _unescaped(text: str) -> str:
    """A piece of a JSON string as what it says, white space folded."""
    try:
        found = str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        found = text.replace("\\n", "\n").replace('\\"', '"')
    return " ".join(found.split())


def what_is_wrong(text: str) -> str:
    """Why no statement was found in a reply, in words for the model that wrote it."""
    if not text.strip():
        return "It was empty."
    if (start := text.find("{")) < 0:
        return "It holds no JSON object."
    try:
        found, _end = json.JSONDecoder(strict=False).raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        return f"Its JSON cannot be read ({getattr(error, 'msg', 'too deep')})."
    keys = ", ".join(json.dumps(key[:NAMED_CHARS]) for key in list(found)[:NAMED_KEYS])
    if "statements" in found:
        return 'Its "statements" are no list of objects with "type", "text" and "citations".'
    return f'Its JSON object has {f"the keys {keys}" if keys else "no keys"} and no "statements".'


def _object(text: str) -> dict[str, Any] | None:
    for tried in (text, _escaped(text)):
        try:
            found = json.loads(tried, strict=False)
        except (ValueError, RecursionError):
            continue
        return found if isinstance(found, dict) else None
    return None


def _escaped(text: str) -> str:
    r"""With lone backslashes doubled: models quote `\d` as it stands in the code."""
    parts = []
    at = 0
    for match in _GOOD_ESCAPE.finditer(text):
        parts += [_BAD_ESCAPE.sub(r"\\\\", text[at : match.start()]), match[0]]
        at = match.end()
    return "".join([*parts, _BAD_ESCAPE.sub(r"\\\\", text[at:])])


def _proposed(number: int, found: Mapping[str, Any]) -> Proposed:
    draft = _draft(found)
    return Proposed(number, None, draft) if isinstance(draft, Fault) else Proposed(number, draft)


def _draft(found: Mapping[str, Any]) -> Draft | Fault:
    kind, text, citations = found.get("type"), found.get("text"), found.get("citations", [])
    if kind not in {Kind.PROSE, Kind.HEADING, Kind.CODE}:
        return Fault.SHAPE
    if not isinstance(text, str) or not isinstance(citations, list):
        return Fault.SHAPE
    claims = [_claim(one) for one in citations]
    kept = [claim for claim in claims if claim is not None]
    if len(kept) < len(claims) or len(claims) > MOST_CITATIONS:
        return Fault.SHAPE
    shown = _code(text) if kind == Kind.CODE else one_line(text)
    if not re.search(r"\w", shown):
        return Fault.EMPTY
    if len(shown) > (HEADING_CHARS if kind == Kind.HEADING else MOST_TEXT):
        return Fault.TOO_LONG
    return Draft(Kind(kind), shown, tuple(kept))


def _claim(found: object) -> Claim | None:
    if not isinstance(found, dict):
        return None
    label, start, end, quote = (found.get(key) for key in ("label", "start", "end", "quote"))
    if not isinstance(label, str) or not isinstance(quote, str) or len(quote) > MOST_QUOTE:
        return None
    first, last = _line(start), _line(end)
    if first is None or last is None:
        return None
    return Claim(label.strip(), first, last, quote)


def _line(value: object) -> int | None:
    """A whole number; `true` is none, and what is huge is no line of ours."""
    if isinstance(value, bool) or not isinstance(value, int) or abs(value) >= LAST_LINE:
        return None
    return value


def _code(text: str) -> str:
    """Without the fence that models put around code inside the string as well."""
    lines = visible(text.replace("\r\n", "\n")).strip("\n").split("\n")
    if len(lines) > 1 and lines[0].lstrip().startswith("```") and lines[-1].strip() == "```":
        lines = lines[1:-1]
    return "\n".join(lines).strip("\n")
