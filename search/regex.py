"""Finds the lines of a text that hold a pattern, in time linear in the text whatever the pattern.

RE2 does it: it has no back-references and no look-around, and in return nothing that is typed
here can run for ever. A pattern sees one line at a time: `^` and `$` are the ends of a line,
and nothing matches across one.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import re2
from django.utils.translation import gettext as _

from search.exact_query import Needle
from search.snippets import SCAN_CHARS, Matcher, Span

MEMORY = 4 << 20  # bytes that one pattern may use; a larger one is refused
LINE_SPANS = 50


class PatternRefused(Exception):
    """The message says what is wrong with a pattern, and where."""


class Finder:
    """A needle, ready to be looked for. Raises PatternRefused."""

    def __init__(self, needle: Needle) -> None:
        options = re2.Options()
        options.max_mem = MEMORY
        options.never_nl = True
        options.never_capture = True
        options.log_errors = False
        options.case_sensitive = not needle.ignore_case
        pattern = needle.text if needle.is_regex else re2.escape(needle.text)
        try:
            self._found = re2.compile("(?m)" + pattern, options)
        except re2.error as error:
            said = error.args[0].decode(errors="replace")
            raise PatternRefused(explained(needle.text, said)) from error
        # re2 keeps the last 128 patterns of everybody, each with its memory.
        re2.purge()

    def lines(self, data: bytes, *, most: int) -> list[int]:
        """The numbers of the first `most` lines that hold it; `data` is UTF-8 without CR LF."""
        numbers: list[int] = []
        at, line, counted = 0, 1, 0
        while len(numbers) < most and (match := self._found.search(data, at)):
            start = match.start()
            if start == len(data) and data.endswith(b"\n"):
                break  # behind the last line
            line += data.count(b"\n", counted, start)
            counted = start
            numbers.append(line)
            end = data.find(b"\n", start)
            if end < 0:
                break
            at = end + 1
        return numbers

    def spans(self, line: str) -> list[Span]:
        found = self._found.finditer(line[:SCAN_CHARS])
        pairs = (match.span() for match, _ in zip(found, range(LINE_SPANS), strict=False))
        return [(start, end) for start, end in pairs if end > start]


class NeedleMatcher(Matcher):
    """Marks what the needles find in a line."""

    def __init__(self, finders: Sequence[Finder]) -> None:
        super().__init__()
        self._finders = finders

    def literal_spans(self, line: str) -> list[Span]:
        spans = sorted(span for finder in self._finders for span in finder.spans(line))
        apart: list[Span] = []
        for start, end in spans:
            if apart and start < apart[-1][1]:
                apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
            else:
                apart.append((start, end))
        return apart


def lines_with_all(finders: Sequence[Finder], text: str, *, most: int) -> list[int]:
    """The lines that hold any needle of a text that holds all; else none."""
    data = text.replace("\r\n", "\n").encode()
    found: set[int] = set()
    for finder in finders:
        lines = finder.lines(data, most=most)
        if not lines:
            return []
        found.update(lines)
    return sorted(found)[:most]


def explained(pattern: str, error: str) -> str:
    """What RE2 says, in words, with the place: `In /a(b/ at 2: ...`."""
    kind, _sep, piece = error.partition(": ")
    piece = piece.removeprefix("(?m)")
    say = _REASONS.get(kind)
    reason = say(piece) if say else error
    if kind in _WHOLE:
        return _("The pattern /%(pattern)s/ was refused: %(reason)s") % {
            "pattern": pattern,
            "reason": reason,
        }
    return _("The pattern /%(pattern)s/ is wrong at character %(at)d: %(reason)s") % {
        "pattern": pattern,
        "at": _place(pattern, kind, piece),
        "reason": reason,
    }


def _place(pattern: str, kind: str, piece: str) -> int:
    """Counted from 1. RE2 quotes the piece; for brackets it quotes all, and they are counted."""
    if kind == "missing )":
        return _bracket(pattern, unopened=False)
    if kind == "unexpected )":
        return _bracket(pattern, unopened=True)
    return max(pattern.rfind(piece) if kind == "missing ]" else pattern.find(piece), 0) + 1


_BRACKETS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|[()]", re.DOTALL)


def _bracket(pattern: str, *, unopened: bool) -> int:
    opened: list[int] = []
    for match in _BRACKETS.finditer(pattern):
        if match.group() == "(":
            opened.append(match.start() + 1)
        elif match.group() == ")" and opened:
            opened.pop()
        elif match.group() == ")" and unopened:
            return match.start() + 1
    return opened[-1] if opened else 1


def _fixed(text: Callable[[], str], _piece: str) -> str:
    return text()


def _operator(piece: str) -> str:
    if re.match(r"\(\?<?[=!]", piece):
        return _("%(piece)s looks around, which is not supported.") % {"piece": piece}
    return _("%(piece)s is no group or flag that is known.") % {"piece": piece}


def _escape(piece: str) -> str:
    if re.match(r"\\[1-9]", piece):
        said = _("%(piece)s refers back to a group, which is not supported.")
    else:
        said = _("%(piece)s is no escape that is known.")
    return said % {"piece": piece}


_WHOLE = frozenset({"pattern too large - compile failed", "expression nests too deeply"})
_REASONS: Mapping[str, Callable[[str], str]] = {
    "missing )": partial(_fixed, lambda: _("this ( is never closed; \\( is the character.")),
    "unexpected )": partial(_fixed, lambda: _("this ) was never opened; \\) is the character.")),
    "missing ]": partial(_fixed, lambda: _("this [ is never closed; \\[ is the character.")),
    "trailing \\": partial(_fixed, lambda: _("nothing follows the last \\.")),
    "no argument for repetition operator": lambda piece: (
        _("there is nothing before %(piece)s that it could repeat.") % {"piece": piece}
    ),
    "bad repetition operator": lambda piece: (
        _("%(piece)s repeats what is repeated already.") % {"piece": piece}
    ),
    "invalid repetition size": lambda piece: (
        _(
            "%(piece)s: at most 1,000 repetitions, all that are nested multiplied, and the "
            "smaller number first."
        )
        % {"piece": piece}
    ),
    "invalid character class range": lambda piece: (
        _("%(piece)s is no range or class of characters.") % {"piece": piece}
    ),
    "invalid named capture group": lambda piece: (
        _("%(piece)s is no name for a group.") % {"piece": piece}
    ),
    "invalid perl operator": _operator,
    "invalid escape sequence": _escape,
    "pattern too large - compile failed": partial(
        _fixed, lambda: _("it is too large; repeat less, or look for a part of it.")
    ),
    "expression nests too deeply": partial(_fixed, lambda: _("its groups are nested too deeply.")),
}
