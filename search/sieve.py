"""A regular expression -> a simpler one for Postgres that finds at least the same texts.

The trigram index needs letters that a match must hold; of the pattern only those are kept,
with "anything in the line" between them, in the syntax that Postgres reads. So nothing of what
the two engines disagree about (`\\b`, `\\pL`, named groups) reaches the database. Pure.
"""

import re
from dataclasses import dataclass
from typing import Final

from search.exact_query import Needle

LONGEST = 300  # a longer sieve is cut at a gap: the index is not asked for hundreds of trigrams
MOST_CHOICES = 24
DEEPEST = 20
GAP: Final = ".*"
CHOICES: Final = "(?:"
IN_CASE: Final = "(?n)"
IN_ANY_CASE: Final = "(?in)"

# Three of these in a row make a trigram; other marks end a word for the index.
_TRIGRAM = re.compile(r"[^\W_]{3}")
_IGNORES_CASE = re.compile(r"\(\?[a-zA-Z]*i")
_GROUP = re.compile(r"\(\?(?:P?<\w+>|[a-zA-Z]*(?:-[a-zA-Z]+)?:)|\((?!\?)")
_FLAGS = re.compile(r"\(\?[a-zA-Z]*(?:-[a-zA-Z]+)?\)")
_REPEAT = re.compile(r"(?:[*+?]|\{(\d+)(?:,\d*)?\})")
_ESCAPE = re.compile(r"\\(?:[pP](?:\{[^}]*\}|.)|x(?:\{[^}]*\}|..)|[0-7]{1,3}|.)", re.DOTALL)
_CLASS = re.compile(r"\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]", re.DOTALL)
_QUOTED = re.compile(r"\\Q(.*?)(?:\\E|$)", re.DOTALL)


class Unreadable(Exception):
    """Nothing can be said of this pattern, so every text must be looked at."""


@dataclass(frozen=True, slots=True)
class Part:
    """What one piece of a pattern asks of a text; `useful` where it holds a trigram."""

    text: str
    useful: bool = False


ANYTHING = Part(GAP)
NOTHING = Part("")


def sieve_of(needles: tuple[Needle, ...]) -> str | None:
    """The sieve that says most, of all needles; None where none holds a trigram."""
    found = [sieve for needle in needles if (sieve := _sieve(needle))]
    return max(found, key=len, default=None)


def plain_of(needles: tuple[Needle, ...]) -> str | None:
    """The sieve without marks, where it is one text in its case: LIKE compares that in a third of
    the time."""
    sieve = sieve_of(needles)
    if sieve is None or not sieve.startswith(IN_CASE) or GAP in sieve or CHOICES in sieve:
        return None
    return re.sub(r"\\(.)", r"\1", sieve.removeprefix(IN_CASE))


def _sieve(needle: Needle) -> str | None:
    ignore_case = needle.ignore_case or bool(needle.is_regex and _IGNORES_CASE.search(needle.text))
    try:
        reader = _Reader(needle.text, ignore_case=ignore_case)
        part = reader.whole() if needle.is_regex else reader.literal(needle.text)
    except (Unreadable, IndexError):
        return None
    options = IN_ANY_CASE if ignore_case else IN_CASE
    return options + _trimmed(part.text) if part.useful else None


def _trimmed(text: str) -> str:
    """Gaps at the ends say nothing."""
    while text.startswith(GAP):
        text = text.removeprefix(GAP)
    while text.endswith(GAP) and not text.endswith("\\" + GAP):
        text = text.removesuffix(GAP)
    return text


class _Reader:
    """Reads a pattern that RE2 accepts, from left to right."""

    def __init__(self, pattern: str, *, ignore_case: bool) -> None:
        self._pattern = pattern
        self._at = 0
        self._ignore_case = ignore_case

    def whole(self) -> Part:
        part = self._choices(0)
        if self._at < len(self._pattern):
            raise Unreadable
        return part

    def literal(self, text: str) -> Part:
        return _joined([self._letter(letter) for letter in text])

    def _choices(self, depth: int) -> Part:
        if depth > DEEPEST:
            raise Unreadable
        choices = [self._sequence(depth)]
        while self._next() == "|":
            self._at += 1
            choices.append(self._sequence(depth))
        if len(choices) == 1:
            return choices[0]
        if len(choices) > MOST_CHOICES or not all(choice.useful for choice in choices):
            return ANYTHING
        return Part(f"{CHOICES}{'|'.join(choice.text for choice in choices)})", useful=True)

    def _sequence(self, depth: int) -> Part:
        parts: list[Part] = []
        while self._next() not in ("", "|", ")"):
            parts += self._repeated(self._atom(depth))
        return _joined(parts)

    def _next(self) -> str:
        return self._pattern[self._at : self._at + 1]

    def _take(self, expression: re.Pattern[str]) -> re.Match[str] | None:
        match = expression.match(self._pattern, self._at)
        if match:
            self._at = match.end()
        return match

    def _repeated(self, atom: Part) -> list[Part]:
        """The atom once, where it must occur at all, and then anything."""
        match = self._take(_REPEAT)
        if match is None:
            return [atom]
        if self._next() == "?":
            self._at += 1
        needed = match.group() == "+" or int(match[1] or 0) > 0
        return [atom, ANYTHING] if needed else [ANYTHING]

    def _atom(self, depth: int) -> Part:
        letter = self._next()
        if letter == "(":
            return self._group(depth)
        if letter == "[":
            if not self._take(_CLASS):
                raise Unreadable
            return ANYTHING
        if letter == "\\":
            return self._escape()
        self._at += 1
        if letter in "^$":
            return NOTHING
        return ANYTHING if letter == "." else self._letter(letter)

    def _group(self, depth: int) -> Part:
        if self._take(_FLAGS):
            return NOTHING
        if not self._take(_GROUP):
            raise Unreadable
        part = self._choices(depth + 1)
        if self._next() != ")":
            raise Unreadable
        self._at += 1
        return part

    def _escape(self) -> Part:
        if match := self._take(_QUOTED):
            return self.literal(match[1])
        match = self._take(_ESCAPE)
        if match is None:
            raise Unreadable
        letter = match.group()[1:]
        if letter in ("b", "B", "A", "z"):
            return NOTHING
        return ANYTHING if letter[0].isalnum() else self._letter(letter)

    def _letter(self, letter: str) -> Part:
        """Beyond ASCII the engines differ in what is the same letter in another case."""
        if not letter.isprintable() or (self._ignore_case and not letter.isascii()):
            return ANYTHING
        plain = letter.isalnum() or letter in " _" or not letter.isascii()
        return Part(letter if plain else "\\" + letter)


def _joined(parts: list[Part]) -> Part:
    text, useful, run = "", False, ""
    for part in parts:
        if part is NOTHING:
            continue
        if part is ANYTHING or len(text) + len(part.text) > LONGEST:
            text, run = text.removesuffix(GAP) + GAP, ""
            continue
        text, run = text + part.text, run + part.text
        useful = useful or part.useful or bool(_TRIGRAM.search(run))
    return Part(text, useful)
