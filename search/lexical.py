"""The lexical channel: BM25 over the chunks of a scope. Rows as in channels.py.

1. The statistics say how rare each term of the query is in all repositories in scope together.
2. Where the snapshots have postings (indexing/postings.py), the score of every chunk that holds a
   term is summed from them, and only the files of the best are looked up.
3. Where one has none yet, the tsvectors are asked in SQL, within bounds. Both give the same scores.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import starmap

import numpy as np
import numpy.typing as npt

from indexing.terms import tokenize
from search.binary import read_bytes
from search.channels import DOC, K1, TITLE, WEIGHED, B, Ranked, array, over_files, run
from search.postings import Integers, Lists, Postings, Totals, read, totals_of
from search.query import SearchQuery
from search.scope import Scope, quote_term

Scores = npt.NDArray[np.float32]

# Bounds of the lexical channel, see docs/benchmarks.md: chunks that hold one of the rarest
# terms are candidates, and the CANDIDATES that hold the most weight of terms are scored.
CANDIDATE_TERMS = 16
CANDIDATE_POSTINGS = 60_000
CANDIDATES = 1_000
MORE = 8  # times as many are looked at where too few of the best are in the files asked for

# tf is the number of positions, weighed by their labels. A sum of weights without tf picks
# the candidates: reading a whole tsvector costs ten times as much as asking it for a term.
LEXICAL_SQL = over_files("""
/* search: lexical; uses chunk_terms */{files}, weighted AS MATERIALIZED (
    SELECT term, weight, query::tsquery
    FROM unnest(%(terms)s::text[], %(weights)s::float8[], %(queries)s::text[])
        AS given(term, weight, query)
), candidates AS MATERIALIZED (
    SELECT c.repository_id, c.file_id, c.id, c.length, c.terms, f.path
    FROM indexing_chunk c
    JOIN files f ON f.repository_id = c.repository_id AND f.id = c.file_id
    WHERE c.terms @@ %(candidates)s::tsquery AND {kinds}
    ORDER BY (SELECT sum(w.weight) FROM weighted w WHERE c.terms @@ w.query) DESC, c.id
    LIMIT %(cap)s
), matched AS MATERIALIZED (
    SELECT c.repository_id, c.file_id, c.id, c.path, w.term, w.weight, w.weight * tf.n
        / (tf.n + %(k1)s * (1 - %(b)s + %(b)s * c.length / %(average)s)) AS score
    FROM candidates c
    CROSS JOIN LATERAL unnest(c.terms) AS u(lexeme, positions, weights)
    JOIN weighted w ON w.term = u.lexeme
    CROSS JOIN LATERAL (
        SELECT cardinality(u.weights)
            + (%(title)s - 1) * coalesce(cardinality(array_positions(u.weights, 'A')), 0)
            + (%(doc)s - 1) * coalesce(cardinality(array_positions(u.weights, 'B')), 0) AS n
    ) AS tf
), covering AS (
    SELECT repository_id, file_id, sum(weight) / %(whole)s AS covered
    FROM (SELECT DISTINCT repository_id, file_id, term, weight FROM matched) AS held
    GROUP BY repository_id, file_id
)
SELECT m.repository_id, m.file_id, m.id, sum(m.score) AS score, m.path, v.covered,
    coalesce(sum(m.weight) FILTER (WHERE m.term = ANY(%(needed)s::text[])), 0) / %(share)s AS held
FROM matched m
JOIN covering v USING (repository_id, file_id)
GROUP BY m.repository_id, m.file_id, m.id, m.path, v.covered
ORDER BY score DESC, m.repository_id, m.file_id, m.id
LIMIT %(rows)s""")


# The files among the best that live in the snapshots and pass the filters.
LIVE_SQL = over_files("""
/* search: live files; uses repos_file_pkey */
SELECT g.place, f.path
FROM unnest(%(best_repositories)s::bigint[], %(best_files)s::bigint[])
    WITH ORDINALITY AS g(repository_id, file_id, place)
CROSS JOIN {file of g} AS f""")

# All of them, where a filter leaves few: in one string of bytes.
ALLOWED_SQL = over_files("""
/* search: allowed files; uses file_first */
{files}
SELECT string_agg(int8send(f.id), ''::bytea) FROM files f""")

KINDRED_SQL = over_files("""
/* search: chunks of a kind; uses indexing_chunk_pkey */
SELECT g.place
FROM unnest(%(best_repositories)s::bigint[], %(best_chunks)s::bigint[])
    WITH ORDINALITY AS g(repository_id, chunk_id, place)
JOIN indexing_chunk c ON c.repository_id = g.repository_id AND c.id = g.chunk_id
WHERE {kinds}""")


@dataclass(frozen=True, slots=True)
class Weighed:
    """The terms that occur, rarest first, with their weights; `needed` are those without which the
    text cannot stand somewhere as it was asked."""

    terms: tuple[str, ...]
    weights: tuple[float, ...]
    counts: Mapping[str, int]
    average: float
    needed: frozenset[str]

    @property
    def whole(self) -> float:
        return sum(self.weights)

    @property
    def share(self) -> float:
        """The weight of what is needed: without end where one of it stands nowhere, 1 where nothing
        is needed."""
        if not self.needed.issubset(self.counts):
            return math.inf
        named = zip(self.terms, self.weights, strict=True)
        return sum(weight for term, weight in named if term in self.needed) or 1.0


def lexical(query: SearchQuery, scope: Scope, *, rows: int = WEIGHED) -> list[Ranked]:
    """BM25 over the chunks; the statistics are those of all repositories in scope together."""
    totals = totals_of(scope)
    counts, postings, lists = read(list(query.weights), scope, totals)
    if not counts or not totals.chunks:
        return []
    weighed = _weighed(query, counts, totals)
    if not totals.complete:
        return _by_vectors(weighed, scope, rows)
    return _by_postings(weighed, postings, lists, scope, rows)


def _weighed(query: SearchQuery, counts: Mapping[str, int], totals: Totals) -> Weighed:
    asked = query.weights
    rarest = sorted(counts, key=lambda term: (counts[term], term))
    # A word said twice is no twice as good a sign: counting it once gave 0.015 of recall.
    weights = [min(asked[term], 1.0) * _idf(totals.chunks, counts[term]) for term in rarest]
    average = max(totals.tokens / totals.chunks, 1.0)
    # Not the identifiers that two neighbours would make: the words may stand there apart.
    needed = frozenset(tokenize(query.literal)).intersection(asked)
    return Weighed(tuple(rarest), tuple(weights), counts, average, needed)


def _by_vectors(weighed: Weighed, scope: Scope, rows: int) -> list[Ranked]:
    parameters = {
        **scope.parameters(),
        "terms": list(weighed.terms),
        "weights": list(weighed.weights),
        "queries": [quote_term(term) for term in weighed.terms],
        "candidates": " | ".join(map(quote_term, _candidate_terms(weighed.terms, weighed.counts))),
        "whole": weighed.whole,
        "needed": list(weighed.needed),
        "share": weighed.share,
        "average": weighed.average,
        "cap": CANDIDATES,
        "rows": rows,
        "k1": K1,
        "b": B,
        "title": TITLE,
        "doc": DOC,
    }
    return list(starmap(Ranked, run(LEXICAL_SQL, parameters)))


def _by_postings(
    weighed: Weighed, postings: Mapping[str, Postings], lists: Lists, scope: Scope, rows: int
) -> list[Ranked]:
    """The best chunks of all, or of the files that the filters leave."""
    scores = _sums(weighed, postings, lists)
    if scope.is_narrow:
        scores *= np.isin(lists.files, _allowed(scope))
    most = rows
    while True:
        best = _best(scores, most, lists)
        found = _living(best, lists, scope)
        if len(found) >= rows or len(best) < most:
            return _ranked(found[:rows], scores, weighed, postings, lists)
        most *= MORE


def _sums(weighed: Weighed, postings: Mapping[str, Postings], lists: Lists) -> Scores:
    """The BM25 of every chunk."""
    scores = np.zeros(len(lists.ids), dtype=np.float32)
    norms = np.float32(K1) * (1 - B + B / weighed.average * lists.lengths).astype(np.float32)
    for term, weight in zip(weighed.terms, weighed.weights, strict=True):
        if term in postings:
            places, often = postings[term].places, postings[term].often
            # A chunk is in a term's postings once, so plain indexing adds up.
            scores[places] += np.float32(weight) * often / (often + norms[places])
    return scores


def _best(scores: Scores, most: int, lists: Lists) -> Integers:
    """The numbers of the `most` best chunks, in the order of the results."""
    above = np.flatnonzero(scores)
    if len(above) > most:
        least = np.partition(scores[above], len(above) - most)[len(above) - most]
        above = above[scores[above] >= least]
    keys = (lists.ids[above], lists.files[above], lists.repositories[above], -scores[above])
    ordered: Integers = above[np.lexsort(keys)][:most]
    return ordered


def _allowed(scope: Scope) -> Integers:
    ((held,),) = read_bytes(ALLOWED_SQL, scope.parameters())
    return np.frombuffer(held or b"", dtype=">i8").astype(np.int64)


def _living(best: Integers, lists: Lists, scope: Scope) -> list[tuple[int, str]]:
    """Those of the best that live in the snapshots and pass the filters, with their paths."""
    files, first, place_of = np.unique(lists.files[best], return_index=True, return_inverse=True)
    parameters = {
        **scope.parameters(),
        "best_repositories": array(lists.repositories[best[first]].tolist()),
        "best_files": array(files.tolist()),
    }
    paths = dict(run(LIVE_SQL, parameters))
    found = [
        (number, paths[place])
        for number, place in zip(best.tolist(), (place_of + 1).tolist(), strict=True)
        if place in paths
    ]
    return _of_kind(found, lists, scope) if scope.has_kinds else found


def _of_kind(found: list[tuple[int, str]], lists: Lists, scope: Scope) -> list[tuple[int, str]]:
    numbers = [number for number, _ in found]
    parameters = {
        **scope.parameters(),
        "best_repositories": array(lists.repositories[numbers].tolist()),
        "best_chunks": array(lists.ids[numbers].tolist()),
    }
    kindred = {place for (place,) in run(KINDRED_SQL, parameters)}
    return [one for place, one in enumerate(found, 1) if place in kindred]


def _ranked(
    found: Sequence[tuple[int, str]],
    scores: Scores,
    weighed: Weighed,
    postings: Mapping[str, Postings],
    lists: Lists,
) -> list[Ranked]:
    numbers = np.array([number for number, _ in found], dtype=np.int64)
    covered, held = _shares(numbers, weighed, postings, lists)
    columns = (
        lists.repositories[numbers].tolist(),
        lists.files[numbers].tolist(),
        lists.ids[numbers].tolist(),
        scores[numbers].tolist(),
        [path for _, path in found],
        covered.tolist(),
        held.tolist(),
    )
    return list(starmap(Ranked, zip(*columns, strict=True)))


def _shares(
    numbers: Integers, weighed: Weighed, postings: Mapping[str, Postings], lists: Lists
) -> tuple[Scores, Scores]:
    """What share of the weight the chunks of each chunk's file hold together, and what share of
    what is needed each holds alone."""
    _, file_of = np.unique(lists.files[numbers], return_inverse=True)
    row_of = np.full(len(lists.ids), -1, dtype=np.int32)
    row_of[numbers] = np.arange(len(numbers))
    covered = np.zeros(file_of.max(initial=-1) + 1, dtype=np.float32)
    held = np.zeros(len(numbers), dtype=np.float32)
    for term, weight in zip(weighed.terms, weighed.weights, strict=True):
        if term in postings:
            rows = row_of[postings[term].places]
            rows = rows[rows >= 0]
            if term in weighed.needed:
                held[rows] += np.float32(weight)
            covered[np.unique(file_of[rows])] += np.float32(weight)
    covered /= np.float32(weighed.whole)
    held /= np.float32(weighed.share)
    return covered[file_of], held


def _idf(total: int, count: int) -> float:
    return math.log1p((max(total - count, 0) + 0.5) / (count + 0.5))


def _candidate_terms(rarest: Sequence[str], counts: Mapping[str, int]) -> list[str]:
    """The rarest terms, until they are many or bring many chunks; always one."""
    chosen: list[str] = []
    postings = 0
    for term in rarest[:CANDIDATE_TERMS]:
        postings += counts[term]
        if chosen and postings > CANDIDATE_POSTINGS:
            break
        chosen.append(term)
    return chosen
