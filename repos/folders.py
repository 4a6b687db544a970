"""Plain folders as a source: where they may lie, what is in them, and reading one file safely.

Somebody else may change the folder while it is read. Every step down is an open relative to the
folder above with O_NOFOLLOW, so that a link swapped in between is refused, not followed.
"""

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import Self

from repos.excludes import PatternList

MAX_ENTRIES = 500_000
MAX_DEPTH = 200  # each level holds one descriptor
MAX_IGNORE_FILE_BYTES = 512 * 1024

_NO_NAMES = frozenset({b"", b".", b".."})
_OPEN_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# O_NONBLOCK: the open of a named pipe must not wait for a writer.
_OPEN_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC


class FolderRefused(Exception):
    """The folder is not imported; the message says why and what to do."""


class FileUnreadable(Exception):
    """One file cannot be read; the message is the reason shown beside it."""


@dataclass(frozen=True, slots=True)
class FolderEntry:
    """One path below the folder; `path` uses "/" and is relative.

    `mode` is git's ("100644", "100755", "120000"). `ignored_by` is "" or the .gitignore and the
    pattern in it that leave the file out. `problem` is "" or why the path cannot be read: then it
    may also be a folder, a socket or a pipe.
    """

    path: bytes
    size: int
    mode: str
    is_link: bool = False
    link_target: bytes = b""
    ignored_by: str = ""
    problem: str = ""

    @property
    def ignored(self) -> bool:
        return bool(self.ignored_by)


def resolve_folder(text: str, roots: Sequence[Path]) -> Path:
    """The real path of a folder inside one of the roots; raises FolderRefused."""
    if not roots:
        raise FolderRefused(
            "Importing folders is switched off. Set FOOTNOTE_FOLDER_ROOTS to the folders below "
            "which repositories may be read."
        )
    if "\x00" in text or not Path(text).is_absolute():
        raise FolderRefused("Give the full path of the folder, beginning with a slash.")
    real = _real(Path(text))
    if not any(real.is_relative_to(_real(root)) for root in roots):
        raise FolderRefused(
            f"{_shown(text)} is outside the folders that may be imported. An administrator can "
            "add one to FOOTNOTE_FOLDER_ROOTS."
        )
    return _readable_folder(real, text)


def walk_folder(folder: Path, max_entries: int = MAX_ENTRIES) -> list[FolderEntry]:
    """Every file and link below a plain folder in byte order, ignored ones marked; no .git."""
    entries: list[FolderEntry] = []
    try:
        top = os.open(folder, _OPEN_FOLDER)
    except OSError as error:
        raise FolderRefused(f"{_shown(str(folder))}: {_told(error)}.") from error
    for entry in _walk(top, "", _Ignores()):
        entries.append(entry)
        if len(entries) > max_entries:
            raise FolderRefused(
                f"More than {max_entries:,} files. Import a folder further down, or delete what "
                "does not belong to the repository."
            )
    return sorted(entries, key=lambda entry: entry.path)


class FolderReader:
    """Reads many files of a folder; use as a context manager.

    The folders on the way to the last file stay open: the next one mostly lies beside it.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._open: list[tuple[bytes, int]] = []  # (name, descriptor) from the top down

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._close(0)

    def read(self, path: bytes, max_bytes: int) -> bytes:
        """The bytes of a regular file; raises FileUnreadable."""
        *parents, name = path.split(b"/")
        if any(part in _NO_NAMES or b"\x00" in part for part in (*parents, name)):
            raise FileUnreadable("not a path inside the folder")
        try:
            return _read_regular(self._descend([b"", *parents]), name, max_bytes)
        except OSError as error:
            raise FileUnreadable(_told(error)) from error

    def _descend(self, names: list[bytes]) -> int:
        """The open folder; `names` begins with "", which is the top."""
        pairs = zip(self._open, names, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0][0] == pair[1], pairs))
        self._close(same)
        for name in names[same:]:
            if self._open:
                descriptor = os.open(name, _OPEN_FOLDER, dir_fd=self._open[-1][1])
            else:
                descriptor = os.open(self._folder, _OPEN_FOLDER)
            self._open.append((name, descriptor))
        return self._open[-1][1]

    def _close(self, kept: int) -> None:
        while len(self._open) > kept:
            os.close(self._open.pop()[1])


def _real(path: Path) -> Path:
    # realpath, unlike Path.resolve, does not raise where links go in circles.
    return Path(os.path.realpath(path))


def _readable_folder(real: Path, text: str) -> Path:
    try:
        found = real.stat()
    except OSError as error:
        raise FolderRefused(f"{_shown(text)}: {_told(error)}.") from error
    if not stat.S_ISDIR(found.st_mode):
        raise FolderRefused(f"{_shown(text)} is a file. Give the folder that holds it.")
    if not os.access(real, os.R_OK | os.X_OK):
        raise FolderRefused(f"{_shown(text)} may not be read by the user that runs the worker.")
    return real


def _shown(text: str) -> str:
    """A path for a message: unprintable characters escaped."""
    return "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)


def _told(error: OSError) -> str:
    """The system's own words, without the path that may lie outside what a person may see."""
    return (error.strerror or type(error).__name__).lower()


@dataclass(frozen=True, slots=True)
class _Ignores:
    """The ignore files from the top down to here, and what closed this folder ("" if open)."""

    files: tuple[tuple[str, PatternList], ...] = ()
    closed_by: str = ""

    def with_file(self, folder: str, text: str) -> "_Ignores":
        return _Ignores((*self.files, (folder, PatternList(text))), self.closed_by)

    def decide(self, path: str, *, is_folder: bool) -> str:
        """As in git: a closed folder stays closed, else the deepest file that speaks decides."""
        if self.closed_by:
            return self.closed_by
        for base, patterns in reversed(self.files):
            pattern, spoke = patterns.decide(path[len(base) :], is_folder=is_folder)
            if spoke:
                return f"{base}.gitignore: {pattern}" if pattern else ""
        return ""

    def below(self, folder: str) -> "_Ignores":
        return _Ignores(self.files, self.decide(folder, is_folder=True))


def _walk(descriptor: int, folder: str, ignores: _Ignores) -> Iterator[FolderEntry]:
    """Walk an open folder and close it. `folder` is "" or ends in a slash."""
    try:
        with os.scandir(descriptor) as listing:
            names = sorted(entry.name for entry in listing)
        if ".gitignore" in names:
            ignores = ignores.with_file(folder, _ignore_text(descriptor))
        for name in names:
            if name != ".git":
                yield from _entry(descriptor, folder, name, ignores)
    except OSError as error:
        yield FolderEntry(os.fsencode(folder.rstrip("/")), 0, "040000", problem=_told(error))
    finally:
        os.close(descriptor)


def _entry(parent: int, folder: str, name: str, ignores: _Ignores) -> Iterator[FolderEntry]:
    path = os.fsencode(folder + name)
    try:
        found = os.stat(name, dir_fd=parent, follow_symlinks=False)
        if stat.S_ISDIR(found.st_mode):
            yield from _enter(parent, folder + name, name, ignores)
        else:
            yield _listed(
                parent, folder + name, found, ignores.decide(folder + name, is_folder=False)
            )
    except OSError as error:
        yield FolderEntry(path, 0, "100644", problem=_told(error))


def _enter(parent: int, path: str, name: str, ignores: _Ignores) -> Iterator[FolderEntry]:
    if path.count("/") + 1 >= MAX_DEPTH:
        problem = f"more than {MAX_DEPTH} folders deep"
        yield FolderEntry(os.fsencode(path), 0, "040000", problem=problem)
        return
    yield from _walk(os.open(name, _OPEN_FOLDER, dir_fd=parent), path + "/", ignores.below(path))


def _listed(parent: int, path: str, found: os.stat_result, ignored_by: str) -> FolderEntry:
    raw = os.fsencode(path)
    if stat.S_ISLNK(found.st_mode):
        target = os.fsencode(os.readlink(path.rpartition("/")[2], dir_fd=parent))
        return FolderEntry(raw, len(target), "120000", True, target, ignored_by)
    if not stat.S_ISREG(found.st_mode):
        return FolderEntry(raw, 0, "100644", problem="not a regular file: never opened")
    mode = "100755" if found.st_mode & stat.S_IXUSR else "100644"
    return FolderEntry(raw, found.st_size, mode, ignored_by=ignored_by)


def _ignore_text(parent: int) -> str:
    """ "" for an ignore file that is a link, a pipe or unreadable, as git treats it."""
    try:
        data = _read_regular(parent, b".gitignore", MAX_IGNORE_FILE_BYTES)
    except (OSError, FileUnreadable):
        return ""
    return data.decode("utf-8", "surrogateescape")


def _read_regular(parent: int, name: bytes, max_bytes: int) -> bytes:
    # Looked at first: opening a device can already do something.
    if not stat.S_ISREG(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode):
        raise FileUnreadable("not a regular file")
    descriptor = os.open(name, _OPEN_FILE, dir_fd=parent)
    try:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise FileUnreadable("not a regular file")
        data = _read_to_end(descriptor, found.st_size + 1, max_bytes + 1)
    finally:
        os.close(descriptor)
    if len(data) > max_bytes:
        raise FileUnreadable(f"more than {max_bytes:,} bytes")
    return data


def _read_to_end(descriptor: int, block: int, most: int) -> bytes:
    """Without a buffer between, whose making costs more than reading a small file."""
    data = os.read(descriptor, min(block, most))
    while len(data) < most and (more := os.read(descriptor, min(block, most - len(data)))):
        data += more
    return data
