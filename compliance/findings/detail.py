"""One finding: its lines, all places of the same value, and what was decided about it."""

from dataclasses import dataclass
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet

from compliance.findings.filters import Filter
from compliance.findings.listing import Row, Span, rows
from compliance.findings.masking import ALLOW_MARK, masked
from indexing.models import Content, Finding
from indexing.policy_models import FindingReview
from indexing.scrubbing.reviews import matches_path

AROUND = 5
LINE_CHARS = 300
MOST_PLACES = 200
READ = 10  # times as many as are shown: the newest of a value that stands everywhere

PLACES = """
/* places_of_value */
SELECT r.slug, x.repository_id, f.path, x.line,
       (SELECT max(y.line) FROM indexing_finding AS y
        WHERE y.repository_id = x.repository_id AND y.file_id = x.file_id
          AND y."group" = x."group"),
       x.kind, x.action, x.id, f.first_snapshot, f.last_snapshot, r.published_snapshot,
       ARRAY(SELECT n.commit FROM repos_snapshot AS n
             WHERE n.repository_id = x.repository_id AND n.state = 'published'
               AND n.number >= f.first_snapshot
               AND (f.last_snapshot IS NULL OR n.number <= f.last_snapshot)
             ORDER BY n.number)
FROM (SELECT * FROM indexing_finding
      WHERE fingerprint = ANY(%(prints)s) AND leads
      ORDER BY id DESC LIMIT %(read)s) AS x
JOIN repos_file AS f ON f.repository_id = x.repository_id AND f.id = x.file_id
JOIN repos_repository AS r ON r.id = x.repository_id
WHERE f.first_snapshot <= r.published_snapshot
ORDER BY r.slug, f.path, f.first_snapshot, x.line
LIMIT %(limit)s
"""


# Another key makes another fingerprint of the same value. Where the same bytes were read under
# both, what stands at the same columns is the same value.
TWINS = """
/* twins_of_values */
SELECT DISTINCT y.fingerprint
FROM (SELECT * FROM indexing_finding WHERE fingerprint = ANY(%(prints)s) LIMIT %(limit)s) AS x
JOIN repos_file AS f ON f.repository_id = x.repository_id AND f.id = x.file_id
JOIN repos_file AS g ON g.repository_id = f.repository_id AND g.path = f.path
 AND g.blob_sha = f.blob_sha
JOIN indexing_finding AS y ON y.repository_id = g.repository_id AND y.file_id = g.id
 AND y.line = x.line AND y.start_col = x.start_col AND y.end_col = x.end_col AND y.kind = x.kind
WHERE y.key_id <> x.key_id AND NOT y.fingerprint = ANY(%(prints)s)
"""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands; `commits` are those of the published snapshots in which it did."""

    slug: str
    repository_id: int
    path: str
    line: int
    last_line: int
    kind: str
    action: str
    number: int
    first_snapshot: int
    last_snapshot: int | None
    published_snapshot: int
    commits: list[str]

    @property
    def is_live(self) -> bool:
        return self.last_snapshot is None or self.last_snapshot >= self.published_snapshot

    @property
    def commit(self) -> str:
        """The newest of them, for links to where it is no longer published."""
        return self.commits[-1] if self.commits else ""


@dataclass(frozen=True, slots=True)
class ContextLine:
    number: int
    text: str
    lit: bool


def finding(number: int) -> Row | None:
    found = rows(Filter(seen="ever"), number=number, limit=1)
    return found[0] if found else None


def context_of(row: Row) -> tuple[list[ContextLine], bool]:
    """The lines around it, and whether one asks to be left alone."""
    first, last = max(1, row.line - AROUND), row.line + AROUND
    lines = [
        ContextLine(number, text, number == row.line)
        for number, text in stored_lines(row.repository_id, row.file_id, first, last)
    ]
    allow = any(one.lit and ALLOW_MARK in one.text.lower() for one in lines)
    return [_shortened(one, row) for one in lines], allow


def stored_lines(repository_id: int, file_id: int, first: int, last: int) -> list[tuple[int, str]]:
    """Number and text of the lines of a file as they are stored, with what is only flagged in
    them covered; no further than the file goes."""
    mine: dict[str, Any] = {"repository_id": repository_id, "file_id": file_id}
    text = Content.objects.filter(**mine).values_list("text", flat=True).first() or ""
    spans: dict[int, list[Span]] = {}
    found = Finding.objects.filter(**mine, line__range=(first, last))
    for line, start, end, action in found.values_list("line", "start_col", "end_col", "action"):
        spans.setdefault(line, []).append((start, end, action))
    return [
        (number, masked(line.rstrip("\r"), spans.get(number, ())))
        for number, line in enumerate(text.split("\n")[first - 1 : last], first)
    ]


def _shortened(line: ContextLine, row: Row) -> ContextLine:
    start = max(0, row.start_col - LINE_CHARS // 2) if line.lit else 0
    text = line.text[start : start + LINE_CHARS]
    before, after = "…" * (start > 0), "…" * (len(line.text) > start + LINE_CHARS)
    return ContextLine(line.number, f"{before}{text}{after}", line.lit)


def places(prints: list[bytes], limit: int = MOST_PLACES) -> list[Place]:
    with connection.cursor() as cursor:
        cursor.execute(PLACES, {"prints": prints, "limit": limit, "read": READ * limit})
        return [Place(*(*row[:-1], list(dict.fromkeys(row[-1])))) for row in cursor.fetchall()]


def prints_of(fingerprint: bytes) -> list[bytes]:
    """Of the same value under every key that it is known by, this one first."""
    found = new = [fingerprint]
    while new:
        with connection.cursor() as cursor:
            cursor.execute(TWINS, {"prints": found, "limit": MOST_PLACES})
            new = [bytes(one) for (one,) in cursor.fetchall()]
        found = [*found, *new]
    return found


def history(row: Row, prints: list[bytes]) -> list[FindingReview]:
    """Every review that speaks or spoke of this finding, newest first."""
    here = Q(repository_id=row.repository_id) | Q(repository__isnull=True)
    value = Q(values__fingerprint__in=prints, values__kind=row.kind)
    found: QuerySet[FindingReview] = FindingReview.objects.filter(
        here, value | Q(kind=row.kind, scope__in=["path", "kind"])
    )
    found = found.select_related("person", "undone_by", "repository").distinct().order_by("-pk")
    return [one for one in found if one.scope != "path" or matches_path(one.path_regex, row.path)]
