"""What people decided about findings, ready to be asked for each match of a rule.

A review speaks of one kind only, so that it never uncovers what another rule has found.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache

import re2

_REGEX_CHARACTERS = frozenset("\\.+*?^$(){}[]|")


class Decision(StrEnum):
    CONFIRMED = "confirmed"
    DISMISSED = "dismissed"


@dataclass(frozen=True, slots=True)
class PathReview:
    """`pattern` is what `path_pattern` makes of the path or glob that was chosen."""

    kind: str
    pattern: str
    decision: Decision


@dataclass(frozen=True, slots=True)
class Reviews:
    """The more precise review counts: a value before a path before a kind, then the newer one."""

    values: Mapping[tuple[str, bytes], Decision] = field(default_factory=dict, repr=False)
    paths: tuple[PathReview, ...] = ()  # newest first
    kinds: Mapping[str, Decision] = field(default_factory=dict)

    @property
    def kinds_with_values(self) -> frozenset[str]:
        return frozenset(kind for kind, _ in self.values)

    def of_path(self, path: str) -> dict[str, Decision]:
        """By kind, what was decided for a file as a whole."""
        decided = dict(self.kinds)
        for review in reversed(self.paths):
            if matches_path(review.pattern, path):
                decided[review.kind] = review.decision
        return decided


NO_REVIEWS = Reviews()


def path_pattern(glob: str) -> str:
    """A regular expression for whole paths: `*` within a folder, `**` across them, `?` one sign,
    a backslash before any of them the sign itself. It means the same to RE2 and to Postgres."""
    parts, at = ["^"], 0
    while at < len(glob):
        if glob.startswith("**/", at):
            parts.append("(.*/)?")
            at += 3
        elif glob.startswith("**", at):
            parts.append(".*")
            at += 2
        elif glob[at] == "\\" and at + 1 < len(glob):
            parts.append(_literal(glob[at + 1]))
            at += 2
        else:
            parts.append(_one(glob[at]))
            at += 1
    return "".join([*parts, "$"])


def _one(sign: str) -> str:
    if sign == "*":
        return "[^/]*"
    if sign == "?":
        return "[^/]"
    return _literal(sign)


def _literal(sign: str) -> str:
    return f"\\{sign}" if sign in _REGEX_CHARACTERS else sign


def exact_path(path: str) -> str:
    """The glob that stands for this path alone: its own stars and question marks stay signs."""
    return "".join(f"\\{sign}" if sign in "*?\\" else sign for sign in path)


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> "re2._Regexp":
    options = re2.Options()
    options.dot_nl = True
    options.log_errors = False
    return re2.compile(pattern, options)


def matches_path(pattern: str, path: str) -> bool:
    return _compiled(pattern).search(path.encode("utf-8", "replace")) is not None
