"""Stored texts as they may be sent to a model: what is only flagged is covered as well."""

from collections.abc import Iterable

from indexing.models import Content, Finding
from indexing.records import FindingRecord
from indexing.scrub import redact_flagged
from indexing.scrub_policy import settings_of
from repos.models import Repository

Key = tuple[int, int]  # repository, file


def covered_texts(keys: Iterable[Key]) -> dict[Key, str]:
    """By the setting of each repository; lines and columns stay what they are."""
    wanted = sorted(set(keys))
    rows = Content.objects.filter(pk__in=wanted).values_list("repository_id", "file_id", "text")
    flagged = _flagged(wanted)
    return {
        (repository, file): redact_flagged(text, flagged.get((repository, file), []))
        for repository, file, text in rows
    }


def _flagged(keys: list[Key]) -> dict[Key, list[FindingRecord]]:
    covering = [
        one.pk
        for one in Repository.objects.filter(pk__in={repository for repository, _ in keys})
        if settings_of(one).cover_flagged
    ]
    rows = Finding.objects.filter(
        repository__in=covering, file_id__in=[file for _, file in keys], action=Finding.Action.FLAG
    )
    found: dict[Key, list[FindingRecord]] = {}
    for row in rows:
        record = FindingRecord(
            row.line, row.start_col, row.end_col, row.kind, row.action, row.confidence, row.group,
            bytes(row.fingerprint),
        )  # fmt: skip
        found.setdefault((row.repository_id, row.file_id), []).append(record)
    return found
