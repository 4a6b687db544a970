"""One entry of an archive, and the rules its name must keep (pure)."""

import os
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import IO

MAX_NAME_BYTES = 255
MAX_PATH_BYTES = 1_000
LEFT_OUT = frozenset({".git", "__MACOSX", ".DS_Store"})
_DRIVE = re.compile(r"[A-Za-z]:")


class ArchiveRefused(Exception):
    """The archive is refused as a whole; the message names the entry and what to do.

    `code` is one of: not_an_archive, damaged, encrypted, unsupported, empty, unsafe_name, link,
    special_file, duplicate_name, too_many_entries, too_deep, too_large, bomb.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message

    @classmethod
    def empty(cls) -> "ArchiveRefused":
        return cls("empty", "The archive holds no files. Pack the repository's files.")

    @classmethod
    def too_large(cls, what: str, limit: int) -> "ArchiveRefused":
        rest = f"unpacks to more than {limit:,} bytes. Leave out what is not source and pack again."
        return cls("too_large", f"{what[:1].upper()}{what[1:]} {rest}")

    @classmethod
    def bomb(cls, name: str, ratio: int) -> "ArchiveRefused":
        return cls(
            "bomb",
            f"The archive unpacks to more than {ratio} times its size (at {name}). "
            "Leave that file out and pack again.",
        )

    @classmethod
    def too_many(cls, limit: int) -> "ArchiveRefused":
        return cls(
            "too_many_entries",
            f"The archive has more than {limit:,} entries. Leave out what is not source.",
        )


@dataclass(frozen=True, slots=True)
class ArchiveEntry:
    """`kind` is file, folder, link or special; `open` gives the unpacked bytes of a file."""

    name: str
    kind: str
    open: Callable[[], IO[bytes]]

    @property
    def is_folder(self) -> bool:
        return self.kind == "folder"


@dataclass(slots=True)
class Names:
    """Checks each name by itself and against the names before it."""

    max_depth: int
    _seen: dict[str, tuple[str, bool]] = field(default_factory=dict)

    def accept(self, entry: ArchiveEntry) -> tuple[str, ...]:
        """The parts of the path to write, () to leave the entry out; raises ArchiveRefused."""
        parts = self._safe_parts(entry.name)
        if not parts or not LEFT_OUT.isdisjoint(parts):
            return ()
        _check_kind(entry)
        for end in range(1, len(parts)):
            self._claim(parts[:end], entry.name, is_folder=True)
        self._claim(parts, entry.name, is_folder=entry.is_folder)
        return parts

    def _safe_parts(self, name: str) -> tuple[str, ...]:
        if problem := _name_problem(name):
            raise ArchiveRefused(
                "unsafe_name",
                f"Entry {shown(name)} {problem}. Pack the folder again with relative names.",
            )
        parts = tuple(part for part in name.split("/") if part not in {"", "."})
        if len(parts) > self.max_depth:
            raise ArchiveRefused(
                "too_deep",
                f"Entry {shown(name)} is more than {self.max_depth} folders deep. Leave it out.",
            )
        return parts

    def _claim(self, parts: tuple[str, ...], name: str, *, is_folder: bool) -> None:
        path = "/".join(parts)
        key = unicodedata.normalize("NFC", path).lower()
        if key not in self._seen:
            self._seen[key] = (path, is_folder)
            return
        known, was_folder = self._seen[key]
        if known == path and is_folder and was_folder:
            return
        what = "appears twice" if known == path else f"differs from {shown(known)} only by case"
        raise ArchiveRefused(
            "duplicate_name", f"Entry {shown(name)} {what}. Rename one of the two and pack again."
        )


def shown(name: str) -> str:
    """A name for a message: quoted, shortened, unprintable characters escaped."""
    text = name if len(name) <= 120 else f"{name[:80]}...{name[-37:]}"
    return '"' + "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text) + '"'


def _check_kind(entry: ArchiveEntry) -> None:
    if entry.kind == "link":
        raise ArchiveRefused(
            "link", f"Entry {shown(entry.name)} is a link. Pack again without links."
        )
    if entry.kind == "special":
        raise ArchiveRefused(
            "special_file",
            f"Entry {shown(entry.name)} is a device, pipe or other special file. Leave it out.",
        )


def _name_problem(name: str) -> str | None:
    if any(unicodedata.category(char) == "Cc" for char in name):
        return "has a control character in its name"
    if name.startswith("/") or _DRIVE.match(name):
        return "has an absolute name"
    if "\\" in name:
        return "has a backslash in its name"
    parts = name.split("/")
    if ".." in parts:
        return "leads out of the archive"
    too_long = any(len(os.fsencode(part)) > MAX_NAME_BYTES for part in parts)
    return "has too long a name" if too_long or len(os.fsencode(name)) > MAX_PATH_BYTES else None
