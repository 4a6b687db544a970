"""Rows for tests of the explorer pages, from plain values: no import, no pipeline."""

from collections.abc import Mapping
from hashlib import sha1
from itertools import count
from typing import Any

from django.utils import timezone

from accounts.models import User
from indexing.models import Content, Finding, Symbol
from repos.models import File, Repository, Snapshot

COMMIT = "0123456789abcdef0123456789abcdef01234567"
_numbers = count(1)


def person(name: str, **fields: Any) -> User:
    return User.objects.create_user(name, password=None, **fields)


def repository_row(owner: User | None = None, slug: str = "thing", **fields: Any) -> Repository:
    row: dict[str, Any] = {
        "name": slug,
        "source": "git",
        "address": f"https://github.com/us/{slug}",
    } | fields
    row.setdefault("provider", "github")
    return Repository.objects.create(slug=slug, owner=owner, **row)


def publish(repository: Repository, number: int = 1, commit: str = COMMIT) -> Snapshot:
    repository.published_snapshot = number
    repository.save()
    files = File.objects.in_snapshot(repository.pk, number)
    return Snapshot.objects.create(
        repository=repository,
        number=number,
        commit=commit,
        state=Snapshot.State.PUBLISHED,
        published=timezone.now(),
        files=files.count(),
        indexed_files=files.filter(classification="indexed").count(),
    )


def add_file(repository: Repository, path: str, text: str | None = "", **fields: Any) -> File:
    """A file of snapshot 1 and on; `text` None: left out."""
    lines = 0 if text is None else text.count("\n") + bool(text and not text.endswith("\n"))
    row: dict[str, Any] = {
        "blob_sha": sha1((text or path).encode()).hexdigest(),
        "mode": "100644",
        "size": len((text or "").encode()),
        "lines": lines,
        "classification": "binary" if text is None else "indexed",
        "first_snapshot": 1,
    }
    file = File.objects.create(repository=repository, id=next(_numbers), path=path, **row | fields)
    if text is not None:
        Content.objects.create(
            repository=repository,
            file_id=file.id,
            text=text,
            encoding="utf-8",
            line_count=lines,
            scrub_version=1,
            index_version=1,
        )
    return file


def add_symbol(file: File, name: str, start: int, end: int, **fields: Any) -> Symbol:
    row: dict[str, Any] = {
        "qualified_name": name,
        "kind": "function",
        "signature": f"def {name}()",
        "doc": "",
    }
    row |= {"parent": "", "exported": True} | fields
    return Symbol.objects.create(
        repository_id=file.repository_id,
        id=next(_numbers),
        file_id=file.id,
        name=name,
        lead_line=start,
        start_line=start,
        name_line=start,
        end_line=end,
        **row,
    )


def add_redaction(file: File, line: int, start: int, end: int, kind: str) -> Finding:
    return Finding.objects.create(
        repository_id=file.repository_id,
        id=next(_numbers),
        file_id=file.id,
        line=line,
        start_col=start,
        end_col=end,
        kind=kind,
        action="redact",
        confidence="high",
        group=1,
        fingerprint=b"x" * 32,
    )


def published(
    files: Mapping[str, str | None], owner: User | None = None, **fields: Any
) -> Repository:
    """A repository with one published snapshot of these texts."""
    repository = repository_row(owner, **fields)
    for path, text in files.items():
        add_file(repository, path, text)
    publish(repository)
    return repository
