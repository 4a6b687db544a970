"""From a question to evidence: search, the lines and symbols of what was found, the choice."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from operator import or_

from django.db.models import Q

from answers.chosen import Chosen, hits_of
from answers.evidence import CALLABLES, Extent, Hit, Piece, Source, choose
from answers.nearness import cosine_of_best
from answers.relevance import Relevance, relevance, said_terms
from indexing.decode import split_lines
from indexing.models import Content, Symbol
from indexing.terms import tokenize
from repos.models import File, RepositoryQuerySet, Snapshot
from search.channels import STATISTICS, run
from search.engine import named, nearest_symbols
from search.names import FoundSymbol
from search.query import SearchQuery, parse_query
from search.retrieval import ChunkHit, at_most, retrieve_all, scope_of
from search.scope import FileKey, Scope

# Hits that are looked at; eight pieces are chosen from them.
HITS = 40
HITS_A_FILE = 5


@dataclass(frozen=True, slots=True)
class Place:
    """A repository as it was searched."""

    repository_id: int
    slug: str
    name: str
    snapshot: int
    commit: str


@dataclass(frozen=True, slots=True)
class Gathered:
    """`terms` have the words they come from, `found` counts hits by channel.

    `extents` are the symbols of each piece, by its place.
    """

    query: SearchQuery
    terms: Mapping[str, str]
    places: Mapping[int, Place]
    found: Mapping[str, int]
    hits: int
    files: int
    pieces: tuple[Piece, ...] = ()
    extents: tuple[tuple[Extent, ...], ...] = ()
    relevance: Relevance = field(default_factory=lambda: relevance([], [], chunks=0, counts={}))
    sources: Mapping[FileKey, Source] = field(default_factory=dict)
    paths: Mapping[FileKey, str] = field(default_factory=dict)
    languages: Mapping[FileKey, str] = field(default_factory=dict)
    nearest: tuple[FoundSymbol, ...] = ()

    def lines(self, piece: Piece) -> list[str]:
        source = self.sources[piece.file]
        return list(source.lines[piece.start_line - 1 : piece.end_line])


def gather(
    repositories: RepositoryQuerySet, question: str, *, chosen: Sequence[Chosen] = ()
) -> Gathered:
    """Evidence in the published snapshots of the repositories, lines that were chosen first.

    Raises channels.QueryTooSlow.
    """
    query = parse_query(question)
    searched = named(repositories, query)
    scope = scope_of(searched)
    hits = retrieve_all(query, scope)
    if not hits and query.phrases:
        # Quotation marks in a question are emphasis more often than a demand.
        query = parse_query(question.replace('"', " "))
        hits = retrieve_all(query, scope)
    places = _places(searched, scope)
    first = hits_of(
        chosen, {one.slug: (one.repository_id, one.snapshot) for one in places.values()}
    )
    return _with_evidence(query, scope, places, hits, list(first))


def _with_evidence(
    query: SearchQuery,
    scope: Scope,
    places: Mapping[int, Place],
    hits: Sequence[ChunkHit],
    first: Sequence[ChunkHit],
) -> Gathered:
    tried = [hit for hit in at_most(HITS_A_FILE, hits) if hit.start_line][:HITS]
    tried = [*first, *tried]
    paths = {hit.file: hit.path for hit in tried}
    sources = _sources(tried)
    pieces = choose([_hit(hit) for hit in tried], sources)
    # A Portuguese question is measured by the English words it was searched with.
    asked = query.english or query.words
    terms = said_terms(" ".join([asked, *query.phrases]))
    held = [_held(piece, sources[piece.file], paths[piece.file]) for piece in pieces]
    chunks, counts = _statistics(scope, list(terms))
    homes = _homes(scope, list(terms), pieces)
    cosine = cosine_of_best(asked, hits)
    return Gathered(
        query=query,
        terms=terms,
        places=places,
        found=Counter(channel for hit in hits for channel in hit.channels),
        hits=len(hits),
        files=len({hit.file for hit in hits}),
        pieces=tuple(pieces),
        extents=tuple(_extents_in(pieces)),
        relevance=relevance(
            list(terms), held, chunks=chunks, counts=counts, homes=homes, cosine=cosine
        ),
        sources=sources,
        paths=paths,
        languages=_languages(piece.file for piece in pieces),
        nearest=() if pieces else tuple(nearest_symbols(query, scope)),
    )


def _hit(hit: ChunkHit) -> Hit:
    return Hit(
        file=hit.file,
        start_line=hit.start_line,
        end_line=hit.end_line,
        symbol=hit.symbol,
        score=hit.score,
        channels=hit.channels,
    )


def _held(piece: Piece, source: Source, path: str) -> set[str]:
    lines = source.lines[piece.start_line - 1 : piece.end_line]
    return set(tokenize("\n".join([path, piece.symbol, *lines])))


def _places(searched: RepositoryQuerySet, scope: Scope) -> dict[int, Place]:
    numbers = dict(zip(scope.repositories, scope.snapshots, strict=True))
    rows = Snapshot.objects.filter(
        repository__in=searched, number__in=set(scope.snapshots)
    ).select_related("repository")
    return {
        row.repository_id: Place(
            row.repository_id, row.repository.slug, row.repository.name, row.number, row.commit
        )
        for row in rows
        if numbers.get(row.repository_id) == row.number
    }


def _sources(hits: Sequence[ChunkHit]) -> dict[FileKey, Source]:
    keys = list(dict.fromkeys((hit.repository_id, hit.file_id) for hit in hits))
    texts = Content.objects.filter(pk__in=keys).values_list("repository_id", "file_id", "text")
    extents = _functions(keys, {hit.symbol for hit in hits if hit.symbol})
    return {
        FileKey(repository, file): Source(
            split_lines(text), extents.get(FileKey(repository, file), [])
        )
        for repository, file, text in texts
    }


def _functions(keys: Sequence[tuple[int, int]], names: set[str]) -> dict[FileKey, list[Extent]]:
    """Where the functions stand that the hits are in."""
    rows = Symbol.objects.filter(
        repository__in={repository for repository, _ in keys},
        file_id__in=[file for _, file in keys],
        qualified_name__in=names,
        kind__in=CALLABLES,
    ).order_by("repository_id", "file_id", "start_line")
    found: dict[FileKey, list[Extent]] = {}
    for row in rows:
        found.setdefault(FileKey(row.repository_id, row.file_id), []).append(_extent(row))
    return found


def _extents_in(pieces: Sequence[Piece]) -> Iterator[tuple[Extent, ...]]:
    """The symbols that overlap each piece."""
    touching = [
        Q(
            repository=piece.file.repository_id,
            file_id=piece.file.file_id,
            lead_line__lte=piece.end_line,
            end_line__gte=piece.start_line,
        )
        for piece in pieces
    ]
    rows = list(Symbol.objects.filter(reduce(or_, touching)).order_by("id")) if touching else []
    for piece in pieces:
        yield tuple(
            _extent(row)
            for row in rows
            if (row.repository_id, row.file_id) == (piece.file.repository_id, piece.file.file_id)
            and row.lead_line <= piece.end_line
            and row.end_line >= piece.start_line
        )


def _extent(row: Symbol) -> Extent:
    return Extent(row.qualified_name, row.kind, row.lead_line, row.end_line, row.name_line, row.doc)


def _statistics(scope: Scope, terms: Sequence[str]) -> tuple[int, dict[str, int]]:
    rows = run(STATISTICS, {**scope.parameters(), "terms": list(terms)})
    chunks = sum(int(count) for term, count, _ in rows if not term)
    return chunks, {term: int(count) for term, count, _ in rows if term}


def _homes(
    scope: Scope, terms: Sequence[str], pieces: Sequence[Piece]
) -> list[Collection[str]] | None:
    """The terms that the repository of each piece has; None where there is one repository."""
    if len(scope.repositories) < 2:
        return None
    numbers = dict(zip(scope.repositories, scope.snapshots, strict=True))
    found: dict[int, Collection[str]] = {}
    for repository in {piece.file.repository_id for piece in pieces}:
        one = replace(scope, repositories=(repository,), snapshots=(numbers[repository],))
        found[repository] = _statistics(one, terms)[1].keys()
    return [found[piece.file.repository_id] for piece in pieces]


def _languages(files: Iterable[FileKey]) -> dict[FileKey, str]:
    keys = list({(file.repository_id, file.file_id) for file in files})
    rows = File.objects.filter(pk__in=keys).values_list("repository_id", "id", "language")
    return {FileKey(repository, file): language for repository, file, language in rows}
