"""Small builders of real rows for tests: people, repositories, and indexed text.

`index_files` runs the real pipeline on a real folder, in this process, without a worker.
"""

import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.contrib.auth.models import Group

from accounts.models import User
from indexing.jobs import index_repository
from indexing.models import IndexRun
from indexing.runs import start_run
from repos.models import Repository

PASSWORD = "a long enough password"


def person(username: str, **extra: Any) -> User:
    return User.objects.create_user(username=username, password=PASSWORD, **extra)


def administrator(username: str = "admin") -> User:
    return User.objects.create_superuser(username=username, password=PASSWORD)


def repository_for(
    owner: User | None, *members: User, slug: str = "lib", **extra: Any
) -> Repository:
    """A repository that its owner and the given members see, and nobody else."""
    defaults = {"name": slug, "source": Repository.Source.FOLDER, "address": f"/srv/{slug}"}
    repository = Repository.objects.create(
        slug=slug, owner=owner, everyone=False, **{**defaults, **extra}
    )
    group = Group.objects.create(name=f"readers of {slug}")
    repository.groups.add(group)
    for member in members:
        member.groups.add(group)
    return repository


def write_files(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        data = content if isinstance(content, bytes) else content.encode()
        target.write_bytes(data)
    return folder


def index(repository: Repository, **options: Any) -> IndexRun:
    """One whole run in this process; the run as it ended, the repository refreshed."""
    run = start_run(repository, **options)
    index_repository(run.pk)
    run.refresh_from_db()
    repository.refresh_from_db()
    return run


def zip_of(files: Mapping[str, str | bytes]) -> io.BytesIO:
    """An archive as code hosts make them: everything below one folder."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for path, content in files.items():
            archive.writestr(f"main/{path}", content)
    packed.seek(0)
    return packed
