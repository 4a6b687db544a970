"""Brings the source of a repository onto the disk, and opens it for the walk."""

import hashlib
import shutil
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from repos import addresses, archives, folders, git, tokens
from repos.hosts import AddressRefused
from repos.models import Repository
from repos.places import archive_of, folder_of, git_dir_of, tree_of
from repos.sources import FolderSource, GitSource, Source


class FetchFailed(Exception):
    """The source cannot be had; `code` for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Fetched:
    """`commit` is "" for sources without one: their files decide (see `commit_of_files`)."""

    commit: str
    ref: str


def allowed_hosts() -> Collection[str]:
    return (*addresses.DEFAULT_HOSTS, *settings.GIT_HOSTS)


def token_keys() -> list[bytes]:
    return [tokens.derive_key(key) for key in settings.TOKEN_KEYS]


def fetch(
    repository: Repository,
    snapshot_number: int,
    *,
    progress: Callable[[str, int, int], None],
    cancelled: Callable[[], bool],
) -> Fetched:
    """Make the source readable by `open_source`; raises FetchFailed."""
    try:
        if repository.source == Repository.Source.GIT:
            return _fetch_git(repository, progress, cancelled)
        if repository.source == Repository.Source.ARCHIVE:
            return _unpack(repository, snapshot_number)
        return _folder(repository)
    except git.GitError as error:
        raise FetchFailed(error.code, str(error)) from error
    except (AddressRefused, folders.FolderRefused) as error:
        raise FetchFailed("refused", str(error)) from error
    except archives.ArchiveRefused as error:
        raise FetchFailed(error.code, str(error)) from error
    except tokens.TokenUnreadable as error:
        raise FetchFailed("auth", str(error)) from error


def _fetch_git(
    repository: Repository,
    progress: Callable[[str, int, int], None],
    cancelled: Callable[[], bool],
) -> Fetched:
    address = addresses.parse_address(repository.address, allowed_hosts=allowed_hosts())
    token = tokens.decrypt(bytes(repository.token), token_keys()) if repository.token else ""
    ca_file = Path(settings.GIT_CA_FILE) if settings.GIT_CA_FILE else None
    pinned = addresses.check_public(address, settings.GIT_HOSTS)
    if address.rest and not repository.ref:
        refs = git.list_refs(address.url, token=token, ca_file=ca_file, addresses=pinned)
        _settle_ref(repository, address, refs)
    clone = git.clone(
        address.url,
        git_dir_of(repository),
        ref=repository.ref,
        token=token,
        limits=git.GitLimits(
            seconds=float(settings.IMPORT_MAX_SECONDS), max_bytes=settings.IMPORT_MAX_BYTES
        ),
        ca_file=ca_file,
        addresses=pinned,
        progress=progress,
        cancelled=cancelled,
    )
    return Fetched(clone.commit, clone.ref)


def _settle_ref(repository: Repository, address: addresses.Address, refs: Collection[str]) -> None:
    """Where the branch of a pasted page ends; from now on the row holds it and the address."""
    try:
        full = address.resolved(refs).ref or ""
    except AddressRefused as error:
        raise FetchFailed("no_such_ref", str(error)) from error
    repository.address = address.url
    repository.ref = full.removeprefix("refs/heads/").removeprefix("refs/tags/")
    repository.save(update_fields=["address", "ref"])


def _unpack(repository: Repository, snapshot_number: int) -> Fetched:
    archive, tree = archive_of(repository), tree_of(repository, snapshot_number)
    if not archive.is_file():
        raise FetchFailed("not_found", "The uploaded archive is gone. Upload it again.")
    shutil.rmtree(tree, ignore_errors=True)
    limits = archives.ArchiveLimits(max_bytes=settings.IMPORT_MAX_BYTES)
    archives.unpack(archive, tree, limits)
    return Fetched("", "")


def _folder(repository: Repository) -> Fetched:
    folder = folders.resolve_folder(repository.address, settings.FOLDER_ROOTS)
    if not (folder / ".git").exists():
        return Fetched("", "")
    try:
        return Fetched(git.head_commit(git.git_dir_of(folder)), "")
    except git.GitError as error:
        if error.code != "empty":
            raise
        return Fetched("", "")


def open_source(repository: Repository, snapshot_number: int, commit: str) -> Source:
    """The source as `fetch` left it. Raises FetchFailed where it is no longer there."""
    if repository.source == Repository.Source.GIT:
        return GitSource(git_dir_of(repository), commit)
    if repository.source == Repository.Source.ARCHIVE:
        return FolderSource(tree_of(repository, snapshot_number))
    try:
        return FolderSource(folders.resolve_folder(repository.address, settings.FOLDER_ROOTS))
    except folders.FolderRefused as error:
        raise FetchFailed("refused", str(error)) from error


def commit_of_files(files: Collection[tuple[str, str]]) -> str:
    """A stand-in for a commit where there is none: SHA-1 over the sorted (path, blob) pairs."""
    digest = hashlib.sha1(usedforsecurity=False)
    for path, sha in sorted(files):
        digest.update(f"{sha} {path}\0".encode("utf-8", "surrogatepass"))
    return digest.hexdigest()


def forget_trees(repository: Repository, but: int) -> None:
    """Remove the unpacked archives of all snapshots except `but`."""
    for tree in folder_of(repository).glob("tree-*"):
        if tree.name != f"tree-{but}":
            shutil.rmtree(tree, ignore_errors=True)
