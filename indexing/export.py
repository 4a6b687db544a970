"""What was indexed, as plain values, a few hundred files at a time: memory stays flat.

Every path of a snapshot comes once, in order of path. The text itself is not in it; what it
says (symbol names, imports, reasons) comes from scrubbed text.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any

from django.db.models import Q, QuerySet

from indexing.models import Chunk, Content, Import, Symbol
from repos.models import File, Repository, Snapshot

BATCH = 500
Rows = dict[int, list[dict[str, Any]]]

SYMBOL = (
    "name", "qualified_name", "kind", "parent", "start_line", "name_line", "end_line",
    "lead_line", "signature", "doc", "exported",
)  # fmt: skip
IMPORT = ("module", "names", "line", "target_path")
CHUNK = ("ordinal", "start_line", "end_line", "symbol", "kind")


class NothingToExport(Exception):
    """There is no such snapshot; the message says what there is."""


def snapshot_to_export(repository: Repository, commit: str = "") -> Snapshot:
    """The published snapshot, or the newest of a commit given by at least its first digits."""
    published = repository.snapshots.filter(state=Snapshot.State.PUBLISHED)
    if not commit:
        found = published.filter(number=repository.published_snapshot or 0).first()
        missing = f"{repository.slug} has not been indexed yet."
    else:
        found = published.filter(commit__startswith=commit.lower()).order_by("number").last()
        missing = f"{repository.slug} was never indexed at commit {commit}."
    if found is None:
        raise NothingToExport(missing)
    return found


def head_of(snapshot: Snapshot) -> dict[str, Any]:
    """What the snapshot is and what it counts."""
    return {
        "repository": snapshot.repository.slug,
        "name": snapshot.repository.name,
        "source": snapshot.repository.source,
        "address": snapshot.repository.address,
        "snapshot": snapshot.number,
        "commit": snapshot.commit,
        "ref": snapshot.ref,
        "published": snapshot.published.isoformat() if snapshot.published else None,
        "counts": {
            "files": snapshot.files,
            "indexed_files": snapshot.indexed_files,
            "lines": snapshot.lines,
            "bytes": snapshot.bytes,
            "symbols": snapshot.symbols,
            "chunks": snapshot.chunks,
        },
    }


def exported_files(snapshot: Snapshot) -> Iterator[dict[str, Any]]:
    """One value a path, with everything that hangs off it."""
    files = File.objects.in_snapshot(snapshot.repository_id, snapshot.number).order_by("path")
    after = ""
    # By key, not by a cursor: a slow reader must not keep a transaction open.
    while batch := list(files.filter(path__gt=after)[:BATCH]):
        after = batch[-1].path
        yield from _with_rows(snapshot, batch)


def _with_rows(snapshot: Snapshot, files: Sequence[File]) -> Iterator[dict[str, Any]]:
    ids = [file.id for file in files]
    mine = {"repository_id": snapshot.repository_id, "file_id__in": ids}
    alive = Q(last_snapshot__isnull=True) | Q(last_snapshot__gte=snapshot.number)
    imports = Import.objects.filter(alive, **mine, first_snapshot__lte=snapshot.number)
    content = {
        row["file_id"]: row
        for row in Content.objects.filter(**mine).values("file_id", "encoding", "remarks")
    }
    symbols = _by_file(Symbol.objects.filter(**mine), SYMBOL, ("start_line", "id"))
    targets = _by_file(imports, IMPORT, ("line", "id"))
    chunks = _by_file(Chunk.objects.filter(**mine), CHUNK, ("ordinal",))
    for file in files:
        about = content.get(file.id, {"encoding": "", "remarks": ""})
        yield {
            **_file(file),
            "encoding": about["encoding"],
            "remarks": about["remarks"],
            "symbols": symbols.get(file.id, []),
            "imports": [_import(row) for row in targets.get(file.id, [])],
            "chunks": chunks.get(file.id, []),
        }


def _file(file: File) -> dict[str, Any]:
    return {
        "path": file.path,
        # Where the name is no text, its bytes: two such paths may look alike.
        "raw_path": bytes(file.raw_path).hex() if file.raw_path is not None else None,
        "blob": file.blob_sha,
        "mode": file.mode,
        "bytes": file.size,
        "classification": file.classification,
        "reason": file.reason,
        "language": file.language,
        "line_count": file.lines,
        "since_snapshot": file.first_snapshot,
    }


def _import(row: dict[str, Any]) -> dict[str, Any]:
    names = row["names"].split(", ") if row["names"] else []
    return {**row, "names": names, "target_path": row["target_path"] or None}


def _by_file(rows: QuerySet[Any], names: tuple[str, ...], order: tuple[str, ...]) -> Rows:
    ordered = rows.order_by("file_id", *order).values("file_id", *names)
    key: Callable[[dict[str, Any]], int] = lambda row: row["file_id"]  # noqa: E731 - typed
    return {
        file_id: [{name: row[name] for name in names} for row in group]
        for file_id, group in groupby(ordered.iterator(chunk_size=5000), key=key)
    }
