"""What a snapshot holds, without the row numbers: two runs are compared by it."""

from collections.abc import Iterable, Iterator
from typing import Any, Self

from django.db.models import Q, Sum

from indexing.deriving import FileInput
from indexing.models import Chunk, Content, EmbedInput, Finding, Import, Symbol, TermCount
from indexing.workers import Outcome, derive_batch
from repos.models import File, Repository, Snapshot

TOTALS = ("files", "indexed_files", "lines", "bytes", "symbols", "chunks", "tokens")
FILE = (
    "path", "raw_path", "blob_sha", "mode", "size", "lines", "language", "classification", "reason",
)  # fmt: skip
CONTENT = ("text", "encoding", "line_count", "remarks")
SYMBOL = (
    "name", "qualified_name", "kind", "signature", "doc", "lead_line", "start_line", "name_line",
    "end_line", "parent", "exported",
)  # fmt: skip
IMPORT = ("module", "names", "line", "target_path")
CHUNK = ("ordinal", "start_line", "end_line", "symbol", "kind", "length", "terms", "embed_hash")
FINDING = ("line", "start_col", "end_col", "kind", "action", "confidence", "group", "fingerprint")


class HerePool:
    """The derive pool without its processes, for tests that are about something else."""

    derived: list[str] = []
    batch = 2

    def __init__(self, *, policy: Any, **_: Any) -> None:
        self._policy = policy
        self.begun: dict[str, str] = {}
        self._begun: list[FileInput] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing to stop."""

    def start(self) -> None:
        """Nothing to load."""

    def begin(self, path: str, data: bytes, sha: str) -> None:
        self.begun[path] = sha
        self._begun.append(FileInput(0, path, data))

    def outcomes(self, files: Iterable[FileInput]) -> Iterator[list[Outcome]]:
        waiting = [*self._begun, *files]
        for start in range(0, len(waiting), self.batch):
            some = tuple(waiting[start : start + self.batch])
            self.derived.extend(file.path for file in some)
            yield derive_batch(some, self._policy)


def snapshot_rows(repository: Repository, number: int | None = None) -> dict[str, Any]:
    """Every row that a reader of the (published) snapshot sees, as sorted plain values."""
    number = number or repository.published_snapshot or 0
    files = File.objects.in_snapshot(repository.pk, number)
    paths = dict(files.values_list("id", "path"))
    alive = Q(last_snapshot__isnull=True) | Q(last_snapshot__gte=number)
    imports = Import.objects.filter(alive, first_snapshot__lte=number)
    return {
        "files": sorted(map(_plain, files.values_list(*FILE))),
        "content": _of(Content.objects.all(), paths, repository, CONTENT),
        "symbols": _of(Symbol.objects.all(), paths, repository, SYMBOL),
        "imports": _of(imports, paths, repository, IMPORT),
        "chunks": _of(Chunk.objects.all(), paths, repository, CHUNK),
        "embed_inputs": _of(EmbedInput.objects.all(), paths, repository, ("text",)),
        "findings": _of(Finding.objects.all(), paths, repository, FINDING),
        "totals": Snapshot.objects.filter(repository=repository, number=number).values(*TOTALS)[0],
        "frequencies": frequencies(repository, number),
    }


def frequencies(repository: Repository, number: int) -> dict[str, int]:
    """In how many chunks of a snapshot each term occurs, by the difference rows."""
    rows = TermCount.objects.filter(repository=repository, snapshot__lte=number)
    sums = rows.values("term").annotate(total=Sum("chunks")).values_list("term", "total")
    return {term: total for term, total in sums if total}


def file_ids(repository: Repository) -> dict[str, int]:
    number = repository.published_snapshot or 0
    files = File.objects.in_snapshot(repository.pk, number)
    return dict(files.values_list("path", "id"))


def intervals(repository: Repository, path: str) -> list[tuple[int, int | None]]:
    rows = File.objects.filter(repository=repository, path=path).order_by("first_snapshot")
    return list(rows.values_list("first_snapshot", "last_snapshot"))


def _of(rows: Any, paths: dict[int, str], repository: Repository, names: tuple[str, ...]) -> Any:
    mine = rows.filter(repository=repository, file_id__in=list(paths))
    found = mine.values_list("file_id", *names)
    return sorted(((paths[one[0]], *_plain(one[1:])) for one in found), key=repr)


def _plain(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(bytes(one) if isinstance(one, memoryview) else one for one in row)
