"""One order from the rows of all channels: weighted sums of scores, each out of its best.

Every channel gives its best chunk, and its best file, its whole weight and the others a share
by score. Sums of scores stand above sums of ranks here: the distance between the first and
the second is worth knowing, and ranks forget it (docs/benchmarks-retrieval.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from search.channels import IMPORTED, LEXICAL, LITERAL, PATH, SEMANTIC, SYMBOL, Ranked, array, run

# A file is its best chunk and a share of its next two; of meaning the best alone.
NEXT_SHARE = 0.3
BEST_ALONE = frozenset({SEMANTIC})
# A file that holds all words of the question, anywhere, gains this much of a best file.
COVERED_WEIGHT = 0.5
FILE_WEIGHT = 1.0  # of the file's score in that of a chunk
WEIGHTS = {SYMBOL: 0.3, LEXICAL: 1.0, PATH: 0.5, SEMANTIC: 0.4, LITERAL: 2.0, IMPORTED: 0.1}
NAME_WEIGHTS = {SYMBOL: 4.0, PATH: 1.0}
PATH_WEIGHTS = {PATH: 6.0}
PLAIN_WEIGHTS = {LITERAL: 1.0}  # plain words that stand somewhere as they are
# What a channel calls a full score; others measure by their best row. A log that repeats the
# words is found by nothing else, and would have the whole weight for it.
FULL_SCORES = {LITERAL: 2.0}


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
        %(chunks)s::bigint[], %(scores)s::float8[], %(covered)s::float8[]) WITH ORDINALITY
        AS given(channel, repository_id, file_id, chunk_id, score, covered, place)
), weights AS (
    SELECT * FROM unnest(%(names)s::text[], %(weights)s::float8[], %(shares)s::float8[],
        %(full)s::float8[]) AS given(channel, weight, share, full_score)
), placed AS (
    SELECT *, weight * score / greatest(max(score) OVER (PARTITION BY channel), full_score)
            AS part,
        row_number() OVER (PARTITION BY channel, repository_id, file_id ORDER BY place) AS nth
    FROM ranked JOIN weights USING (channel)
    WHERE score > 0
), file_scores AS (
    SELECT channel, repository_id, file_id, weight, full_score, max(covered) AS covered,
        sum(score * CASE WHEN nth = 1 THEN 1 ELSE share END) AS score
    FROM placed
    WHERE nth <= 3
    GROUP BY channel, repository_id, file_id, weight, full_score
), file_parts AS (
    SELECT repository_id, file_id, weight * (%(covered_weight)s * covered
            + score / greatest(max(score) OVER (PARTITION BY channel), full_score)) AS part
    FROM file_scores
), fused_files AS (
    SELECT repository_id, file_id, sum(part) AS score
    FROM file_parts
    GROUP BY repository_id, file_id
), fused_chunks AS (
    SELECT repository_id, file_id, chunk_id, sum(part) AS score, min(place) AS place,
        array_agg(channel ORDER BY part DESC, channel) AS channels
    FROM placed
    GROUP BY repository_id, file_id, chunk_id
)
SELECT c.repository_id, c.file_id, c.chunk_id, c.score + %(file_weight)s * f.score AS score,
    f.score AS file_score, c.channels
FROM fused_chunks c
JOIN fused_files f USING (repository_id, file_id)
ORDER BY score DESC, c.place
LIMIT %(rows)s"""


def fuse(
    found: Mapping[str, Sequence[Ranked]], *, weights: Mapping[str, float] = WEIGHTS, rows: int
) -> list[Fused]:
    """Rows come best first in each channel; those without a score above 0 are left out."""
    flat = [(channel, row) for channel, ranked in found.items() for row in ranked]
    parameters = {
        "channels": array(channel for channel, _ in flat),
        "repositories": array(row.repository_id for _, row in flat),
        "files": array(row.file_id for _, row in flat),
        "chunks": array(row.chunk_id for _, row in flat),
        "scores": array(row.score for _, row in flat),
        "covered": array(row.covered for _, row in flat),
        "names": list(weights),
        "weights": list(weights.values()),
        "shares": [0.0 if channel in BEST_ALONE else NEXT_SHARE for channel in weights],
        "full": [FULL_SCORES.get(channel, 0.0) for channel in weights],
        "covered_weight": COVERED_WEIGHT,
        "file_weight": FILE_WEIGHT,
        "rows": rows,
    }
    return [
        Fused(repository, file, chunk, score, file_score, tuple(channels))
        for repository, file, chunk, score, file_score, channels in run(FUSION, parameters)
    ]
