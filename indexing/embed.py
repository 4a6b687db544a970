"""Vectors for the texts of a repository: the stage of a run, and the same in the background.

What is not embedded is counted and shown; search works without it. Each batch commits by itself,
so that what was paid is kept whatever happens next.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Protocol

from django.conf import settings
from django.db import connection
from django.db.models import F
from django.utils.translation import gettext as _
from pgvector import HalfVector

from accounts.models import User
from indexing import vectors
from indexing.local_model import MODEL_NAME as LOCAL_MODEL
from indexing.local_model import local_model
from indexing.vector_models import EmbedRefusal, VectorSet
from outbound.asking import EmbeddedBatch, SentRange
from outbound.embedding import embed_batches
from outbound.failures import BrokenReply
from outbound.models import SentLines
from repos.models import Repository

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
  AND NOT EXISTS (
    SELECT FROM indexing_embedrefusal r
    WHERE r.repository_id = c.repository_id AND r.model = %(model)s
      AND r.embed_hash = c.embed_hash)
ORDER BY c.embed_hash
LIMIT %(limit)s
"""
COUNTS = """
/* embedded_counts */
SELECT count(DISTINCT c.embed_hash), count(DISTINCT v.embed_hash), count(DISTINCT r.embed_hash)
FROM indexing_chunk c
JOIN repos_file f ON f.repository_id = c.repository_id AND f.id = c.file_id
LEFT JOIN indexing_embedding v ON v.repository_id = c.repository_id
    AND v.model = %(model)s AND v.embed_hash = c.embed_hash
LEFT JOIN indexing_embedrefusal r ON r.repository_id = c.repository_id
    AND r.model = %(model)s AND r.embed_hash = c.embed_hash
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
LINES = """
/* lines_of_texts */
SELECT c.embed_hash, f.path, c.start_line, c.end_line
FROM indexing_chunk c
JOIN repos_file f ON f.repository_id = c.repository_id AND f.id = c.file_id
WHERE c.repository_id = %(repository)s AND f.last_snapshot IS NULL
  AND c.embed_hash = ANY(%(hashes)s::bytea[])
ORDER BY f.path, c.start_line
"""
Row = tuple[bytes, str]


class Sink(Protocol):
    """Where the work is reported: a run's progress, or a turn in the background. All of it may
    raise to stop the work."""

    def writing(self) -> AbstractContextManager[Any]: ...
    def add(self, count: int) -> None: ...
    def pause(self, seconds: float) -> None: ...


@dataclass(frozen=True, slots=True)
class Sender:
    """Who has the texts embedded, for what, and at which commit they stand."""

    repository_id: int
    slug: str
    number: int  # of the published snapshot
    commit: str
    person: User | None
    subject: str


def embedding_model() -> str:
    """The name under which new vectors are stored, or "" where embeddings are off."""
    if settings.EMBEDDING_MODEL == "none":
        return ""
    return LOCAL_MODEL if settings.EMBEDDING_MODEL == "local" else str(settings.EMBEDDING_MODEL)


def embedded_counts(repository_id: int, number: int, model: str = "") -> tuple[int, int]:
    """(texts to embed, texts embedded) of a snapshot, for the given or the current model."""
    texts, done, _refused = _counts(repository_id, number, model or embedding_model())
    return texts, done


def _counts(repository_id: int, number: int, model: str) -> tuple[int, int, int]:
    parameters: dict[str, Any] = {"repository": repository_id, "number": number, "model": model}
    with connection.cursor() as cursor:
        cursor.execute(COUNTS, parameters)
        texts, done, refused = cursor.fetchone()
    return int(texts), int(done), int(refused)


def count_set(sender: Sender, model: str) -> VectorSet:
    """The row that says how far the vectors of a model are, counted anew."""
    texts, done, refused = _counts(sender.repository_id, sender.number, model)
    counted = {"texts": texts, "embedded": done, "refused": refused}
    row, _made = VectorSet.objects.update_or_create(
        repository_id=sender.repository_id, model=model, defaults=counted
    )
    return row


def embed_missing(sender: Sender, sink: Sink) -> None:
    """Embed what has no vector of the current model yet, lowest hash first.

    Raises ModelUnavailable or outbound.failures.ModelFailed where it cannot go on.
    """
    model = embedding_model()
    embedded = _embedded_here if model == LOCAL_MODEL else _embedded_there
    after = b""
    while rows := _missing(sender.repository_id, model, after):
        after = rows[-1][0]
        for hashes, batch in embedded(rows, sender, sink):
            with sink.writing():
                _keep(sender.repository_id, model, hashes, batch)
            sink.add(len(batch.vectors))


def _missing(repository_id: int, model: str, after: bytes) -> list[Row]:
    parameters: dict[str, Any] = {
        "repository": repository_id,
        "after": after,
        "model": model,
        "limit": FETCH,
    }
    with connection.cursor() as cursor:
        cursor.execute(MISSING, parameters)
        return [(bytes(row[0]), str(row[1])) for row in cursor.fetchall()]


def _embedded_here(
    rows: list[Row], _sender: Sender, _sink: Sink
) -> Iterator[tuple[list[bytes], EmbeddedBatch]]:
    model = local_model(os.cpu_count() or 1)
    rows = sorted(rows, key=lambda row: len(row[1]))
    for start in range(0, len(rows), BATCH):
        part = rows[start : start + BATCH]
        found = model.embed([text for _, text in part])
        yield [one for one, _ in part], EmbeddedBatch(dict(enumerate(found.tolist())))


def _embedded_there(
    rows: list[Row], sender: Sender, sink: Sink
) -> Iterator[tuple[list[bytes], EmbeddedBatch]]:
    """By a provider, with a record of the lines that go there."""
    hashes = [one for one, _ in rows]
    lines = _lines_of(sender, hashes)
    batches = embed_batches(
        [text for _, text in rows],
        model=embedding_model(),
        person=sender.person,
        subject=sender.subject,
        sent=[lines.get(one, []) for one in hashes],
        pause=sink.pause,
    )
    for batch in batches:
        yield hashes, batch


def _lines_of(sender: Sender, hashes: list[bytes]) -> dict[bytes, list[SentRange]]:
    found: dict[bytes, list[SentRange]] = {}
    parameters: dict[str, Any] = {"repository": sender.repository_id, "hashes": hashes}
    with connection.cursor() as cursor:
        cursor.execute(LINES, parameters)
        for one, path, start, end in cursor.fetchall():
            what = SentLines.What.EMBED
            lines = SentRange(
                sender.repository_id, sender.slug, sender.commit, path, start, end, what
            )
            found.setdefault(bytes(one), []).append(lines)
    return found


def _keep(repository_id: int, model: str, hashes: Sequence[bytes], batch: EmbeddedBatch) -> None:
    """Raises Repository.DoesNotExist where it was removed meanwhile: vectors have no foreign key
    that would refuse them, and a removal that goes on must not be outlived."""
    Repository.objects.select_for_update(no_key=True).get(pk=repository_id)
    found = {hashes[place]: list(vector) for place, vector in batch.vectors.items()}
    row = VectorSet.objects.get(repository_id=repository_id, model=model)
    dimension = _dimension(row, found)
    _insert(repository_id, model, found)
    EmbedRefusal.objects.bulk_create(
        [
            EmbedRefusal(
                repository_id=repository_id, model=model, embed_hash=hashes[place], reason=reason
            )
            for place, reason in batch.refused.items()
        ],
        ignore_conflicts=True,
    )
    VectorSet.objects.filter(pk=row.pk).update(
        dimension=dimension,
        embedded=F("embedded") + len(found),
        refused=F("refused") + len(batch.refused),
    )
    if found and not vectors.serving_models([repository_id]):
        vectors.choose_serving(repository_id, model)


def _dimension(row: VectorSet, found: Mapping[bytes, Sequence[float]]) -> int:
    """Vectors of one model that differ in length cannot be compared: BrokenReply."""
    given = len(next(iter(found.values()))) if found else row.dimension
    if row.dimension and given != row.dimension:
        words = {"model": row.model, "now": given, "before": row.dimension}
        message = _("%(model)s gives vectors of %(now)d numbers now, and gave %(before)d before.")
        raise BrokenReply(message % words)
    return given


def _insert(repository_id: int, model: str, found: Mapping[bytes, Sequence[float]]) -> None:
    parameters: dict[str, Any] = {
        "repository": repository_id,
        "model": model,
        "hashes": list(found),
        "vectors": [HalfVector(list(vector)).to_text() for vector in found.values()],
    }
    with connection.cursor() as cursor:
        cursor.execute(INSERT, parameters)
