"""What a run that waits for confirmation would index, and what other excludes would change.

Counted over the file rows that the walk has written, so that the numbers are those of the
index that follows.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from indexing.explore import Share
from indexing.models import IndexRun
from repos.excludes import Excludes
from repos.models import File

LARGEST = 10
REASONS = 8
SAMPLE = 8
OWN_EXCLUDES = "excluded by settings: "  # as repos.classify writes it
UNMOVED = frozenset(
    {
        File.Classification.SECRET.value,
        File.Classification.SYMLINK.value,
        File.Classification.SUBMODULE.value,
    }
)
# Left out by the excludes that are being edited: what it is shows only when it is read.
UNREAD = "unread"


@dataclass(frozen=True, slots=True)
class Row:
    path: str
    size: int
    lines: int
    language: str
    classification: str
    reason: str
    first_snapshot: int

    @property
    def is_indexed(self) -> bool:
        return self.classification == File.Classification.INDEXED


@dataclass(slots=True)
class Group:
    """The files that are left out for one kind of reason."""

    classification: str
    files: int = 0
    bytes: int = 0
    paths: list[str] = field(default_factory=list)
    counted: Counter[str] = field(default_factory=Counter)

    @property
    def label(self) -> str:
        return str(File.Classification(self.classification).label)

    @property
    def reasons(self) -> list[tuple[str, int]]:
        return self.counted.most_common(REASONS)

    @property
    def more_reasons(self) -> int:
        return max(len(self.counted) - REASONS, 0)

    @property
    def more_files(self) -> int:
        return self.files - len(self.paths)

    def add(self, row: Row) -> None:
        self.files += 1
        self.bytes += row.size
        self.counted[row.reason] += 1
        if len(self.paths) < SAMPLE:
            self.paths.append(row.path)


@dataclass(frozen=True, slots=True)
class Preview:
    """`new_*` is what has to be read and embedded, the rest is as in the snapshot before.

    `unread_*` is what other excludes bring back: it is read when the run goes on.
    """

    files: int
    bytes: int
    lines: int
    left_out: int
    new_files: int
    new_bytes: int
    unread_files: int
    unread_bytes: int
    languages: list[Share]
    groups: list[Group]
    largest: list[Row]

    @property
    def secrets(self) -> Group | None:
        return next((g for g in self.groups if g.classification == "secret"), None)

    @property
    def is_exact(self) -> bool:
        return self.unread_files == 0


def walked_rows(run: IndexRun, *, but: str = "") -> list[Row]:
    """Every path of the snapshot that the run makes, by path; without those of one class."""
    files = File.objects.in_snapshot(run.repository_id, run.snapshot).order_by("path")
    if but:
        files = files.exclude(classification=but)
    columns = ("path", "size", "lines", "language", "classification", "reason", "first_snapshot")
    return [Row(*values) for values in files.values_list(*columns)]


def with_excludes(rows: Iterable[Row], text: str) -> list[Row]:
    """The rows as the walk would write them with these excludes in the settings."""
    rules = Excludes(text)
    return [_judged(row, rules) for row in rows]


def _judged(row: Row, rules: Excludes) -> Row:
    if row.classification in UNMOVED:
        return row
    if pattern := rules.match(row.path):
        ignored = File.Classification.IGNORED.value
        return replace(
            row, classification=ignored, reason=f"excluded by {pattern}", lines=0, language=""
        )
    if row.reason.startswith(OWN_EXCLUDES):
        return replace(row, classification=UNREAD, reason="")
    return row


def summarise(rows: Sequence[Row], snapshot: int) -> Preview:
    indexed = [row for row in rows if row.is_indexed]
    unread = [row for row in rows if row.classification == UNREAD]
    new = [row for row in indexed if row.first_snapshot == snapshot and row.lines]
    return Preview(
        files=len(indexed),
        bytes=sum(row.size for row in indexed),
        lines=sum(row.lines for row in indexed),
        left_out=len(rows) - len(indexed) - len(unread),
        new_files=len(new),
        new_bytes=sum(row.size for row in new),
        unread_files=len(unread),
        unread_bytes=sum(row.size for row in unread),
        languages=_languages(indexed),
        groups=left_out_groups(row for row in rows if not row.is_indexed),
        largest=sorted(indexed, key=lambda row: (-row.size, row.path))[:LARGEST],
    )


def left_out_groups(rows: Iterable[Row]) -> list[Group]:
    """By classification, the largest group first."""
    groups: dict[str, Group] = {}
    for row in rows:
        if row.classification != UNREAD and not row.is_indexed:
            groups.setdefault(row.classification, Group(row.classification)).add(row)
    return sorted(groups.values(), key=lambda group: (-group.files, group.classification))


def _languages(rows: Iterable[Row]) -> list[Share]:
    files: Counter[str] = Counter()
    lines: defaultdict[str, int] = defaultdict(int)
    for row in rows:
        if row.lines:
            files[row.language] += 1
            lines[row.language] += row.lines
    total = sum(lines.values())
    shares, start = [], 0.0
    for language in sorted(lines, key=lambda name: (-lines[name], name)):
        width = 100 * lines[language] / total
        one = Share(language, files[language], lines[language], round(start, 3), round(width, 3))
        shares.append(one)
        start += width
    return shares
