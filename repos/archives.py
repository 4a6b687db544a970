"""Unpack an uploaded archive, or refuse it as a whole and leave nothing on disk.

Nothing an archive says about itself is trusted: bytes are counted while they are written, names
are checked before anything is made, and files are created relative to open folders without
following links.
"""

import os
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from repos.archive_entries import ArchiveEntry, ArchiveRefused, Names, shown
from repos.archive_formats import named_faults, open_archive

__all__ = ["ArchiveLimits", "ArchiveRefused", "Unpacked", "unpack"]

_CHUNK = 256 * 1024
# Small texts compress a thousandfold; a ratio means something only beyond this many bytes.
RATIO_FROM_BYTES = 32 * 1024 * 1024
LISTED_BYTES = 256 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """`max_bytes` counts unpacked bytes, `max_ratio` unpacked bytes for each archive byte."""

    max_entries: int = 100_000
    max_bytes: int = 2 * 1024**3
    max_file_bytes: int = 512 * 1024**2
    max_ratio: int = 200
    max_depth: int = 64


@dataclass(frozen=True, slots=True)
class Unpacked:
    """What was written; `top_folder` is the one folder that held everything, or ""."""

    files: int
    bytes: int
    top_folder: str


def unpack(archive: Path, target: Path, limits: ArchiveLimits) -> Unpacked:
    """Unpack into `target`, which must not exist yet; raises ArchiveRefused.

    A single top folder is stripped. `.git`, `__MACOSX` and `.DS_Store` are left out.
    """
    if os.path.lexists(target):
        raise FileExistsError(f"{target} exists already")
    target.parent.mkdir(parents=True, exist_ok=True)
    staging = Path(tempfile.mkdtemp(prefix=".unpack-", dir=target.parent))
    try:
        written = _write_all(archive, staging, limits)
        top = _single_folder(staging)
        (staging / top if top else staging).rename(target)
    finally:
        if staging.exists():
            shutil.rmtree(staging)
    return Unpacked(written.files, written.bytes, top)


def check(archive: Path, limits: ArchiveLimits) -> None:
    """Refuse what the listing alone shows; nothing is written. Raises ArchiveRefused.

    Quick enough for a request: of a tar, whose listing is spread over it, only the first
    LISTED_BYTES are looked at. What the listing hides, `unpack` finds.
    """
    names = Names(limits.max_depth)
    files = 0
    try:
        with named_faults():
            for entry in open_archive(archive, limits.max_entries, LISTED_BYTES):
                if names.accept(entry) and not entry.is_folder:
                    entry.open().close()  # says so where it is encrypted
                    files += 1
    except ArchiveRefused as error:
        if error.code != "too_large" or not files:
            raise
    if not files:
        raise ArchiveRefused.empty()


@dataclass(slots=True)
class _Written:
    """Running totals against the limits."""

    limits: ArchiveLimits
    archive_bytes: int
    files: int = 0
    bytes: int = 0

    def add(self, count: int, entry_bytes: int, name: str) -> None:
        self.bytes += count
        if entry_bytes > self.limits.max_file_bytes:
            raise ArchiveRefused.too_large(name, self.limits.max_file_bytes)
        if self.bytes > self.limits.max_bytes:
            raise ArchiveRefused.too_large("the archive", self.limits.max_bytes)
        ratio_limit = self.limits.max_ratio * self.archive_bytes
        if self.bytes > max(ratio_limit, RATIO_FROM_BYTES):
            raise ArchiveRefused.bomb(name, self.limits.max_ratio)


def _write_all(archive: Path, staging: Path, limits: ArchiveLimits) -> _Written:
    written = _Written(limits, archive.stat().st_size)
    names = Names(limits.max_depth)
    top = os.open(staging, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        with named_faults():
            for entry in open_archive(archive, limits.max_entries, limits.max_bytes):
                parts = names.accept(entry)
                if parts and not entry.is_folder:
                    _write(top, parts, entry, written)
    finally:
        os.close(top)
    if not written.files:
        raise ArchiveRefused.empty()
    return written


def _write(top: int, parts: tuple[str, ...], entry: ArchiveEntry, written: _Written) -> None:
    parent = _make_folders(top, parts[:-1])
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        descriptor = os.open(parts[-1], flags, 0o600, dir_fd=parent)
    finally:
        os.close(parent)
    with open(descriptor, "wb") as out, entry.open() as source:  # noqa: PTH123 - a descriptor
        _copy(source, out, shown(entry.name), written)
    written.files += 1


def _copy(source: IO[bytes], out: IO[bytes], name: str, written: _Written) -> None:
    total = 0
    while block := source.read(_CHUNK):
        total += len(block)
        written.add(len(block), total, name)
        out.write(block)


def _make_folders(top: int, folders: tuple[str, ...]) -> int:
    """Open the innermost folder, making what is missing; the caller closes it."""
    current = os.dup(top)
    try:
        for name in folders:
            _make_folder(name, current)
            flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
            below = os.open(name, flags, dir_fd=current)
            os.close(current)
            current = below
    except OSError:
        os.close(current)
        raise
    return current


def _make_folder(name: str, parent: int) -> None:
    try:
        os.mkdir(name, 0o700, dir_fd=parent)
    except FileExistsError:
        return  # an earlier entry made it; a link in its place is refused by the open that follows


def _single_folder(staging: Path) -> str:
    names = list(staging.iterdir())
    return names[0].name if len(names) == 1 and names[0].is_dir() else ""
