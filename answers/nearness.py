"""How near in meaning the best hits are to the question; the fused ranks do not say."""

from collections.abc import Sequence

from indexing.query_vectors import QueryVector, query_vectors
from search.channels import bounded, run
from search.retrieval import ChunkHit

BEST = 3  # hits; further ones are near to anything

COSINE = """
/* answers: cosine */
SELECT max(1 - (e.vector <=> %(vector)s::halfvec))
FROM unnest(%(repositories)s::bigint[], %(chunks)s::bigint[]) AS given(repository_id, id)
JOIN indexing_chunk c ON c.repository_id = given.repository_id AND c.id = given.id
JOIN indexing_embedding e ON e.repository_id = c.repository_id
    AND e.model = %(model)s AND e.embed_hash = c.embed_hash
LIMIT 1"""


def cosine_of_best(words: str, hits: Sequence[ChunkHit]) -> float | None:
    """The cosine of the nearest of the best hits, None where none of them has a vector."""
    best = [hit for hit in hits if hit.chunk_id is not None][:BEST]
    vectors = query_vectors(words, {hit.repository_id for hit in best})
    found = [_cosine(one, best) for one in vectors]
    return max((nearest for nearest in found if nearest is not None), default=None)


def _cosine(asked: QueryVector, hits: Sequence[ChunkHit]) -> float | None:
    mine = [hit for hit in hits if hit.repository_id in asked.repositories]
    parameters = {
        "vector": "[" + ",".join(f"{number:.6g}" for number in asked.vector) + "]",
        "model": asked.model,
        "repositories": [hit.repository_id for hit in mine],
        "chunks": [hit.chunk_id for hit in mine],
    }
    with bounded():
        (nearest,) = run(COSINE, parameters)[0]
    return None if nearest is None else float(nearest)
