"""Search for a person: what they may see, grouped by file, cut to the lines that are shown."""

import time
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from indexing.decode import split_lines
from indexing.models import Content
from indexing.query_vectors import Asker
from repos.models import File, Repository, RepositoryQuerySet, Snapshot
from search import names
from search.channels import CHANNELS, IMPORTED, LITERAL, SYMBOL, bounded
from search.fusion import Fused
from search.names import FoundSymbol, Name
from search.query import Field, SearchQuery, parse_query
from search.rerank import reranked
from search.retrieval import (
    PASSAGES_A_FILE,
    ChunkHit,
    literal_texts,
    located,
    passages,
    ranked,
    scope_from,
)
from search.scope import FileKey, Scope
from search.snippets import Matcher, Window, literal_lines, windows

NEAREST = 5
ORDER = (*CHANNELS, IMPORTED)
LITERAL_LINES = 200  # of one file that are named


@dataclass(frozen=True, slots=True)
class FileHit:
    """`matched_lines` are the lines that hold the literal text, where one was looked for;
    `defines` what of the asked names the file defines.
    """

    repository_id: int
    repository: str
    file_id: int
    path: str
    commit: str
    language: str
    score: float
    symbol: str
    channels: tuple[str, ...]
    windows: tuple[Window, ...]
    matched_lines: tuple[int, ...]
    defines: tuple[FoundSymbol, ...]
    hits: tuple[ChunkHit, ...]

    @property
    def line(self) -> int:
        """Where to look first: a definition, the literal text, else the best marked line."""
        lines = [line for window in self.windows for line in window.lines]
        marked = max(lines, key=lambda line: len(line.marks), default=None)
        first = [*(one.line for one in self.defines[:1]), *self.matched_lines[:1]]
        return (*first, marked.number if marked else 0)[0]


@dataclass(frozen=True, slots=True)
class SearchResult:
    """`total` counts files, `chunks` the pieces in them; `hits` is one page of the files."""

    query: SearchQuery
    hits: tuple[FileHit, ...] = ()
    total: int = 0
    chunks: int = 0
    offset: int = 0
    milliseconds: int = 0
    repositories: tuple[str, ...] = ()
    nearest: tuple[FoundSymbol, ...] = ()
    remarks: tuple[str, ...] = ()  # what it had to do without


def search(
    query: SearchQuery | str,
    *,
    user: User | AnonymousUser,
    repositories: Iterable[str] | None = None,
    limit: int = 20,
    offset: int = 0,
    channels: Collection[str] | None = None,
    at: str = "",
) -> SearchResult:
    """One page of files over what `user` may see; `repositories` are slugs, `at` a commit.

    Raises channels.QueryTooSlow.
    """
    visible = Repository.objects.visible_to(user)
    if repositories is not None:
        visible = visible.filter(slug__in=list(repositories))
    person = user if isinstance(user, User) else None
    return search_in(
        visible, query, limit=limit, offset=offset, channels=channels, at=at, person=person
    )


def search_in(
    repositories: RepositoryQuerySet,
    query: SearchQuery | str,
    *,
    limit: int = 20,
    offset: int = 0,
    channels: Collection[str] | None = None,
    at: str = "",
    person: User | None = None,
) -> SearchResult:
    """The same over the given repositories: who may see them is for the caller to know."""
    started = time.perf_counter()
    asked = parse_query(query) if isinstance(query, str) else query
    searched = named(repositories, asked)
    published = list(searched.order_by("slug").values_list("pk", "published_snapshot", "slug"))
    scope = scope_from(
        [(pk, number) for pk, number, _ in published],
        at=snapshots_at(searched, at) if at else None,
    )
    asker = Asker(person)
    hits = ranked(asked, scope, only=channels, asker=asker)
    files = reranked(asked, group_by_file(hits), lambda: _commits(scope), asker)
    shown = _file_hits(files[offset : offset + limit], asked, scope, channels)
    return SearchResult(
        query=asked,
        hits=tuple(shown),
        total=len(files),
        chunks=len(hits),
        offset=offset,
        nearest=() if files or asked.is_empty else tuple(nearest_symbols(asked, scope)),
        repositories=tuple(slug for _, _, slug in published),
        remarks=tuple(asker.remarks),
        milliseconds=round((time.perf_counter() - started) * 1000),
    )


def named(repositories: RepositoryQuerySet, query: SearchQuery) -> RepositoryQuerySet:
    """The repositories that the `repo:` filters leave: by slug or name, else part of one."""
    chosen = _chosen(repositories, query.values(Field.REPOSITORY))
    refused = _chosen(repositories, query.values(Field.REPOSITORY, negated=True))
    if query.values(Field.REPOSITORY):
        repositories = repositories.filter(pk__in=chosen)
    return repositories.exclude(pk__in=refused)


def _chosen(repositories: RepositoryQuerySet, values: Sequence[str]) -> set[int]:
    rows = list(repositories.values_list("pk", "slug", "name")) if values else []
    chosen: set[int] = set()
    for value in (value.lower() for value in values):
        exact = {pk for pk, *words in rows if value in map(str.lower, words)}
        chosen |= exact or {pk for pk, *words in rows if any(value in w.lower() for w in words)}
    return chosen


def snapshots_at(repositories: RepositoryQuerySet, commit: str) -> dict[int, int]:
    """Repositories that have no such commit are searched as they are published."""
    found = Snapshot.objects.filter(
        repository__in=repositories, state=Snapshot.State.PUBLISHED, commit__startswith=commit
    )
    return dict(found.order_by("number").values_list("repository_id", "number"))


def group_by_file(hits: Sequence[Fused]) -> list[tuple[Fused, ...]]:
    """The hits of each file, best first; files by their own score, ties by path."""
    grouped: dict[tuple[int, int], list[Fused]] = {}
    for hit in hits:
        grouped.setdefault((hit.repository_id, hit.file_id), []).append(hit)
    ordered = sorted(grouped.values(), key=lambda group: _file_order(group[0]))
    return [tuple(group) for group in ordered]


def _file_order(hit: Fused) -> tuple[float, str, int]:
    return -hit.file_score, hit.path, hit.repository_id


def _file_hits(
    found: Sequence[tuple[Fused, ...]],
    query: SearchQuery,
    scope: Scope,
    channels: Collection[str] | None,
) -> list[FileHit]:
    if not found:
        return []
    keys = [group[0].file for group in found]
    hits = iter(located([one for group in found for one in group]))
    groups = [tuple(islice(hits, len(group))) for group in found]
    texts, languages, commits = _texts(keys), _languages(keys), _commits(scope)
    alone = channels is not None and set(channels) == {LITERAL}
    naming = tuple(group[0].file for group in groups if _names(group))
    defined = {} if alone else _definitions(query, replace(scope, only=naming))
    matcher = matcher_of(query, alone=alone)
    return [
        _file_hit(
            group,
            lines=texts.get(group[0].file, []),
            language=languages.get(group[0].file, ""),
            place=commits[group[0].repository_id],
            matcher=matcher,
            defined=defined.get(group[0].file, []),
        )
        for group in groups
    ]


def _names(group: Iterable[ChunkHit]) -> bool:
    """Whether the file was found by what it defines."""
    return any(SYMBOL in hit.channels for hit in group)


def matcher_of(query: SearchQuery, *, alone: bool = False) -> Matcher:
    """Marks the words of a query and, where it has one, the text as it stands."""
    literals = literal_texts(query, alone=alone)
    found = [] if alone else names.names_in(query)
    terms = () if alone else query.terms
    return Matcher(terms=terms, literals=literals, names=[name.name for name in found])


def _definitions(query: SearchQuery, scope: Scope) -> dict[FileKey, list[FoundSymbol]]:
    """What the files of one page define of the names in the query."""
    asked = names.names_in(query)
    if not (asked and scope.only):
        return {}
    defined: dict[FileKey, list[FoundSymbol]] = {}
    with bounded():
        for one in names.symbols(asked, scope):
            defined.setdefault(FileKey(one.repository_id, one.file_id), []).append(one)
    return defined


def _file_hit(
    group: tuple[ChunkHit, ...],
    *,
    lines: Sequence[str],
    language: str,
    place: tuple[str, str],
    matcher: Matcher,
    defined: Sequence[FoundSymbol],
) -> FileHit:
    first = group[0]
    anchors = {one.line: one.name for one in defined}
    ranges = [(hit.start_line, hit.end_line) for hit in passages(group, PASSAGES_A_FILE)]
    return FileHit(
        repository_id=first.repository_id,
        repository=place[0],
        file_id=first.file_id,
        path=first.path,
        commit=place[1],
        language=language,
        score=first.file_score,
        symbol=defined[0].qualified_name if defined else first.symbol,
        channels=tuple(name for name in ORDER if any(name in hit.channels for hit in group)),
        windows=tuple(windows(lines, ranges, matcher.naming(anchors))),
        matched_lines=tuple(literal_lines(lines, matcher, most=LITERAL_LINES)),
        defines=tuple(defined),
        hits=group,
    )


def _texts(keys: Sequence[FileKey]) -> dict[FileKey, list[str]]:
    rows = Content.objects.filter(pk__in=[(key.repository_id, key.file_id) for key in keys])
    found = rows.values_list("repository_id", "file_id", "text")
    return {FileKey(repository, file): split_lines(text) for repository, file, text in found}


def _languages(keys: Sequence[FileKey]) -> dict[FileKey, str]:
    rows = File.objects.filter(pk__in=[(key.repository_id, key.file_id) for key in keys])
    found = rows.values_list("repository_id", "id", "language")
    return {FileKey(repository, file): language for repository, file, language in found}


def _commits(scope: Scope) -> dict[int, tuple[str, str]]:
    """Slug and commit of each repository in scope."""
    numbers = dict(zip(scope.repositories, scope.snapshots, strict=True))
    rows = Snapshot.objects.filter(
        repository__in=scope.repositories, number__in=set(scope.snapshots)
    ).values_list("repository_id", "number", "repository__slug", "commit")
    return {pk: (slug, commit) for pk, number, slug, commit in rows if numbers[pk] == number}


def nearest_symbols(query: SearchQuery, scope: Scope) -> list[FoundSymbol]:
    """Names like the words of a query that found nothing, whatever its filters."""
    words = [word for word in query.words.split() if word.isidentifier()][: names.NAMES]
    asked = names.names_in(query) or [Name(word, word, fuzzy=True) for word in words]
    if not asked or not scope.repositories:
        return []
    with bounded():
        found = names.symbols(asked, scope, rows=NEAREST * 4, similar=True)
    distinct = {(one.repository_id, one.qualified_name, one.path): one for one in found}
    return list(distinct.values())[:NEAREST]
