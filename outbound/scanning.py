"""The look at everything that goes out and comes in. Scrubbing is to the right of this app
(indexing), which registers its scan when it is ready; without one nothing is sent."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.core.exceptions import ImproperlyConfigured
from django.utils.translation import gettext as _

# What scrubbing leaves in the place of a value (indexing/scrubbing/marks.py); those that are too
# short for the word are not counted.
PLACEHOLDER = re.compile(r"\[REDACTED(?::[A-Z0-9_]+)?\]")


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that looks like a secret or like personal data: what it is, never the value."""

    kind: str
    line: int  # of the scanned text, from 1


Scan = Callable[[str], Sequence[Hit]]
# Makes the scan for a call that sends lines of these repositories, by their rules.
Maker = Callable[[Sequence[int]], Scan]
_makers: list[Maker] = []


def register(maker: Maker) -> None:
    """Use this for everything from now on; called once, by AppConfig.ready of indexing."""
    _makers[:] = [maker]


def scan_for(repositories: Sequence[int]) -> Scan:
    if not _makers:
        raise ImproperlyConfigured("No scan is registered: nothing may be sent to a model.")
    return _makers[0](repositories)


def found_in(texts: Iterable[str], scan: Scan) -> str:
    """What looks like a secret in one of the texts, in words without the value; else ""."""
    for text in texts:
        if hits := scan(text):
            words = {"kind": hits[0].kind, "line": hits[0].line}
            message = _("line %(line)d of the text looks like a secret or personal data (%(kind)s)")
            return message % words
    return ""


def count_placeholders(text: str) -> int:
    return sum(1 for _ in PLACEHOLDER.finditer(text))


class ReplyGuard:
    """Lets a streamed reply through word by word, each only after a look at it and at what came
    before it: a secret is held until it is whole, and then found. `feed` and `rest` give the text
    that may be passed on, or the first hit.

    An object of JSON that is closed behind a string or a list ends a word too: with it a statement
    of a reply is whole, which should not wait for the next one, nor for the provider to hang up.
    """

    ENDS = re.compile(r"[ \n\t]|[\"\]]\}")
    BEFORE = 1_000  # characters that are looked at again, for what depends on its surroundings
    LONGEST_WORD = 4_000

    def __init__(self, scan: Scan) -> None:
        self._scan = scan
        self._passed = ""
        self._held = ""

    def feed(self, text: str) -> str | Hit:
        self._held += text
        end = max((found.end() for found in self.ENDS.finditer(self._held)), default=0)
        if len(self._held) > self.LONGEST_WORD:
            end = max(end, len(self._held) - self.BEFORE)
        return self._release(end) if end else ""

    def rest(self) -> str | Hit:
        return self._release(len(self._held))

    def _release(self, end: int) -> str | Hit:
        ready = self._held[:end]
        if hits := self._scan(self._passed + ready):
            return hits[0]
        self._held = self._held[end:]
        self._passed = (self._passed + ready)[-self.BEFORE :]
        return ready
