"""What the explorer pages read: snapshots, folders, files, languages, symbols."""

from dataclasses import dataclass

from django.db import connection
from django.db.models import Count, QuerySet, Sum
from django.utils.translation import gettext as _

from indexing.languages import LANGUAGES
from indexing.models import Content, Finding, IndexRun, Symbol
from repos.models import File, Repository, Snapshot

FOLDER_ROWS = 250
FILTER_ROWS = 250
OUTLINE_ROWS = 400
SYMBOL_ROWS = 100
ENTRY_POINTS = 10
SHORTEST_COMMIT = 7

Parameters = dict[str, str | int | list[str]]

# The files of one snapshot; every statement here begins with it and only narrows it.
_LIVE = """
FROM repos_file AS f
WHERE f.repository_id = %(repository)s
  AND f.first_snapshot <= %(snapshot)s
  AND (f.last_snapshot IS NULL OR f.last_snapshot >= %(snapshot)s)
"""

# One level of a folder: what follows the prefix up to the next slash. A name is a folder or a
# file, never both, so min() over a file's single row is that row.
LIST_FOLDER = f"""
/* list_folder */
SELECT split_part(substr(f.path, %(skip)s), '/', 1) AS name,
       bool_or(strpos(substr(f.path, %(skip)s), '/') > 0) AS is_folder,
       count(*) AS files,
       count(*) FILTER (WHERE f.classification <> 'indexed') AS left_out,
       sum(f.size)::bigint AS size,
       sum(f.lines)::bigint AS lines,
       min(f.classification) AS classification,
       min(f.reason) AS reason,
       min(f.language) AS language,
       count(*) OVER () AS total
{_LIVE}
  AND starts_with(f.path, %(prefix)s)
GROUP BY 1
ORDER BY 2 DESC, lower(split_part(substr(f.path, %(skip)s), '/', 1)), 1
LIMIT %(limit)s OFFSET %(offset)s
"""

FILTER_PATHS = f"""
/* filter_paths */
SELECT substr(f.path, %(skip)s), false, 1, (f.classification <> 'indexed')::int, f.size,
       f.lines::bigint, f.classification, f.reason, f.language, count(*) OVER ()
{_LIVE}
  AND starts_with(f.path, %(prefix)s)
  AND NOT EXISTS (
    SELECT FROM unnest(%(words)s::text[]) AS word
    WHERE strpos(lower(substr(f.path, %(skip)s)), lower(word)) = 0
  )
ORDER BY length(f.path), f.path
LIMIT %(limit)s OFFSET %(offset)s
"""  # noqa: S608 - put together from constants

FIND_NAMES = f"""
/* find_names */
SELECT f.path, f.id, f.language
{_LIVE}
  AND f.classification = 'indexed'
  AND lower(substring(f.path FROM '[^/]+$')) = ANY(%(names)s)
ORDER BY length(f.path) - length(replace(f.path, '/', '')), f.path
LIMIT %(limit)s
"""  # noqa: S608 - put together from constants

# Uses symbol_name_trgm when `pattern` is long enough, else symbol_file.
LIST_SYMBOLS = f"""
/* list_symbols */
SELECT s.name, s.qualified_name, s.kind, s.signature, s.doc, s.name_line,
    s.lead_line, s.end_line, f.path
FROM indexing_symbol AS s
JOIN (SELECT f.id, f.path {_LIVE}) AS f ON f.id = s.file_id
WHERE s.repository_id = %(repository)s
  AND (%(pattern)s = '' OR s.name ILIKE %(pattern)s)
  AND (cardinality(%(kinds)s::text[]) = 0 OR s.kind = ANY(%(kinds)s))
ORDER BY lower(s.name) <> lower(%(name)s), s.name <> %(name)s, s.name, f.path, s.name_line
LIMIT %(limit)s OFFSET %(offset)s
"""  # noqa: S608 - put together from constants


@dataclass(frozen=True, slots=True)
class Entry:
    """One name of a folder listing; for a folder the numbers are sums of what is below it."""

    name: str
    is_folder: bool
    files: int
    left_out: int
    size: int
    lines: int
    classification: str
    reason: str
    language: str

    @property
    def class_label(self) -> str:
        return str(File.Classification(self.classification).label)

    @property
    def is_indexed(self) -> bool:
        return self.classification == File.Classification.INDEXED


@dataclass(frozen=True, slots=True)
class Listing:
    entries: list[Entry]
    total: int
    offset: int

    @property
    def last(self) -> int:
        return self.offset + len(self.entries)


@dataclass(frozen=True, slots=True)
class Share:
    """A language of a snapshot. `start` and `width` are its place in the bar, 0 to 100."""

    language: str
    files: int
    lines: int
    start: float
    width: float

    @property
    def label(self) -> str:
        return language_label(self.language) or _("other")


@dataclass(frozen=True, slots=True)
class FoundSymbol:
    name: str
    qualified_name: str
    kind: str
    signature: str
    doc: str
    name_line: int
    lead_line: int
    end_line: int
    path: str


def language_label(name: str) -> str:
    return LANGUAGES[name].label if name in LANGUAGES else name


def snapshot_at(repository: Repository, commit: str) -> Snapshot | None:
    """The published snapshot, or the newest one of a commit given by at least 7 characters."""
    rows = repository.snapshots.filter(state=Snapshot.State.PUBLISHED)
    if not commit:
        return rows.filter(number=repository.published_snapshot or 0).first()
    if len(commit) < SHORTEST_COMMIT or not commit.isalnum():
        return None
    return rows.filter(commit__startswith=commit).order_by("-number").first()


def folder(snapshot: Snapshot, path: str, *, page: int = 1) -> Listing:
    """One level below `path` ("" is the top): folders first, FOLDER_ROWS a page."""
    return _listing(LIST_FOLDER, snapshot, path, FOLDER_ROWS, page)


def filtered(snapshot: Snapshot, path: str, words: list[str], *, page: int = 1) -> Listing:
    """Files anywhere below `path` whose path from there on holds all words, short ones first."""
    return _listing(FILTER_PATHS, snapshot, path, FILTER_ROWS, page, words=words)


def _listing(
    sql: str, snapshot: Snapshot, path: str, limit: int, page: int, **more: list[str]
) -> Listing:
    prefix = f"{path}/" if path else ""
    offset = (page - 1) * limit
    parameters: Parameters = {
        "repository": snapshot.repository_id,
        "snapshot": snapshot.number,
        "prefix": prefix,
        "skip": len(prefix) + 1,
        "limit": limit,
        "offset": offset,
        **more,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        rows = cursor.fetchall()
    return Listing([Entry(*row[:-1]) for row in rows], rows[0][-1] if rows else 0, offset)


def find_file(snapshot: Snapshot, path: str) -> File | None:
    live = File.objects.in_snapshot(snapshot.repository_id, snapshot.number)
    return live.filter(path=path).first()


def content_of(file: File) -> Content | None:
    return Content.objects.filter(repository_id=file.repository_id, file_id=file.id).first()


def outline_of(file: File) -> QuerySet[Symbol]:
    rows = Symbol.objects.filter(repository_id=file.repository_id, file_id=file.id)
    return rows.order_by("start_line", "-end_line", "id")[:OUTLINE_ROWS]


def redactions_of(file: File, first: int, last: int) -> QuerySet[Finding]:
    """What is redacted in the lines `first` to `last`, in order."""
    rows = Finding.objects.filter(
        repository_id=file.repository_id, file_id=file.id, action=Finding.Action.REDACT
    )
    return rows.filter(line__range=(first, last)).order_by("line", "start_col")


def languages(snapshot: Snapshot) -> list[Share]:
    live = File.objects.in_snapshot(snapshot.repository_id, snapshot.number)
    rows = (
        live.filter(classification=File.Classification.INDEXED, lines__gt=0)
        .values_list("language")
        .annotate(files=Count("id"), all_lines=Sum("lines"))
        .order_by("-all_lines", "language")
    )
    total = sum(lines for *_, lines in rows)
    shares = []
    start = 0.0
    for language, files, lines in rows:
        width = 100 * lines / total
        shares.append(Share(language, files, lines, round(start, 3), round(width, 3)))
        start += width
    return shares


def classes(snapshot: Snapshot) -> list[tuple[str, int]]:
    """(classification, files) of what was left out, most first."""
    live = File.objects.in_snapshot(snapshot.repository_id, snapshot.number)
    rows = live.exclude(classification=File.Classification.INDEXED).values_list("classification")
    counted = rows.annotate(files=Count("id")).order_by("-files", "classification")
    return list(counted)


def find_names(snapshot: Snapshot, names: list[str], limit: int) -> list[tuple[str, int, str]]:
    """(path, file id, language) of files with one of these lower-case names, nearest first."""
    parameters: Parameters = {
        "repository": snapshot.repository_id,
        "snapshot": snapshot.number,
        "names": names,
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(FIND_NAMES, parameters)
        return [(path, file_id, language) for path, file_id, language in cursor.fetchall()]


def symbols(
    snapshot: Snapshot, *, name: str = "", kinds: list[str], page: int = 1
) -> list[FoundSymbol]:
    """One row more than SYMBOL_ROWS where there is a next page."""
    escaped = name.replace("\\", r"\\").replace("%", r"\%").replace("_", r"\_")
    parameters: Parameters = {
        "repository": snapshot.repository_id,
        "snapshot": snapshot.number,
        "name": name,
        "pattern": f"%{escaped}%" if name else "",
        "kinds": kinds,
        "limit": SYMBOL_ROWS + 1,
        "offset": (page - 1) * SYMBOL_ROWS,
    }
    with connection.cursor() as cursor:
        cursor.execute(LIST_SYMBOLS, parameters)
        return [FoundSymbol(*row) for row in cursor.fetchall()]


def last_run(repository: Repository) -> IndexRun | None:
    return IndexRun.objects.filter(repository=repository).order_by("-number").first()
