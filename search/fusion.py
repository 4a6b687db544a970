"""Reciprocal rank fusion of the channels, for chunks and for the files they are in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search.channels import IMPORTED, LEXICAL, LITERAL, PATH, SEMANTIC, SYMBOL, Ranked, run

RRF_K = 60
# A file is its best chunk and a share of its next two; measured in docs/benchmarks.md.
NEXT_SHARE = 0.3
FILE_WEIGHT = 1.0  # of the file's score in that of a chunk
CHUNK_WEIGHT = 0.5  # of the best chunk's score in that of its file
WEIGHTS = {SYMBOL: 0.5, LEXICAL: 1.0, PATH: 0.5, SEMANTIC: 0.7, LITERAL: 2.0, IMPORTED: 0.3}
NAME_WEIGHTS = {SYMBOL: 4.0, PATH: 1.0}
PATH_WEIGHTS = {PATH: 6.0}


@dataclass(frozen=True, slots=True)
class Fused:
    """`score` orders chunks, `file_score` files; `channels` found the chunk."""

    repository_id: int
    file_id: int
    chunk_id: int | None
    score: float
    file_score: float
    channels: tuple[str, ...]


FUSION = """
/* search: fusion */
WITH ranked AS (
    SELECT * FROM unnest(%(channels)s::text[], %(repositories)s::bigint[], %(files)s::bigint[],
        %(chunks)s::bigint[], %(scores)s::float8[]) WITH ORDINALITY
        AS given(channel, repository_id, file_id, chunk_id, score, place)
), weights AS (
    SELECT * FROM unnest(%(names)s::text[], %(weights)s::float8[]) AS given(channel, weight)
), placed AS (
    SELECT *, row_number() OVER (PARTITION BY channel ORDER BY place) AS chunk_rank,
        row_number() OVER (PARTITION BY channel, repository_id, file_id ORDER BY place) AS nth,
        min(place) OVER (PARTITION BY channel, repository_id, file_id) AS first_place
    FROM ranked
), file_scores AS (
    SELECT channel, repository_id, file_id, first_place,
        sum(score * CASE WHEN nth = 1 THEN 1 ELSE %(share)s END) AS score
    FROM placed
    WHERE nth <= 3
    GROUP BY channel, repository_id, file_id, first_place
), file_ranks AS (
    SELECT *, row_number() OVER (PARTITION BY channel ORDER BY score DESC, first_place) AS rank
    FROM file_scores
), fused_files AS (
    SELECT repository_id, file_id, sum(weight / (%(k)s + rank)) AS score
    FROM file_ranks JOIN weights USING (channel)
    GROUP BY repository_id, file_id
), fused_chunks AS (
    SELECT repository_id, file_id, chunk_id, sum(weight / (%(k)s + chunk_rank)) AS score,
        array_agg(channel ORDER BY chunk_rank, channel) AS channels
    FROM placed JOIN weights USING (channel)
    GROUP BY repository_id, file_id, chunk_id
)
SELECT c.repository_id, c.file_id, c.chunk_id,
    c.score + %(file_weight)s * f.score AS score,
    f.score + %(chunk_weight)s * max(c.score) OVER (
        PARTITION BY c.repository_id, c.file_id) AS file_score,
    c.channels
FROM fused_chunks c
JOIN fused_files f USING (repository_id, file_id)
ORDER BY score DESC, c.repository_id, c.file_id, c.chunk_id
LIMIT %(rows)s"""


def fuse(
    found: Mapping[str, Sequence[Ranked]], *, weights: Mapping[str, float] = WEIGHTS, rows: int
) -> list[Fused]:
    flat = [(channel, row) for channel, ranked in found.items() for row in ranked]
    parameters = {
        "channels": [channel for channel, _ in flat],
        "repositories": [row.repository_id for _, row in flat],
        "files": [row.file_id for _, row in flat],
        "chunks": [row.chunk_id for _, row in flat],
        "scores": [row.score for _, row in flat],
        "names": list(weights),
        "weights": list(weights.values()),
        "share": NEXT_SHARE,
        "file_weight": FILE_WEIGHT,
        "chunk_weight": CHUNK_WEIGHT,
        "k": RRF_K,
        "rows": rows,
    }
    return [
        Fused(repository, file, chunk, score, file_score, tuple(channels))
        for repository, file, chunk, score, file_score, channels in run(FUSION, parameters)
    ]
