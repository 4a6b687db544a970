"""Exact and regular-expression search: line by line, file by file, a slice of the work at a time.

1. The trigram index names the texts that can hold the needles; where they are too many to be
   worth naming, or the pattern has no trigram, every file of the scope is a candidate.
2. Candidates come in order of repository and path. Their lines are checked by search/regex.py.
3. A slice ends after a page of files or SLICE_SECONDS; `Slice.more` says where the next begins.
   So results are shown as they are found, and no request or connection is held for long.
"""

import hashlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.core.cache import cache

from accounts.models import User
from indexing.decode import split_lines
from repos.models import Repository, RepositoryQuerySet, Snapshot
from search.channels import QueryTooSlow, bounded, over_files, run
from search.engine import named, snapshots_at
from search.exact_query import ExactQuery
from search.regex import Finder, NeedleMatcher, lines_with_all
from search.scope import FileKey, Scope, escape_like, narrow
from search.sieve import plain_of, sieve_of
from search.snippets import Window, windows

MAX_LINES = 1_000  # counted; then it is "more than 1,000 lines"
PAGE_FILES = 20
SHOWN_FILES = 100  # further files are counted, not shown
SLICE_SECONDS = 0.5
TOTAL_SECONDS = 10.0
SIFT_MILLISECONDS = 1_500
KEPT_SECONDS = 60  # candidates, for the slices that follow
CANDIDATES = 2_000  # more texts than that are not named: looking at the files in order is faster
LISTED = 5_000  # files of one slice
BATCH = 32  # texts read at once, each up to FILE_MAX_BYTES
SALT = "search.exact"


class Stopped(StrEnum):
    """Why the search ended before every file was looked at."""

    LINES = "lines"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Cursor:
    """After which file to go on, and what was found until there."""

    slug: str = ""
    path: str = ""
    lines: int = 0
    files: int = 0
    looked: int = 0
    milliseconds: int = 0

    def token(self) -> str:
        values = [getattr(self, name) for name in self.__slots__]
        return signing.dumps(values, salt=SALT, compress=True)


class CursorRefused(Exception):
    """The token was not made here."""


def cursor_of(token: str) -> Cursor:
    try:
        values: list[str | int] = signing.loads(token, salt=SALT)
    except signing.BadSignature as error:
        raise CursorRefused from error
    return Cursor(*values)  # type: ignore[arg-type] # signed by `token`


@dataclass(frozen=True, slots=True)
class ExactHit:
    """`lines` are the numbers of all lines found in the file, `windows` the first to show."""

    repository: str
    path: str
    commit: str
    lines: tuple[int, ...]
    windows: tuple[Window, ...]

    @property
    def has_more(self) -> bool:
        """Whether lines were found that no window shows."""
        shown = {line.number for window in self.windows for line in window.lines}
        return not shown.issuperset(self.lines)


@dataclass(frozen=True, slots=True)
class Slice:
    """Counts are those of all slices until here; `left` the files not yet looked at."""

    query: ExactQuery
    repositories: tuple[str, ...]
    hits: tuple[ExactHit, ...] = ()
    lines: int = 0
    files: int = 0
    looked: int = 0
    left: int = 0
    milliseconds: int = 0
    more: Cursor | None = None
    stopped: Stopped | None = None


@dataclass(frozen=True, slots=True)
class Place:
    """A repository at a commit; its place in the order of slugs is its place in the Scope."""

    slug: str
    commit: str


@dataclass(frozen=True, slots=True)
class Candidate:
    key: FileKey
    place: int
    path: str
    left: int  # candidates from this one on


@dataclass(slots=True)
class _Work:
    """What a slice goes by, and what it gathers."""

    scope: Scope
    places: Sequence[Place]
    finders: Sequence[Finder]
    started: float
    lines: int
    files: int
    looked: int
    hits: list[ExactHit] = field(default_factory=list)
    last: Candidate | None = None
    out_of_time: bool = False

    @property
    def is_full(self) -> bool:
        late = time.perf_counter() - self.started > SLICE_SECONDS
        return late or self.lines > MAX_LINES or len(self.hits) >= PAGE_FILES


def look(
    query: ExactQuery,
    *,
    user: User | AnonymousUser,
    after: Cursor | None = None,
    at: str = "",
) -> Slice:
    """The next slice over what `user` may see. Raises PatternRefused."""
    return look_in(Repository.objects.visible_to(user), query, after=after, at=at)


def look_in(
    repositories: RepositoryQuerySet,
    query: ExactQuery,
    *,
    after: Cursor | None = None,
    at: str = "",
) -> Slice:
    """The same over the given repositories: who may see them is for the caller to know."""
    started = time.perf_counter()
    finders = [Finder(needle) for needle in query.needles]
    scope, places = _scope(named(repositories, query.query), at)
    before = after or Cursor()
    work = _Work(
        scope=narrow(scope, query.query),
        places=places,
        finders=finders,
        started=started,
        lines=before.lines,
        files=before.files,
        looked=before.looked,
    )
    candidates: Sequence[Candidate] = ()
    try:
        candidates = _candidates(query, work, before) if places else ()
        _go_through(candidates, work)
    except QueryTooSlow:
        work.out_of_time = True
    spent = before.milliseconds + round((time.perf_counter() - started) * 1000)
    return _slice(query, candidates, work, spent)


def _scope(repositories: RepositoryQuerySet, at: str) -> tuple[Scope, list[Place]]:
    """The repositories in order of slug."""
    other = snapshots_at(repositories, at) if at else {}
    rows = repositories.order_by("slug")
    pairs = {
        pk: (slug, other.get(pk, number))
        for pk, slug, number in rows.values_list("pk", "slug", "published_snapshot")
        if number is not None
    }
    numbers = Snapshot.objects.filter(
        repository__in=list(pairs), number__in={number for _, number in pairs.values()}
    ).values_list("repository_id", "number", "commit")
    commits = {(pk, number): commit for pk, number, commit in numbers}
    scope = Scope(tuple(pairs), tuple(number for _, number in pairs.values()))
    return scope, [Place(slug, commits[pk, number]) for pk, (slug, number) in pairs.items()]


SIFT = over_files("""
/* search: {tag}; uses content_trigrams and content_waiting */
SELECT t.repository_id, t.file_id
FROM indexing_content t
WHERE t.repository_id = ANY(%(repositories)s::bigint[]) AND {sifted}
LIMIT %(rows)s""")
SIFT_SQL = SIFT.replace("{tag}", "sift").replace("{sifted by}", "~")
SIFT_PLAIN_SQL = SIFT.replace("{tag}", "sift, plain").replace("{sifted by}", "LIKE")

LISTED_SQL = over_files("""
/* search: listed; uses file_first */
{files}
SELECT f.repository_id, f.id, p.place::int, f.path, count(*) OVER ()
FROM files f
JOIN unnest(%(repositories)s::bigint[]) WITH ORDINALITY AS p(repository_id, place)
    ON p.repository_id = f.repository_id
WHERE (p.place, f.path) > (%(place)s, %(path)s)
ORDER BY p.place, f.path
LIMIT %(rows)s""")

TEXTS_SQL = """
/* search: texts; uses indexing_content_pkey */
SELECT g.place, t.text
FROM unnest(%(repositories)s::bigint[], %(files)s::bigint[])
    WITH ORDINALITY AS g(repository_id, file_id, place)
JOIN indexing_content t ON t.repository_id = g.repository_id AND t.file_id = g.file_id
ORDER BY g.place
LIMIT %(rows)s"""

KIND_LINES_SQL = over_files("""
/* search: kind lines; uses chunk_file */
SELECT c.repository_id, c.file_id, c.start_line, c.end_line
FROM unnest(%(asked_repositories)s::bigint[], %(asked_files)s::bigint[]) AS g(repository_id, id)
JOIN indexing_chunk c ON c.repository_id = g.repository_id AND c.file_id = g.id
WHERE {kinds}""")


def _candidates(query: ExactQuery, work: _Work, after: Cursor) -> list[Candidate]:
    only = _sifted(query, work.scope, first=not after.slug)
    scope = work.scope if only is None else replace(work.scope, only=tuple(only))
    slugs = [place.slug for place in work.places]
    known = after.slug in slugs  # else the repository is gone: go on with the next one
    place = (slugs.index(after.slug) if known else sum(slug < after.slug for slug in slugs)) + 1
    parameters = {
        **scope.parameters(),
        "place": place,
        "path": after.path if known else "",
        "rows": LISTED,
    }
    with bounded():
        rows = run(LISTED_SQL, parameters)
    total = rows[0][4] if rows else 0
    return [
        Candidate(FileKey(row[0], row[1]), row[2] - 1, row[3], total - number)
        for number, row in enumerate(rows)
    ]


def _sifted(query: ExactQuery, scope: Scope, *, first: bool) -> list[FileKey] | None:
    """The first slice sifts, for those that follow as well: texts of a snapshot never change."""
    asked = repr((query.needles, scope.repositories, scope.snapshots))
    key = f"exact-candidates:{hashlib.sha256(asked.encode()).hexdigest()}"
    kept: tuple[list[FileKey] | None] | None = None if first else cache.get(key)
    if kept is None:
        kept = (_sift(query, scope),)
        cache.set(key, kept, KEPT_SECONDS)
    return kept[0]


def _sift(query: ExactQuery, scope: Scope) -> list[FileKey] | None:
    """Files that can hold the needles; None where the index cannot say or names too many."""
    sieve, plain = sieve_of(query.needles), plain_of(query.needles)
    if sieve is None:
        return None
    asked = sieve if plain is None else f"%{escape_like(plain)}%"
    parameters = {**scope.parameters(), "sieve": asked, "rows": CANDIDATES + 1}
    try:
        with bounded(SIFT_MILLISECONDS):
            rows = run(SIFT_SQL if plain is None else SIFT_PLAIN_SQL, parameters)
    except QueryTooSlow:
        return None
    return [FileKey(*row) for row in rows] if len(rows) <= CANDIDATES else None


def _go_through(candidates: Sequence[Candidate], work: _Work) -> None:
    """Until the slice is full, in lines, files or time."""
    matcher = NeedleMatcher(work.finders)
    for candidate, text in _with_texts(candidates):
        numbers = lines_with_all(work.finders, text, most=MAX_LINES + 1 - work.lines)
        numbers = _of_kind(numbers, candidate.key, work.scope)
        work.looked += 1
        work.last = candidate
        if numbers:
            work.lines += len(numbers)
            work.files += 1
            if work.files <= SHOWN_FILES:
                place = work.places[candidate.place]
                work.hits.append(_hit(numbers, text, candidate, place, matcher))
        if work.is_full:
            return


def _hit(
    numbers: Sequence[int],
    text: str,
    candidate: Candidate,
    place: Place,
    matcher: NeedleMatcher,
) -> ExactHit:
    shown = windows(split_lines(text), [(number, number) for number in numbers[:9]], matcher)
    return ExactHit(place.slug, candidate.path, place.commit, tuple(numbers), tuple(shown))


def _with_texts(candidates: Sequence[Candidate]) -> Iterator[tuple[Candidate, str]]:
    for start in range(0, len(candidates), BATCH):
        some = candidates[start : start + BATCH]
        parameters = {
            "repositories": [one.key.repository_id for one in some],
            "files": [one.key.file_id for one in some],
            "rows": BATCH,
        }
        with bounded():
            rows = run(TEXTS_SQL, parameters)
        for place, text in rows:
            yield some[place - 1], text


def _of_kind(numbers: Sequence[int], key: FileKey, scope: Scope) -> list[int]:
    """The lines in chunks that name a symbol of the kind: the rule of every channel."""
    if not numbers or (scope.kinds is None and not scope.not_kinds):
        return list(numbers)
    parameters = {
        **scope.parameters(),
        "asked_repositories": [key.repository_id],
        "asked_files": [key.file_id],
    }
    with bounded():
        rows = run(KIND_LINES_SQL, parameters)
    return [n for n in numbers if any(first <= n <= last for _, _, first, last in rows)]


def _slice(query: ExactQuery, candidates: Sequence[Candidate], work: _Work, spent: int) -> Slice:
    last = work.last
    left = last.left - 1 if last else len(candidates)
    stopped = None
    if work.lines > MAX_LINES:
        stopped = Stopped.LINES
    elif work.out_of_time or (left and spent >= TOTAL_SECONDS * 1000):
        stopped = Stopped.TIME
    more = None
    if last and left and not stopped:
        slug = work.places[last.place].slug
        more = Cursor(slug, last.path, work.lines, work.files, work.looked, spent)
    return Slice(
        query=query,
        repositories=tuple(place.slug for place in work.places),
        hits=tuple(work.hits),
        lines=min(work.lines, MAX_LINES),
        files=work.files,
        looked=work.looked,
        left=left,
        milliseconds=spent,
        more=more,
        stopped=stopped,
    )


def slices(repositories: RepositoryQuerySet, query: ExactQuery, *, at: str = "") -> Iterator[Slice]:
    """One slice after the other, as they are found, until the end."""
    one = look_in(repositories, query, at=at)
    yield one
    while one.more:
        one = look_in(repositories, query, after=one.more, at=at)
        yield one
