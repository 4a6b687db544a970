"""Which files a snapshot must derive, and their bytes."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from django.conf import settings
from django.db.models import Q

from indexing.deriving import INDEX_VERSION, SCRUB_VERSION, FileInput
from indexing.models import Content
from indexing.scrubbing.policy import Policy
from repos.classify import Classification
from repos.fetching import open_source
from repos.models import File, Repository, Snapshot
from repos.sources import EntryUnreadable, SourceEntry

Failures = Iterable[tuple[str, str]]


def scrub_policy() -> Policy:
    return Policy(key=settings.FINGERPRINT_KEY.encode())


def outdated_files(repository: Repository, *, every: bool) -> frozenset[int]:
    """Row numbers of live files whose derived rows other rules have made (or all of them)."""
    rows = Content.objects.filter(repository=repository)
    if not every:
        rows = rows.exclude(scrub_version=SCRUB_VERSION, index_version=INDEX_VERSION)
    return frozenset(rows.values_list("file_id", flat=True))


@dataclass(frozen=True, slots=True)
class FilesToDerive:
    """`inputs` reads the bytes one file after the other; `count` is how many there are."""

    snapshot: Snapshot
    rows: tuple[File, ...]
    report: Callable[[Failures], None]

    @property
    def count(self) -> int:
        return len(self.rows)

    def inputs(self) -> Iterator[FileInput]:
        snapshot = self.snapshot
        source = open_source(snapshot.repository, snapshot.number, snapshot.commit)
        with source.reader() as reader:
            for row in self.rows:
                raw = bytes(row.raw_path) if row.raw_path is not None else row.path.encode()
                entry = SourceEntry(raw, row.mode, row.blob_sha, row.size)
                try:
                    data = reader.read(entry, settings.FILE_MAX_BYTES + 1)
                except EntryUnreadable as error:
                    self.report([(row.path, str(error))])
                    continue
                yield FileInput(row.id, row.path, data)


def files_to_derive(snapshot: Snapshot, report: Callable[[Failures], None]) -> FilesToDerive:
    """The snapshot's new indexed files without rows, source code first, in order of path."""
    done = Content.objects.filter(repository_id=snapshot.repository_id).values("file_id")
    rows = File.objects.filter(
        Q(lines__gt=0),
        repository_id=snapshot.repository_id,
        first_snapshot=snapshot.number,
        classification=Classification.INDEXED,
    ).exclude(id__in=done)
    return FilesToDerive(snapshot, tuple(rows.order_by("path")), report)
