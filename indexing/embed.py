"""Vectors for chunks (a stage of a run) and for questions.

What is not embedded is counted and shown; search works without it.
"""

import logging
import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.db import connection
from pgvector import HalfVector

from indexing.local_model import MODEL_NAME as LOCAL_MODEL
from indexing.local_model import ModelUnavailable, local_model
from indexing.progress import Progress

logger = logging.getLogger(__name__)

# Fetched at once and sorted by length, so that the batches within are padded little.
FETCH = 512
BATCH = 32

MISSING = """
/* chunks_without_vector */
SELECT DISTINCT ON (c.embed_hash) c.embed_hash, t.text
FROM indexing_chunk c
JOIN repos_file f ON f.repository_id = c.repository_id AND f.id = c.file_id
JOIN indexing_embedinput t ON t.repository_id = c.repository_id AND t.id = c.id
WHERE c.repository_id = %(repository)s AND f.last_snapshot IS NULL
  AND c.embed_hash > %(after)s
  AND NOT EXISTS (
    SELECT FROM indexing_embedding v
    WHERE v.repository_id = c.repository_id AND v.model = %(model)s
      AND v.embed_hash = c.embed_hash)
ORDER BY c.embed_hash
LIMIT %(limit)s
"""
COUNTS = """
/* embedded_counts */
SELECT count(DISTINCT c.embed_hash), count(DISTINCT v.embed_hash)
FROM indexing_chunk c
JOIN repos_file f ON f.repository_id = c.repository_id AND f.id = c.file_id
LEFT JOIN indexing_embedding v ON v.repository_id = c.repository_id
    AND v.model = %(model)s AND v.embed_hash = c.embed_hash
WHERE c.repository_id = %(repository)s AND f.first_snapshot <= %(number)s
  AND (f.last_snapshot IS NULL OR f.last_snapshot >= %(number)s)
"""
INSERT = """
/* insert_vectors */
INSERT INTO indexing_embedding (repository_id, model, embed_hash, vector)
SELECT %(repository)s, %(model)s, t.hash, t.vector::halfvec
FROM unnest(%(hashes)s::bytea[], %(vectors)s::text[]) AS t (hash, vector)
ON CONFLICT DO NOTHING
"""


def embedding_model() -> str:
    """The name under which vectors are stored, or "" where embeddings are off."""
    return LOCAL_MODEL if settings.EMBEDDING_MODEL == "local" else ""


def embedded_counts(repository_id: int, number: int) -> tuple[int, int]:
    """(texts to embed, texts embedded) of a snapshot, for the current model."""
    parameters: dict[str, Any] = {
        "repository": repository_id,
        "number": number,
        "model": embedding_model(),
    }
    with connection.cursor() as cursor:
        cursor.execute(COUNTS, parameters)
        total, done = cursor.fetchone()
    return int(total), int(done)


def embed_missing(repository_id: int, progress: Progress) -> None:
    """Embed what has no vector yet, oldest hash first; each batch commits by itself."""
    model = local_model(os.cpu_count() or 1)
    after = b""
    while rows := _missing(repository_id, after):
        after = rows[-1][0]
        rows.sort(key=lambda row: len(row[1]))
        for start in range(0, len(rows), BATCH):
            batch = rows[start : start + BATCH]
            vectors = model.embed([text for _, text in batch])
            with progress.writing():
                _insert(repository_id, [one for one, _ in batch], [v.tolist() for v in vectors])
            progress.add(len(batch))


def _missing(repository_id: int, after: bytes) -> list[tuple[bytes, str]]:
    parameters: dict[str, Any] = {
        "repository": repository_id,
        "after": after,
        "model": embedding_model(),
        "limit": FETCH,
    }
    with connection.cursor() as cursor:
        cursor.execute(MISSING, parameters)
        return [(bytes(row[0]), str(row[1])) for row in cursor.fetchall()]


def _insert(
    repository_id: int, hashes: Sequence[bytes], vectors: Sequence[Sequence[float]]
) -> None:
    parameters: dict[str, Any] = {
        "repository": repository_id,
        "model": embedding_model(),
        "hashes": list(hashes),
        "vectors": [HalfVector(list(vector)).to_text() for vector in vectors],
    }
    with connection.cursor() as cursor:
        cursor.execute(INSERT, parameters)


@lru_cache(maxsize=256)
def _vector(_model: str, text: str) -> tuple[float, ...]:
    """Kept for a while: one question is searched several times, and paged through."""
    return tuple(float(number) for number in local_model(1).embed([text])[0])


def embed_query(text: str) -> list[float] | None:
    """The unit vector of a question (384 numbers), or None where there are no embeddings."""
    if not embedding_model() or not text.strip():
        return None
    try:
        return list(_vector(embedding_model(), text))
    except ModelUnavailable as error:
        logger.warning("search goes on without vectors: %s", error)
        return None
