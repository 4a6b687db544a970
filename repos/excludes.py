"""gitignore patterns with git's own order: the last match decides, a closed folder stays closed.

pathspec translates a single pattern; folders are walked from the top here, because only then can
a negated pattern be told apart from one that git would never reach. Patterns come from
repositories and are hostile: what could make a regular expression slow is refused and named.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from pathspec.patterns.gitignore.base import GitIgnorePatternError
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

MAX_PATTERNS = 5_000
MAX_PATTERN_LENGTH = 500
# A segment with k stars costs about length ** k steps; three on a 255 byte name is still cheap.
MAX_STARS_IN_SEGMENT = 3
MAX_DOUBLE_STARS = 2
_STARS = re.compile(r"\*+")


@dataclass(frozen=True, slots=True)
class _Rule:
    text: str
    regex: re.Pattern[str]
    ignores: bool
    folders_only: bool


@dataclass(slots=True)
class PatternList:
    """One ignore file: `text` as it stands there, paths relative to the folder it lies in."""

    text: str
    refused: tuple[str, ...] = ()
    _rules: tuple[_Rule, ...] = ()
    _folders: dict[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lines = self.text.removeprefix("\ufeff").split("\n")
        parsed = [(line, _rule(line)) for line in lines[:MAX_PATTERNS] if _speaks(line)]
        self._rules = tuple(rule for _, rule in reversed(parsed) if rule)
        late = [line for line in lines[MAX_PATTERNS:] if _speaks(line)]
        self.refused = tuple([line for line, rule in parsed if rule is None] + late)

    def match(self, path: str) -> str | None:
        """The pattern that leaves the file out, or None."""
        folder, _, _ = path.rpartition("/")
        return self.closed_by(folder) or self.decide(path, is_folder=False)[0]

    def closed_by(self, folder: str) -> str | None:
        """The pattern that leaves out the folder or one above it; "" is the top."""
        if not folder or not self._rules:
            return None
        if folder not in self._folders:
            parent = folder.rpartition("/")[0]
            self._folders[folder] = self.closed_by(parent) or self.decide(folder, is_folder=True)[0]
        return self._folders[folder]

    def decide(self, path: str, *, is_folder: bool) -> tuple[str | None, bool]:
        """(pattern that leaves `path` itself out, whether any pattern spoke about it)."""
        for rule in self._rules:
            if (is_folder or not rule.folders_only) and _names(rule, path):
                return (rule.text if rule.ignores else None), True
        return None, False


class Excludes:
    """What people left out: repository settings and the repository's own .footnoteignore."""

    def __init__(self, settings: str = "", footnoteignore: str = "") -> None:
        self.settings = PatternList(settings)
        self.footnoteignore = PatternList(footnoteignore)

    def match(self, path: str) -> str | None:
        """Source and pattern ("settings: docs/"), or None when the file stays in."""
        for source, patterns in self._sources():
            if pattern := patterns.match(path):
                return f"{source}: {pattern}"
        return None

    @property
    def refused(self) -> tuple[str, ...]:
        """Patterns that were not understood or are too costly, with their source."""
        return tuple(f"{name}: {line}" for name, found in self._sources() for line in found.refused)

    def _sources(self) -> Iterator[tuple[str, PatternList]]:
        yield "settings", self.settings
        yield ".footnoteignore", self.footnoteignore


def _speaks(line: str) -> bool:
    return bool(line.strip()) and not line.startswith("#")


def _rule(line: str) -> _Rule | None:
    """None when the pattern is refused: malformed or too costly."""
    text = line.rstrip("\r\n")
    text = text if text.endswith("\\ ") else text.rstrip(" \t")
    bare = text.rstrip("/")
    if not bare.lstrip("!") or _is_costly(text):
        return None
    try:
        pattern = GitIgnoreSpecPattern(bare)
    except (GitIgnorePatternError, re.error):
        return None
    if pattern.regex is None or pattern.include is None:
        return None
    return _Rule(text, pattern.regex, pattern.include, text.endswith("/"))


def _is_costly(text: str) -> bool:
    segments = [_STARS.sub("*", part) for part in text.split("/")]
    doubles = sum(part == "**" for part in text.split("/"))
    too_many_stars = any(part.count("*") > MAX_STARS_IN_SEGMENT for part in segments)
    return len(text) > MAX_PATTERN_LENGTH or too_many_stars or doubles > MAX_DOUBLE_STARS


def _names(rule: _Rule, path: str) -> bool:
    """Whether the pattern names the path itself, not merely a folder above it."""
    found = rule.regex.search(path)
    if found is None:
        return False
    return found.groupdict().get("ps_d") is None
