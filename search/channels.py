"""What the channels share, and the one that finds lines by their meaning.

Every statement reads only files that live in the snapshots of its Scope, is limited, and
runs under the time limit that `bounded` sets. Rows come in order of rank.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import starmap
from typing import Any, NamedTuple

from django.db import OperationalError, connection, transaction
from psycopg import errors

from indexing.vectors import has_index
from search.scope import FileKey, Scope, quote_term

STATEMENT_MILLISECONDS = 4_000
ROWS = 300
# Of meaning: how many rows, how many more are fetched in case they are of older snapshots (where
# that is not enough, FURTHER times as many), up to how many chunks every vector is compared, and
# how widely the index looks beyond.
NEAREST_ROWS = 300
SPARE = 100
FURTHER = 8
EXACT_VECTORS = 20_000
BREADTH = 400
WEIGHED = 1_000  # rows of a channel that the role of their file may still put in order

# BM25 as in Lucene; a term in path or symbol counts TITLE times, in signature or doc DOC times.
K1 = 1.5
B = 0.75
TITLE = 1.5
DOC = 1.0

SYMBOL = "symbol"
LEXICAL = "lexical"
PATH = "path"
SEMANTIC = "semantic"
LITERAL = "literal"
CHANNELS = (SYMBOL, LEXICAL, PATH, SEMANTIC, LITERAL)
IMPORTED = "import"  # never alone: it starts from what the others found


class QueryTooSlow(Exception):
    """The database gave up at the time limit."""


class Ranked(NamedTuple):
    """One row of a channel; `chunk_id` is None where a file has no chunk.

    `covered` is the share of the question's weight that the found chunks of the file hold
    together; `held` that of the words of a text to be found as it stands, in this chunk alone.
    """

    repository_id: int
    file_id: int
    chunk_id: int | None
    score: float
    path: str = ""
    covered: float = 0.0
    held: float = 0.0


@contextmanager
def bounded(milliseconds: int = STATEMENT_MILLISECONDS) -> Iterator[None]:
    """Limit each statement inside; raises QueryTooSlow. The limit ends with the block."""
    nested = connection.in_atomic_block  # else it ends with the transaction
    try:
        with transaction.atomic():
            run(LIMIT_TIME, {"limit": str(milliseconds)})
            yield
            if nested:
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


def array(values: Iterable[object]) -> str:
    """Numbers, None and plain words as the text of an array: the driver takes ten times as long."""
    return "{" + ",".join(["NULL" if value is None else str(value) for value in values]) + "}"


LIMIT_TIME = "SELECT set_config('statement_timeout', %(limit)s, true) /* search: limit */"

# Numbers of files are unique over all repositories (repos/rows.py).
FILTERS = """f.classification = 'indexed'
        AND (%(languages)s::text[] IS NULL OR f.language = ANY(%(languages)s::text[]))
        AND f.language <> ALL(%(not_languages)s::text[])
        AND f.path ILIKE ALL(%(paths)s::text[])
        AND NOT f.path ILIKE ANY(%(not_paths)s::text[])
        AND (%(only_files)s::bigint[] IS NULL OR {file id} = ANY(%(only_files)s::bigint[]))
        AND (%(excluded)s::tsquery IS NULL OR NOT EXISTS (
            SELECT FROM indexing_chunk x
            WHERE x.repository_id = f.repository_id AND x.file_id = f.id
                AND x.terms @@ %(excluded)s::tsquery))"""

# The files of the snapshots that pass the filters, where a statement begins with files.
FILES = """WITH scope AS (
    SELECT * FROM unnest(%(repositories)s::bigint[], %(snapshots)s::bigint[])
        AS given(repository_id, snapshot)
), files AS (
    SELECT f.repository_id, f.id, f.path
    FROM scope
    JOIN repos_file f ON f.repository_id = scope.repository_id
        AND f.first_snapshot <= scope.snapshot
        AND (f.last_snapshot IS NULL OR f.last_snapshot >= scope.snapshot)
    WHERE {filters}
)"""

# The same for the file of one row, where a statement begins with few rows: OFFSET 0 keeps the
# planner from reading every file of the scope to join them, and the sum keeps the numbers asked for
# out of the index, which would put them in order for each row anew.
ITS_FILE = """LATERAL (
    SELECT f.path FROM repos_file f
    WHERE f.repository_id = {row}.repository_id AND f.id = {row}.file_id
        AND int8range(f.first_snapshot, f.last_snapshot, '[]') @> (%(snapshots)s::bigint[])[
            array_position(%(repositories)s::bigint[], f.repository_id)]
        AND {filters}
    OFFSET 0
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
# not in it yet, by content_waiting. `{sifted by}` is one of the operators that the index knows.
SIFTED = """
    (%(sieve)s::text IS NULL OR NOT t.trigram_indexed
        OR (t.trigram_indexed AND t.text {sifted by} %(sieve)s::text))"""


_ITS_FILE = re.compile(r"\{file of (\w+)\}")


def over_files(statement: str) -> str:
    """A statement with the shared parts in the places it names."""
    files = FILES.replace("{filters}", FILTERS.replace("{file id}", "f.id"))
    its_file = ITS_FILE.replace("{filters}", FILTERS.replace("{file id}", "(f.id + 0)"))
    whole = statement.replace("{files}", files).replace("{kinds}", KINDS)
    whole = _ITS_FILE.sub(lambda match: its_file.replace("{row}", match[1]), whole)
    return whole.replace("{sifted}", SIFTED)


STATISTICS = """
/* search: statistics; uses indexing_termcount_pkey */
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

# The nearest texts first, then what holds them: a join over every chunk costs ten times the
# distances. `{distance}` and `{near}` say how they are found.
NEAREST = """
/* search: {tag} */
WITH near AS MATERIALIZED (
    SELECT e.repository_id, e.embed_hash, {distance} AS distance
    FROM indexing_embedding e
    WHERE e.repository_id = ANY(%(repositories)s::bigint[]) AND e.model = %(model)s
    ORDER BY {distance}
    LIMIT %(near)s
)
SELECT c.repository_id, c.file_id, c.id, 1 - n.distance AS score, f.path
FROM near n
JOIN indexing_chunk c ON c.repository_id = n.repository_id AND c.embed_hash = n.embed_hash
CROSS JOIN {file of c} AS f
WHERE {kinds}
ORDER BY n.distance, c.repository_id, c.id
LIMIT %(rows)s"""


def _nearest(tag: str, distance: str) -> str:
    return over_files(NEAREST.replace("{tag}", tag).replace("{distance}", distance))


SEMANTIC_SQL = _nearest(
    "semantic; uses indexing_embedding_pkey and chunk_embed_hash",
    "e.vector <=> %(vector)s::halfvec",
)
# Above EXACT_VECTORS the index of the model (indexing/vectors.py) is asked; the expression and the
# model's name are those of the index, or it would not be used.
NEAR_SQL = _nearest(
    "near; uses the hnsw index of the model, and chunk_embed_hash",
    "(e.vector::halfvec({dimensions}) <=> %(vector)s::halfvec({dimensions}))",
)
# Where filters leave few chunks, these are compared, however far they are. OFFSET 0 as above: the
# planner takes the files for many, and would read every chunk.
FILTERED_SQL = over_files("""
/* search: semantic, filtered; uses chunk_file and indexing_embedding_pkey */
{files}
SELECT c.repository_id, c.file_id, c.id, 1 - (e.vector <=> %(vector)s::halfvec) AS score, f.path
FROM files f
CROSS JOIN LATERAL (
    SELECT * FROM indexing_chunk c WHERE c.repository_id = f.repository_id AND c.file_id = f.id
    OFFSET 0
) AS c
JOIN indexing_embedding e ON e.repository_id = c.repository_id
    AND e.model = %(model)s AND e.embed_hash = c.embed_hash
WHERE {kinds}
ORDER BY e.vector <=> %(vector)s::halfvec, c.repository_id, c.id
LIMIT %(rows)s""")
IN_SCOPE = """
/* search: chunks in scope; uses snapshot_number */
SELECT coalesce(sum(n.chunks), 0)
FROM unnest(%(repositories)s::bigint[], %(snapshots)s::bigint[]) AS scope(repository_id, snapshot)
JOIN repos_snapshot n ON n.repository_id = scope.repository_id AND n.number = scope.snapshot"""
SCAN = """SELECT set_config('hnsw.ef_search', %(breadth)s, true),
    set_config('hnsw.iterative_scan', 'relaxed_order', true) /* search: breadth */"""


def semantic(
    vector: Sequence[float], model: str, scope: Scope, *, rows: int = NEAREST_ROWS
) -> list[Ranked]:
    """By cosine: exact up to EXACT_VECTORS, by the model's index above; bounded either way."""
    text = "[" + ",".join(f"{number:.6g}" for number in vector) + "]"
    parameters = {
        **scope.parameters(), "vector": text, "model": model, "rows": rows, "near": rows + SPARE
    }  # fmt: skip
    ((chunks,),) = run(IN_SCOPE, parameters)
    statement = SEMANTIC_SQL
    if chunks > EXACT_VECTORS and has_index(model):
        run(SCAN, {"breadth": str(BREADTH)})
        statement = NEAR_SQL.replace("{dimensions}", str(len(vector)))
    found = run(statement, parameters)
    if len(found) < rows and (scope.is_narrow or scope.has_kinds):
        found = run(FILTERED_SQL, parameters)
    elif len(found) < min(rows, chunks):
        # Texts that were changed often leave a vector in every snapshot that is kept.
        found = run(statement, {**parameters, "near": FURTHER * (rows + SPARE)})
    return list(starmap(Ranked, found))


HOLDING_SQL = over_files("""
/* search: holding; uses chunk_terms */
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
