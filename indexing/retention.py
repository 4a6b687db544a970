"""Old snapshots: which are kept, and taking away the rows that only the others showed.

Kept are the newest ones, those that another app asks for (answers: what they cite), and all
that have not been published. A job does it after a run, in batches that commit by themselves;
one that was killed goes on where the rows say it stood.
"""

from bisect import bisect_left
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import QuerySet

from indexing.keepers import KEEPERS
from indexing.models import Embedding, EmbedRefusal, TermCount
from indexing.postings import remove_dead
from indexing.store import delete_derived
from repos.models import Repository, Snapshot

BATCH = 200  # files; of imports, terms and vectors as many rows as BATCH_ROWS
BATCH_ROWS = 5_000

# A row is shown by the snapshots in its interval; one that holds no kept snapshot is not needed.
FILES = """
/* files_of_no_kept_snapshot: uses file_last */
SELECT f.id FROM repos_file f
WHERE f.repository_id = %(repository)s AND f.last_snapshot < %(newest)s
  AND NOT EXISTS (SELECT FROM unnest(%(kept)s::int[]) AS k (number)
                  WHERE k.number BETWEEN f.first_snapshot AND f.last_snapshot)
LIMIT %(batch)s
"""
DELETE_FILES = """
/* delete_files_of_no_kept_snapshot */
DELETE FROM repos_file WHERE repository_id = %(repository)s AND id = ANY(%(ids)s)
"""
DELETE_IMPORTS = """
/* delete_imports_of_no_kept_snapshot */
DELETE FROM indexing_import WHERE repository_id = %(repository)s AND id IN (
    SELECT i.id FROM indexing_import i
    WHERE i.repository_id = %(repository)s AND i.last_snapshot < %(newest)s
      AND NOT EXISTS (SELECT FROM unnest(%(kept)s::int[]) AS k (number)
                      WHERE k.number BETWEEN i.first_snapshot AND i.last_snapshot)
    LIMIT %(batch)s
)
"""
# Differences add up: those of a snapshot that goes are told by the next one that stays.
FOLD_TERMS = """
/* fold_terms */
WITH gone AS (
    DELETE FROM indexing_termcount
    WHERE repository_id = %(repository)s AND snapshot = %(gone)s
    RETURNING term, chunks
)
INSERT INTO indexing_termcount AS t (repository_id, term, snapshot, chunks)
SELECT %(repository)s, term, %(next)s, chunks FROM gone
ON CONFLICT (repository_id, term, snapshot) DO UPDATE SET chunks = t.chunks + excluded.chunks
"""
DELETE_OF_NO_CHUNK = """
/* delete_{table}_of_no_chunk: uses chunk_embed_hash */
DELETE FROM indexing_{table} e
USING unnest(%(hashes)s::bytea[]) AS h (hash)
WHERE e.repository_id = %(repository)s AND e.embed_hash = h.hash
  AND NOT EXISTS (SELECT FROM indexing_chunk c
                  WHERE c.repository_id = e.repository_id AND c.embed_hash = e.embed_hash)
"""


def kept_numbers(repository: Repository) -> list[int]:
    """The published snapshots that stay, in order; empty where none was published."""
    published = list(_published(repository).order_by("number").values_list("number", flat=True))
    asked = {number for keeper in KEEPERS for number in keeper(repository)}
    asked.add(repository.published_snapshot or 0)
    newest = set(published[-settings.KEEP_SNAPSHOTS :])
    return [number for number in published if number in newest or number in asked]


def has_old_snapshots(repository: Repository) -> bool:
    return _published(repository).count() > settings.KEEP_SNAPSHOTS


def prune(repository: Repository) -> int:
    """Take away what no kept snapshot shows; how many snapshots went. Safe to run again."""
    kept = kept_numbers(repository)
    if not kept:
        return 0
    # From this commit on nobody can ask for them; their rows follow.
    gone = _published(repository).exclude(number__in=kept).update(state=Snapshot.State.PRUNED)
    _fold_terms(repository, kept)
    parameters = {"repository": repository.pk, "kept": kept, "newest": kept[-1]}
    while ids := _files(parameters):
        with transaction.atomic(), connection.cursor() as cursor:
            delete_derived(repository.pk, ids)
            cursor.execute(DELETE_FILES, {"repository": repository.pk, "ids": ids})
    while _executed(DELETE_IMPORTS, {**parameters, "batch": BATCH_ROWS}):
        pass
    for model in (Embedding, EmbedRefusal):
        _delete_of_no_chunk(model, repository)
    remove_dead(repository.pk)
    return gone


def _published(repository: Repository) -> QuerySet[Snapshot]:
    return repository.snapshots.filter(state=Snapshot.State.PUBLISHED)


def _files(parameters: dict[str, Any]) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(FILES, {**parameters, "batch": BATCH})
        return [int(row[0]) for row in cursor.fetchall()]


def _executed(statement: str, parameters: dict[str, Any]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return int(cursor.rowcount)


def _fold_terms(repository: Repository, kept: list[int]) -> None:
    counts = TermCount.objects.filter(repository_id=repository.pk, snapshot__lt=kept[-1])
    numbers = counts.order_by("snapshot").values_list("snapshot", flat=True).distinct()
    for number in [one for one in numbers if one not in set(kept)]:
        following = kept[bisect_left(kept, number)]
        with transaction.atomic():
            _executed(FOLD_TERMS, {"repository": repository.pk, "gone": number, "next": following})
            empty = TermCount.objects.filter(repository_id=repository.pk, snapshot=following)
            empty.filter(chunks=0).delete()


def _delete_of_no_chunk(model: type[Embedding | EmbedRefusal], repository: Repository) -> None:
    """Page by page through the vectors, or why there are none, in order of their hashes."""
    statement = DELETE_OF_NO_CHUNK.format(table=model.__name__.lower())
    mine = model.objects.filter(repository_id=repository.pk).order_by("embed_hash")
    after = b""
    while True:
        page = mine.filter(embed_hash__gt=after).values_list("embed_hash", flat=True)
        hashes = [bytes(one) for one in page.distinct()[:BATCH_ROWS]]
        if not hashes:
            return
        _executed(statement, {"repository": repository.pk, "hashes": hashes})
        after = hashes[-1]
