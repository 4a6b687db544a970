"""Folders a person may choose for an import: one level, inside the configured roots."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from repos.folders import FolderRefused, resolve_folder

ROWS = 500


@dataclass(frozen=True, slots=True)
class FolderChoice:
    """`path` is "" at the top, where the roots are listed; `above` is where up leads."""

    path: str
    above: str
    folders: tuple[str, ...]
    more: bool
    problem: str = ""

    @property
    def rows(self) -> list[tuple[str, str]]:
        """(name, full path); the roots go by their full path."""
        return [(path if not self.path else Path(path).name, path) for path in self.folders]


def choose_folder(path: str) -> FolderChoice:
    """What lies below `path`; an unusable one is named and the roots are listed instead."""
    roots = [str(root) for root in settings.FOLDER_ROOTS]
    if not path:
        return FolderChoice("", "", tuple(roots), more=False)
    try:
        folder = resolve_folder(path, settings.FOLDER_ROOTS)
        found = sorted(_below(folder), key=str.lower)
    except (FolderRefused, OSError) as error:
        words = str(error) if isinstance(error, FolderRefused) else (error.strerror or "")
        return FolderChoice("", "", tuple(roots), more=False, problem=words)
    above = "" if folder in _real_roots() else str(folder.parent)
    return FolderChoice(str(folder), above, tuple(found[:ROWS]), more=len(found) > ROWS)


def _real_roots() -> set[Path]:
    return {Path(os.path.realpath(root)) for root in settings.FOLDER_ROOTS}


def _below(folder: Path) -> Iterator[str]:
    """Folders that a page can write and an address can hold; hidden ones and links are not."""
    with os.scandir(folder) as entries:
        for entry in entries:
            shown = entry.name.isprintable() and not entry.name.startswith(".")
            if shown and entry.is_dir(follow_symlinks=False):
                yield entry.path
