"""Which files a snapshot must derive, and their bytes."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from indexing.deriving import INDEX_VERSION, SCRUB_VERSION, FileInput
from indexing.models import Content
from indexing.policy_changes import touched_files
from indexing.scrub_policy import fingerprint_keys
from indexing.scrubbing.policy import key_id
from repos.classify import Classification
from repos.fetching import open_source
from repos.git import blob_sha
from repos.models import File, Repository, Snapshot
from repos.sources import EntryUnreadable, SourceEntry

Report = Callable[[str, str], None]  # (path, why it was left out)


def outdated_files(repository: Repository, *, every: bool) -> frozenset[int]:
    """Row numbers of live files whose derived rows are missing or made by other rules, another
    policy or another key (or all).

    A file without rows is one that was lost in the run before: it gets another try.
    """
    live = File.objects.filter(
        repository=repository,
        last_snapshot__isnull=True,
        classification=Classification.INDEXED,
        lines__gt=0,
    )
    if every:
        return frozenset(live.values_list("id", flat=True))
    live = live.exclude(_has_content(scrub_version=SCRUB_VERSION, index_version=INDEX_VERSION))
    touched = touched_files(repository, key_id=key_id(fingerprint_keys()[0]))
    return frozenset(live.values_list("id", flat=True)) | touched


@dataclass(frozen=True, slots=True)
class FilesToDerive:
    """`inputs` reads the bytes one file after the other; `count` is how many there are."""

    snapshot: Snapshot
    rows: tuple[File, ...]
    report: Report
    begun: Mapping[str, str]

    @property
    def numbers(self) -> dict[str, int]:
        """Row numbers of the files whose very bytes are being derived already, by path."""
        return {row.path: row.id for row in self.rows if self.begun.get(row.path) == row.blob_sha}

    @property
    def count(self) -> int:
        return len(self.rows)

    def inputs(self) -> Iterator[FileInput]:
        snapshot = self.snapshot
        source = open_source(snapshot.repository, snapshot.number, snapshot.commit)
        begun = self.numbers
        with source.reader() as reader:
            for row in self.rows:
                if row.path in begun:
                    continue
                raw = bytes(row.raw_path) if row.raw_path is not None else row.path.encode()
                entry = SourceEntry(raw, row.mode, row.blob_sha, row.size)
                try:
                    data = reader.read(entry, settings.FILE_MAX_BYTES + 1)
                except EntryUnreadable as error:
                    self.report(row.path, str(error))
                    continue
                if blob_sha(data) == row.blob_sha:
                    yield FileInput(row.id, row.path, data)
                else:  # a folder goes on living; lines must be those of the hash beside them
                    self.report(row.path, _("It was changed while it was being indexed."))


def files_to_derive(
    snapshot: Snapshot, report: Report, begun: Mapping[str, str] | None = None
) -> FilesToDerive:
    """The snapshot's new indexed files without rows, in order of path.

    `begun` are those that the children have been given during the walk, as of DerivePool.
    """
    rows = File.objects.filter(
        repository_id=snapshot.repository_id,
        first_snapshot=snapshot.number,
        classification=Classification.INDEXED,
        lines__gt=0,
    ).exclude(_has_content())
    return FilesToDerive(snapshot, tuple(rows.order_by("path")), report, begun or {})


def _has_content(**rules: int) -> Exists:
    """An anti-join where it is excluded; NOT IN would read its list once a file."""
    mine = {"repository_id": OuterRef("repository_id"), "file_id": OuterRef("id")}
    return Exists(Content.objects.filter(**mine, **rules))
