"""The channels that find lines: one SQL constant and one short function each.

Every statement reads only files that live in the snapshots of its Scope, is limited, and
runs under the time limit that `bounded` sets. Rows come in order of rank.
"""

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from django.db import OperationalError, connection, transaction
from psycopg import errors

from search.exact_query import Needle
from search.query import SearchQuery
from search.scope import FileKey, Scope, escape_like, quote_term
from search.sieve import sieve_of

STATEMENT_MILLISECONDS = 4_000
ROWS = 300
WEIGHED = 1_000  # rows of a channel that the role of their file may still put in order

# BM25 as in Lucene; a term in path or symbol counts TITLE times, in signature or doc DOC times.
K1 = 1.5
B = 0.75
TITLE = 1.5
DOC = 1.0
# Bounds of the lexical channel, see docs/benchmarks.md: chunks that hold one of the rarest
# terms are candidates, and the CANDIDATES that hold the most weight of terms are scored.
CANDIDATE_TERMS = 16
CANDIDATE_POSTINGS = 60_000
CANDIDATES = 1_000

SYMBOL = "symbol"
LEXICAL = "lexical"
PATH = "path"
SEMANTIC = "semantic"
LITERAL = "literal"
CHANNELS = (SYMBOL, LEXICAL, PATH, SEMANTIC, LITERAL)
IMPORTED = "import"  # never alone: it starts from what the others found


class QueryTooSlow(Exception):
    """The database gave up at the time limit."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One row of a channel; `chunk_id` is None where a file has no chunk.

    `path` is there where the role of the file decides (roles.py). `covered` is the share of
    the question's weight that the found chunks of the file hold together.
    """

    repository_id: int
    file_id: int
    chunk_id: int | None
    score: float
    path: str = ""
    covered: float = 0.0


@contextmanager
def bounded(milliseconds: int = STATEMENT_MILLISECONDS) -> Iterator[None]:
    """Limit each statement inside; raises QueryTooSlow. The limit ends with the block."""
    try:
        with transaction.atomic():
            run(LIMIT_TIME, {"limit": str(milliseconds)})
            yield
            run(LIMIT_TIME, {"limit": "0"})
    except OperationalError as error:
        if isinstance(error.__cause__, errors.QueryCanceled):
            raise QueryTooSlow from error
        raise


def run(statement: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


LIMIT_TIME = "SELECT set_config('statement_timeout', %(limit)s, true) /* search: limit */"

# The files of the snapshots that pass the filters; every channel begins with it.
FILES = """WITH scope AS (
    SELECT * FROM unnest(%(repositories)s::bigint[], %(snapshots)s::bigint[])
        AS given(repository_id, snapshot)
), files AS (
    SELECT f.repository_id, f.id, f.path
    FROM scope
    JOIN repos_file f ON f.repository_id = scope.repository_id
        AND f.first_snapshot <= scope.snapshot
        AND (f.last_snapshot IS NULL OR f.last_snapshot >= scope.snapshot)
    WHERE f.classification = 'indexed'
        AND (%(languages)s::text[] IS NULL OR f.language = ANY(%(languages)s::text[]))
        AND f.language <> ALL(%(not_languages)s::text[])
        AND f.path ILIKE ALL(%(paths)s::text[])
        AND NOT f.path ILIKE ANY(%(not_paths)s::text[])
        AND (%(only_files)s::bigint[] IS NULL OR (f.repository_id, f.id) IN (
            SELECT * FROM unnest(%(only_repositories)s::bigint[], %(only_files)s::bigint[])))
        AND (%(excluded)s::tsquery IS NULL OR NOT EXISTS (
            SELECT FROM indexing_chunk x
            WHERE x.repository_id = f.repository_id AND x.file_id = f.id
                AND x.terms @@ %(excluded)s::tsquery))
)"""

# A chunk has a kind when a symbol of that kind is named in its lines.
KINDS = """
    (%(kinds)s::text[] IS NULL OR EXISTS (
        SELECT FROM indexing_symbol k
        WHERE k.repository_id = c.repository_id AND k.file_id = c.file_id
            AND k.kind = ANY(%(kinds)s::text[])
            AND k.name_line BETWEEN c.start_line AND c.end_line))
    AND c.kind <> ALL(%(not_kinds)s::text[])"""

# Texts that a sieve (search/sieve.py) leaves, by the index content_trigrams, and those that are
# not in it yet, by content_waiting.
SIFTED = """
    (%(sieve)s::text IS NULL OR NOT t.trigram_indexed
        OR (t.trigram_indexed AND t.text ~ %(sieve)s::text))"""


def over_files(statement: str) -> str:
    """A statement with the shared parts in the places it names."""
    whole = statement.replace("{files}", FILES).replace("{kinds}", KINDS)
    return whole.replace("{sifted}", SIFTED)


STATISTICS = """
/* search: statistics */
WITH scope AS (
    SELECT * FROM unnest(%(repositories)s::bigint[], %(snapshots)s::bigint[])
        AS given(repository_id, snapshot)
)
SELECT '' AS term, coalesce(sum(chunks), 0), coalesce(sum(tokens), 0)
FROM scope JOIN repos_snapshot n
    ON n.repository_id = scope.repository_id AND n.number = scope.snapshot
UNION ALL
SELECT t.term, sum(t.chunks), 0
FROM scope JOIN indexing_termcount t
    ON t.repository_id = scope.repository_id AND t.snapshot <= scope.snapshot
WHERE t.term = ANY(%(terms)s::text[])
GROUP BY t.term
HAVING sum(t.chunks) > 0"""

# tf is the number of positions, weighed by their labels. A sum of weights without tf picks
# the candidates: reading a whole tsvector costs ten times as much as asking it for a term.
LEXICAL_SQL = over_files("""
/* search: lexical */{files}, weighted AS MATERIALIZED (
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
SELECT m.repository_id, m.file_id, m.id, sum(m.score) AS score, m.path, v.covered
FROM matched m
JOIN covering v USING (repository_id, file_id)
GROUP BY m.repository_id, m.file_id, m.id, m.path, v.covered
ORDER BY score DESC, m.repository_id, m.file_id, m.id
LIMIT %(rows)s""")


def lexical(query: SearchQuery, scope: Scope, *, rows: int = WEIGHED) -> list[Ranked]:
    """BM25 over the chunks; the statistics are those of all repositories in scope together."""
    asked = query.weights
    found = run(STATISTICS, {**scope.parameters(), "terms": list(asked)})
    total, tokens = next((int(n), int(t)) for term, n, t in found if not term)
    counts = {term: int(n) for term, n, _ in found if term}
    if not counts or not total:
        return []
    rarest = sorted(counts, key=lambda term: (counts[term], term))
    # A word said twice is no twice as good a sign: counting it once gave 0.015 of recall.
    weights = [min(asked[term], 1.0) * _idf(total, counts[term]) for term in rarest]
    parameters = {
        **scope.parameters(),
        "terms": rarest,
        "weights": weights,
        "queries": [quote_term(term) for term in rarest],
        "candidates": " | ".join(map(quote_term, _candidate_terms(rarest, counts))),
        "whole": sum(weights),
        "average": max(tokens / total, 1.0),
        "cap": CANDIDATES,
        "rows": rows,
        "k1": K1,
        "b": B,
        "title": TITLE,
        "doc": DOC,
    }
    return [Ranked(*row) for row in run(LEXICAL_SQL, parameters)]


def _idf(total: int, count: int) -> float:
    return math.log1p((max(total - count, 0) + 0.5) / (count + 0.5))


def _candidate_terms(rarest: Sequence[str], counts: dict[str, int]) -> list[str]:
    """The rarest terms, until they are many or bring many chunks; always one."""
    chosen: list[str] = []
    postings = 0
    for term in rarest[:CANDIDATE_TERMS]:
        postings += counts[term]
        if chosen and postings > CANDIDATE_POSTINGS:
            break
        chosen.append(term)
    return chosen


SEMANTIC_SQL = over_files("""
/* search: semantic */
{files}
SELECT c.repository_id, c.file_id, c.id, 1 - (e.vector <=> %(vector)s::halfvec) AS score, f.path
FROM files f
JOIN indexing_chunk c ON c.repository_id = f.repository_id AND c.file_id = f.id
JOIN indexing_embedding e ON e.repository_id = c.repository_id
    AND e.model = %(model)s AND e.embed_hash = c.embed_hash
WHERE {kinds}
ORDER BY e.vector <=> %(vector)s::halfvec, c.repository_id, c.id
LIMIT %(rows)s""")


def semantic(
    vector: Sequence[float], model: str, scope: Scope, *, rows: int = WEIGHED
) -> list[Ranked]:
    """Exact scan by cosine over every embedded chunk in scope."""
    text = "[" + ",".join(f"{number:.6g}" for number in vector) + "]"
    parameters = {**scope.parameters(), "vector": text, "model": model, "rows": rows}
    return [Ranked(*row) for row in run(SEMANTIC_SQL, parameters)]


LITERAL_SQL = over_files("""
/* search: literal */
{files}, holding AS (
    SELECT f.repository_id, f.id AS file_id, f.path, t.text
    FROM files f
    JOIN indexing_content t ON t.repository_id = f.repository_id AND t.file_id = f.id
    WHERE {sifted} AND (t.text LIKE ALL(%(patterns)s::text[])
        OR (%(any_case)s AND t.text ILIKE ALL(%(patterns)s::text[])))
    ORDER BY t.text LIKE ALL(%(patterns)s::text[]) DESC, f.path, f.repository_id
    LIMIT %(rows)s
), matching AS (
    SELECT h.repository_id, h.file_id, h.path, l.number, l.line LIKE ANY(%(patterns)s) AS same
    FROM holding h
    CROSS JOIN LATERAL unnest(string_to_array(h.text, E'\\n')) WITH ORDINALITY AS l(line, number)
    WHERE l.line LIKE ANY(%(patterns)s::text[])
        OR (%(any_case)s AND l.line ILIKE ANY(%(patterns)s::text[]))
)
SELECT m.repository_id, m.file_id, c.id,
    bool_or(m.same)::int + 1 - 1::float8 / (1 + count(*)) AS score, m.path
FROM matching m
LEFT JOIN indexing_chunk c ON c.repository_id = m.repository_id AND c.file_id = m.file_id
    AND m.number BETWEEN c.start_line AND c.end_line
WHERE {kinds} OR (c.id IS NULL AND %(kinds)s::text[] IS NULL)
GROUP BY m.repository_id, m.file_id, m.path, c.id
ORDER BY score DESC, m.path, m.repository_id, c.id
LIMIT %(rows)s""")


def literal(
    texts: Sequence[str], scope: Scope, *, any_case: bool, rows: int = ROWS
) -> list[Ranked]:
    """Chunks with lines that hold one of the texts, of files that hold all; exact case first."""
    needles = tuple(Needle(text, is_regex=False, ignore_case=any_case) for text in texts)
    parameters = {
        **scope.parameters(),
        "patterns": [f"%{escape_like(text)}%" for text in texts],
        "any_case": any_case,
        "sieve": sieve_of(needles),
        "rows": rows,
    }
    return [Ranked(*row) for row in run(LITERAL_SQL, parameters)]


HOLDING_SQL = over_files("""
/* search: holding */
{files}
SELECT DISTINCT c.repository_id, c.file_id
FROM indexing_chunk c
JOIN files f ON f.repository_id = c.repository_id AND f.id = c.file_id
WHERE c.terms @@ %(held)s::tsquery
LIMIT %(rows)s""")


def holding(terms: Sequence[str], scope: Scope, *, rows: int) -> list[FileKey]:
    """Files with a chunk that holds all of the terms; no order."""
    held = " & ".join(map(quote_term, terms))
    found = run(HOLDING_SQL, {**scope.parameters(), "held": held, "rows": rows})
    return [FileKey(*row) for row in found]
