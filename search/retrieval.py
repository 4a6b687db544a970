"""A query over a scope -> chunks in order of rank: run the channels, fuse, name the lines."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from indexing.query_vectors import Asker, QueryVector, Vectors, begin_query_vectors
from repos.models import RepositoryQuerySet
from search import channels, fusion, graph, lexical, names
from search.channels import (
    CHANNELS,
    IMPORTED,
    LEXICAL,
    LITERAL,
    PATH,
    SEMANTIC,
    SYMBOL,
    Ranked,
    array,
    bounded,
    run,
)
from search.fusion import Fused
from search.literal import literal
from search.query import SearchQuery
from search.roles import asked_roles, weight_of
from search.scope import FileKey, Scope, narrow

# Chunks that touch are read together: at most so many passages, chunks and lines of a passage.
PASSAGES_A_FILE = 3
CHUNKS_A_FILE = 4
PASSAGE_LINES = 50
FUSED_ROWS = 1_500
PHRASE_ROWS = 2_000
LITERAL_FILES = 50  # the best by word, in which plain words are looked for as they stand
COVERED = 0.999  # of a question's weight: all of it but for rounding
FUSED_ORDER = (LITERAL, SYMBOL, LEXICAL, PATH, SEMANTIC)  # ties stand in this order
# Everything is near to something: below this cosine a meaning is no hit, what is above it
# counts, and one or two words are a name rather than a meaning.
LEAST_COSINE = 0.25
SEMANTIC_TERMS = 3


@dataclass(frozen=True, slots=True)
class ChunkHit:
    """Lines of a file; `chunk_id` is None, and the lines 0, where a file holds no text."""

    repository_id: int
    file_id: int
    chunk_id: int | None
    path: str
    start_line: int
    end_line: int
    symbol: str
    kind: str
    score: float
    file_score: float
    channels: tuple[str, ...]

    @property
    def file(self) -> FileKey:
        return FileKey(self.repository_id, self.file_id)


def scope_of(repositories: RepositoryQuerySet, *, at: Mapping[int, int] | None = None) -> Scope:
    """The published snapshots of the repositories; `at` names other snapshots by repository."""
    return scope_from(repositories.values_list("pk", "published_snapshot"), at=at)


def scope_from(
    published: Iterable[tuple[int, int | None]], *, at: Mapping[int, int] | None = None
) -> Scope:
    """The same from rows that are at hand: repositories and what is published of them."""
    pairs = [(pk, (at or {}).get(pk, number)) for pk, number in sorted(published)]
    found = [(pk, number) for pk, number in pairs if number is not None]
    return Scope(tuple(pk for pk, _ in found), tuple(number for _, number in found))


def passages(hits: Iterable[ChunkHit], limit: int) -> list[ChunkHit]:
    """The best hits, each with the lines of later ones that touch it, as if one chunk."""
    found: list[ChunkHit] = []
    used: Counter[FileKey] = Counter()
    for hit in hits:
        if len(found) == limit:
            break
        of_file = [at for at, one in enumerate(found) if one.file == hit.file]
        touched = next((at for at in of_file if _touches(found[at], hit)), None)
        if used[hit.file] == CHUNKS_A_FILE or (touched is None and len(of_file) == PASSAGES_A_FILE):
            continue
        used[hit.file] += 1
        if touched is None:
            found.append(hit)
        else:
            found[touched] = _joined(found[touched], hit)
    return found


def _touches(passage: ChunkHit, hit: ChunkHit) -> bool:
    apart = hit.start_line > passage.end_line + 1 or hit.end_line < passage.start_line - 1
    joined = _joined(passage, hit)
    short = joined.end_line - joined.start_line < PASSAGE_LINES
    return passage.start_line > 0 and not apart and short


def _joined(passage: ChunkHit, hit: ChunkHit) -> ChunkHit:
    first = min(passage.start_line, hit.start_line)
    channels = tuple(dict.fromkeys((*passage.channels, *hit.channels)))
    last = max(passage.end_line, hit.end_line)
    return replace(passage, start_line=first, end_line=last, channels=channels)


def at_most(per_file: int, hits: Iterable[ChunkHit]) -> Iterator[ChunkHit]:
    seen: Counter[FileKey] = Counter()
    for hit in hits:
        seen[hit.file] += 1
        if seen[hit.file] <= per_file:
            yield hit


def retrieve_all(
    query: SearchQuery, scope: Scope, *, only: Collection[str] | None = None
) -> list[ChunkHit]:
    """All chunks that any channel found, best first; `only` names channels."""
    return located(ranked(query, scope, only=only))


def ranked(
    query: SearchQuery,
    scope: Scope,
    *,
    only: Collection[str] | None = None,
    asker: Asker | None = None,
) -> list[Fused]:
    """The same without their lines, which whoever shows a page needs for few of them; `asker`
    is told what a search had to do without."""
    if query.is_empty or not scope.repositories:
        return []
    wanted = frozenset(only or CHANNELS)
    vectors = _vectors(query, scope, asker) if SEMANTIC in wanted else no_vectors
    with bounded():
        found = run_channels(query, narrow(scope, query), wanted, vectors)
        return _fuse(query, found, scope)


def _fuse(query: SearchQuery, found: dict[str, list[Ranked]], scope: Scope) -> list[Fused]:
    """A sentence asks again with what the best files import."""
    weights = weights_for(query)
    fused = fusion.fuse(found, weights=weights, rows=FUSED_ROWS)
    if len(found) < 2 or query.phrases or len(query.words.split()) <= names.SHORT_WORDS:
        return fused
    found[IMPORTED] = graph.imported(fused, narrow(scope, query))
    return fusion.fuse(found, weights=weights, rows=FUSED_ROWS)


def no_vectors() -> list[QueryVector]:
    return []


def _vectors(query: SearchQuery, scope: Scope, asker: Asker | None) -> Vectors:
    """Begun before the statements, since the model takes as long as all of them."""
    enough = len(set(query.terms)) >= SEMANTIC_TERMS
    text = query.english or query.words
    return begin_query_vectors(text, scope.repositories, asker) if enough else no_vectors


def run_channels(
    query: SearchQuery, scope: Scope, wanted: Collection[str], vectors: Vectors
) -> dict[str, list[Ranked]]:
    """The rows of each channel that has something to look for, literal text first; `vectors`
    waits for those of the question."""
    alone = set(wanted) == {LITERAL}
    found: dict[str, list[Ranked]] = {}
    if query.phrases:
        found[LITERAL] = _literal(query, scope, alone=alone)
        scope = replace(scope, only=tuple(_files_of(found[LITERAL])))
    if SYMBOL in wanted:
        found[SYMBOL] = names.symbol(query, scope)
    by_word: Sequence[Ranked] | None = None
    if LEXICAL in wanted and query.terms:
        by_word = lexical.lexical(query, scope)
        found[LEXICAL] = by_role(by_word, query)
    if LITERAL in wanted and not query.phrases:
        found[LITERAL] = _literal(query, scope, alone=alone, by_word=by_word)
    if PATH in wanted:
        found[PATH] = names.path(query, scope)
    # Pasted code that is found has no other meaning; a sentence that a log repeats still has.
    asked = vectors()
    if asked and (query.literal_terms or not found.get(LITERAL)):
        near = [row for one in asked for row in _semantic(one, scope)]
        found[SEMANTIC] = by_role(near, query, above=LEAST_COSINE, power=2)
    return {name: found[name] for name in FUSED_ORDER if name in found}


def _semantic(asked: QueryVector, scope: Scope) -> list[Ranked]:
    """While a model replaces another, some repositories are still searched by the old one."""
    pairs = zip(scope.repositories, scope.snapshots, strict=True)
    mine = [(pk, number) for pk, number in pairs if pk in set(asked.repositories)]
    numbers = tuple(number for _, number in mine)
    part = replace(scope, repositories=tuple(pk for pk, _ in mine), snapshots=numbers)
    return channels.semantic(asked.vector, asked.model, part)


def by_role(
    rows: Iterable[Ranked], query: SearchQuery, *, above: float = 0.0, power: int = 1
) -> list[Ranked]:
    """What the rows have `above` a score, weighed by the role of their files, in new order."""
    asked = asked_roles(query.words)
    weighed = []
    for row in rows:
        weight = weight_of(row.path, asked) ** power
        if (score := (row.score - above) * weight) > 0:
            weighed.append((score, weight, row))
    weighed.sort(key=lambda one: -one[0])
    return [
        Ranked(*row[:3], score, row.path, row.covered * weight, row.held)
        for score, weight, row in weighed[: channels.ROWS]
    ]


def _literal(
    query: SearchQuery, scope: Scope, *, alone: bool, by_word: Sequence[Ranked] | None = None
) -> list[Ranked]:
    """A phrase, and what is asked for alone, is found in any case; pasted code as it stands.

    `by_word` names the few files that can hold a text of whole words.
    """
    texts = literal_texts(query, alone=alone)
    if not texts:
        return []
    if query.phrases or alone:
        return literal(texts, scope, any_case=True, rows=PHRASE_ROWS)
    if by_word is not None:
        holders = _holders(query, by_word)
        best = replace(scope, only=tuple(holders))
        found = literal(texts, best, any_case=False) if holders else []
        if found or query.literal_terms:
            return by_role(found, query)
    if query.literal_terms:
        held = channels.holding(query.literal_terms, scope, rows=PHRASE_ROWS)
        scope = replace(scope, only=tuple(held))
    return by_role(literal(texts, scope, any_case=False), query)


def _holders(query: SearchQuery, by_word: Iterable[Ranked]) -> list[FileKey]:
    """The best files by word; but for translations, those with a chunk that holds every word, as
    the one with the line must."""
    least = 0.0 if query.translated else COVERED
    return _files_of(row for row in by_word if row.held >= least)[:LITERAL_FILES]


def literal_texts(query: SearchQuery, *, alone: bool) -> list[str]:
    """Phrases; else the text as it stands where that makes sense, or when asked for alone."""
    if query.phrases:
        return list(query.phrases)
    text = query.literal or (query.words if alone else "")
    return [text] if text else []


def _files_of(rows: Iterable[Ranked]) -> list[FileKey]:
    return list(dict.fromkeys(FileKey(row.repository_id, row.file_id) for row in rows))


def weights_for(query: SearchQuery) -> dict[str, float]:
    """A short query is a name or a path first; a sentence is words and meaning."""
    weights = dict(fusion.WEIGHTS)
    if query.literal_terms:
        weights |= fusion.PLAIN_WEIGHTS
    if len(query.words.split()) <= names.SHORT_WORDS:
        weights |= fusion.NAME_WEIGHTS
    if names.looks_like_path(query.words):
        weights |= fusion.PATH_WEIGHTS
    return weights


LOCATED = """
/* search: located; uses repos_file_pkey and indexing_chunk_pkey */
SELECT place, f.path, coalesce(c.start_line, 0), coalesce(c.end_line, 0),
    coalesce(c.symbol, ''), coalesce(c.kind, '')
FROM unnest(%(repositories)s::bigint[], %(files)s::bigint[], %(chunks)s::bigint[])
    WITH ORDINALITY AS given(repository_id, file_id, chunk_id, place)
JOIN repos_file f ON f.repository_id = given.repository_id AND f.id = given.file_id
LEFT JOIN indexing_chunk c ON c.repository_id = given.repository_id AND c.id = given.chunk_id
ORDER BY place"""


def located(fused: Sequence[Fused]) -> list[ChunkHit]:
    """The lines of each row, in the same order."""
    if not fused:
        return []
    parameters = {
        "repositories": array(row.repository_id for row in fused),
        "files": array(row.file_id for row in fused),
        "chunks": array(row.chunk_id for row in fused),
    }
    places = run(LOCATED, parameters)
    return [_hit(row, place[1:]) for row, place in zip(fused, places, strict=True)]


def _hit(row: Fused, place: tuple[Any, ...]) -> ChunkHit:
    path, start, end, symbol, kind = place
    return ChunkHit(
        repository_id=row.repository_id,
        file_id=row.file_id,
        chunk_id=row.chunk_id,
        path=path,
        start_line=start,
        end_line=end,
        symbol=symbol,
        kind=kind,
        score=row.score,
        file_score=row.file_score,
        channels=row.channels,
    )
