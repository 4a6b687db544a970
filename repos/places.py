"""Where a repository keeps its files below the data folder."""

from pathlib import Path

from django.conf import settings

from repos.models import Repository


def folder_of(repository: Repository) -> Path:
    return Path(settings.CLONES) / str(repository.pk)


def git_dir_of(repository: Repository) -> Path:
    """The bare clone of a git repository."""
    return folder_of(repository) / "git"


def archive_of(repository: Repository) -> Path:
    """The uploaded archive; its suffix is in the repository's address."""
    return folder_of(repository) / "archive"


def tree_of(repository: Repository, snapshot_number: int) -> Path:
    """The unpacked archive of one snapshot."""
    return folder_of(repository) / f"tree-{snapshot_number}"
