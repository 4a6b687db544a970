"""The paths of a repository, looked up by ending in constant time."""

import posixpath
from collections import defaultdict
from collections.abc import Collection, Iterable

MANY = 200  # equally named files; more than that and a bare name says nothing


class PathIndex:
    """Built once a snapshot, in time linear in the paths."""

    def __init__(self, paths: Collection[str]) -> None:
        self.paths = frozenset(paths)
        self.directories: dict[str, list[str]] = defaultdict(list)
        self._around: set[str] | None = None
        self._by_name: dict[str, list[str]] = defaultdict(list)
        self._by_two: dict[str, list[str]] = defaultdict(list)
        for path in sorted(self.paths):
            parts = path.split("/")
            self.directories["/".join(parts[:-1])].append(path)
            self._by_name[parts[-1]].append(path)
            self._by_two["/".join(parts[-2:])].append(path)

    def is_directory(self, path: str) -> bool:
        """Whether files lie in it, at whatever depth."""
        if self._around is None:
            self._around = {one for path in self.directories for one in (path, *ancestors(path))}
        return path in self._around

    def first(self, candidates: Iterable[str]) -> str | None:
        return next((path for path in candidates if path in self.paths), None)

    def ending(self, suffix: str) -> list[str]:
        """All paths that are the suffix or end in "/" and it."""
        parts = suffix.split("/")
        table = self._by_name if len(parts) == 1 else self._by_two
        found = table.get("/".join(parts[-2:]), [])
        if len(found) > MANY:
            return []
        return [path for path in found if path == suffix or path.endswith("/" + suffix)]


def nearest(from_path: str, candidates: Collection[str]) -> str | None:
    """The candidate that shares most directories; None when two share as many."""
    if len(candidates) <= 1:
        return next(iter(candidates), None)
    shared = {path: _shared(from_path, path) for path in candidates}
    best = max(shared.values())
    winners = [path for path, count in shared.items() if count == best]
    return winners[0] if len(winners) == 1 else None


def _shared(one: str, other: str) -> int:
    count = 0
    for left, right in zip(one.split("/")[:-1], other.split("/")[:-1], strict=False):
        if left != right:
            break
        count += 1
    return count


def joined(directory: str, relative: str) -> str | None:
    """The normal path of one file relative to a directory; None outside the repository."""
    path = posixpath.normpath(posixpath.join(directory, relative))
    return None if path.startswith(("..", "/")) else path.removeprefix("./")


def ancestors(path: str) -> list[str]:
    """The directories around a file, nearest first; "" is the root."""
    parts = path.split("/")[:-1]
    return ["/".join(parts[:length]) for length in range(len(parts), -1, -1)]


def under(directory: str, name: str) -> str:
    return f"{directory}/{name}" if directory else name
