"""One way to read a repository, whether it came by git, as a folder or as an archive.

No Django here. A source lists its entries and gives their bytes; nothing in it is executed.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from repos import folders, git

UNREAD_SHA = "0" * 40  # of a file in a folder that is listed but never opened


class EntryUnreadable(Exception):
    """One entry cannot be read; the message is the reason shown beside it."""


@dataclass(frozen=True, slots=True)
class SourceEntry:
    """One path; `sha` is git's blob hash, or "" where only reading the file would tell.

    `ignored_by` and `problem` are as in folders.FolderEntry. `note` says where a link or a
    submodule leads.
    """

    path: bytes
    mode: str
    sha: str
    size: int
    ignored_by: str = ""
    problem: str = ""
    note: str = ""


class Reader(Protocol):
    def read(self, entry: SourceEntry, max_bytes: int) -> bytes:
        """The first `max_bytes` bytes; raises EntryUnreadable."""


class Source(Protocol):
    def entries(self) -> Sequence[SourceEntry]: ...

    def attributes(self, paths: Sequence[bytes]) -> Mapping[bytes, Mapping[str, str]]: ...

    def reader(self) -> AbstractContextManager[Reader]: ...


class _GitReader:
    def __init__(self, blobs: git.BlobReader) -> None:
        self._blobs = blobs

    def read(self, entry: SourceEntry, max_bytes: int) -> bytes:
        try:
            return self._blobs.read(entry.sha, max_bytes)
        except git.GitError as error:
            raise EntryUnreadable(str(error)) from error


class GitSource:
    """A commit in a bare repository of ours."""

    def __init__(self, git_dir: Path, commit: str) -> None:
        self._git_dir = git_dir
        self._commit = commit

    def entries(self) -> list[SourceEntry]:
        return [
            SourceEntry(
                path=entry.path,
                mode=entry.mode,
                sha=entry.sha,
                size=entry.size or 0,
                note=f"at commit {entry.sha}" if entry.type == "commit" else "",
            )
            for entry in git.list_tree(self._git_dir, self._commit)
        ]

    def attributes(self, paths: Sequence[bytes]) -> Mapping[bytes, Mapping[str, str]]:
        return git.check_attributes(self._git_dir, self._commit, paths)

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        with git.BlobReader(self._git_dir) as blobs:
            yield _GitReader(blobs)


class FolderSource:
    """A folder, or an unpacked archive: what is there now, not what a commit says.

    In a git checkout the files are the tracked ones and the untracked ones that are not
    ignored; elsewhere all, with .gitignore files obeyed.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def entries(self) -> list[SourceEntry]:
        found = folders.walk_folder(self._folder)
        if (self._folder / ".git").exists():
            return self._of_checkout({entry.path: entry for entry in found})
        return [self._entry(entry, entry.ignored_by) for entry in found]

    def _of_checkout(self, found: Mapping[bytes, folders.FolderEntry]) -> list[SourceEntry]:
        listed = git.list_worktree(self._folder)
        # Paths that git lists and the walk does not are nested repositories: submodules.
        return [
            self._entry(found[path], "")
            if path in found
            else SourceEntry(path, "160000", UNREAD_SHA, 0, note="a repository of its own")
            for path in listed
        ]

    @staticmethod
    def _entry(entry: folders.FolderEntry, ignored_by: str) -> SourceEntry:
        target = entry.link_target
        return SourceEntry(
            path=entry.path,
            mode=entry.mode,
            sha=git.blob_sha(target) if entry.is_link else "",
            size=entry.size,
            ignored_by=ignored_by,
            problem=entry.problem,
            note=f"leads to {target.decode(errors='backslashreplace')}" if entry.is_link else "",
        )

    def attributes(self, paths: Sequence[bytes]) -> Mapping[bytes, Mapping[str, str]]:
        return git.worktree_attributes(self._folder, paths)

    @contextmanager
    def reader(self) -> Iterator[Reader]:
        with folders.FolderReader(self._folder) as files:
            yield _FolderEntryReader(files)


class _FolderEntryReader:
    def __init__(self, files: folders.FolderReader) -> None:
        self._files = files

    def read(self, entry: SourceEntry, max_bytes: int) -> bytes:
        try:
            return self._files.read(entry.path, max_bytes)
        except folders.FileUnreadable as error:
            raise EntryUnreadable(str(error)) from error
