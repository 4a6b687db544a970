"""A value that was redacted once is redacted wherever else it stands in the same text."""

import re
from collections.abc import Collection, Iterable, Iterator

from ahocorasick_rs import AhoCorasick, MatchKind

# Shorter values are words too often.
LEAST = 8
# Longer ones are the rest of a file; an automaton of that size costs more than it can find.
MOST = 20_000
# An automaton over more values than this would take more memory than one more pass takes time.
_BATCH = 20_000
# So few are searched for one by one: an automaton is made in more time than that.
_FEW = 8
# The automaton takes UTF-8, which has no lone surrogates.
_SURROGATE = re.compile("[\ud800-\udfff]")


def _is_telling(value: str) -> bool:
    """A plain word that someone took as a password is left alone elsewhere."""
    if not LEAST <= len(value) <= MOST:
        return False
    return not (value.isalpha() and value.islower()) and not value.isspace()


def _plain(text: str) -> str:
    return text if text.isascii() else _SURROGATE.sub("?", text)


def repeats(text: str, values: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """(value, start, end) of every place in `text` where one of the values stands; of those that
    overlap, the first and longest."""
    wanted = {_plain(v): v for v in values if _is_telling(v)}
    if len(wanted) <= _FEW:
        yield from _of_few(text, wanted.values())
        return
    patterns = sorted(wanted)
    haystack = _plain(text)
    for first in range(0, len(patterns), _BATCH):
        batch = patterns[first : first + _BATCH]
        automaton = AhoCorasick(batch, matchkind=MatchKind.LeftmostLongest)
        for index, start, end in automaton.find_matches_as_indexes(haystack):
            yield wanted[batch[index]], start, end


def _of_few(text: str, values: Collection[str]) -> Iterator[tuple[str, int, int]]:
    done = 0
    ahead = {value: text.find(value) for value in values}
    while ahead:
        ahead = {v: at if at >= done else text.find(v, done) for v, at in ahead.items() if at >= 0}
        start, negative, value = min(
            ((at, -len(v), v) for v, at in ahead.items() if at >= 0), default=(-1, 0, "")
        )
        if start < 0:
            return
        done = start - negative
        yield value, start, done
