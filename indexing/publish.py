"""Statistics and totals of a draft snapshot, and the one update that makes it visible."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

from django.db import connection, transaction
from django.utils import timezone

from indexing.models import IndexRun, TermCount
from repos.models import File, Repository, Snapshot

# ts_stat takes its query as text; the numbers in it are integers of ours.
COUNT_TERMS = """
/* count_terms */
INSERT INTO indexing_termcount (repository_id, term, snapshot, chunks)
SELECT %(repository)s, word, %(number)s, sum(chunks) FROM (
    SELECT word, ndoc AS chunks FROM ts_stat(format(
        'SELECT c.terms FROM indexing_chunk c JOIN repos_file f
            ON f.repository_id = c.repository_id AND f.id = c.file_id
         WHERE c.repository_id = %%s AND f.first_snapshot = %%s',
        %(repository)s::bigint, %(number)s::int))
    UNION ALL
    SELECT word, -ndoc FROM ts_stat(format(
        'SELECT c.terms FROM indexing_chunk c JOIN repos_file f
            ON f.repository_id = c.repository_id AND f.id = c.file_id
         WHERE c.repository_id = %%s AND f.last_snapshot = %%s',
        %(repository)s::bigint, %(number)s::int - 1))
) difference
GROUP BY word HAVING sum(chunks) <> 0
"""
# A renamed file has the same blob, so its chunks are the same lines: their vectors are taken
# over although the breadcrumb in the embedded text has changed (a rename costs no embedding).
# Not so where other rules made the new rows: then the old vectors stand for another text.
REUSE_VECTORS = """
/* reuse_vectors */
INSERT INTO indexing_embedding (repository_id, model, embed_hash, vector)
SELECT DISTINCT ON (new.embed_hash) new.repository_id, v.model, new.embed_hash, v.vector
FROM repos_file f
JOIN indexing_chunk new ON new.repository_id = f.repository_id AND new.file_id = f.id
JOIN repos_file g ON g.repository_id = f.repository_id AND g.blob_sha = f.blob_sha
    AND g.last_snapshot = %(number)s - 1 AND g.path <> f.path
JOIN indexing_content a ON a.repository_id = f.repository_id AND a.file_id = f.id
JOIN indexing_content b ON b.repository_id = g.repository_id AND b.file_id = g.id
    AND b.scrub_version = a.scrub_version AND b.index_version = a.index_version
JOIN indexing_chunk old ON old.repository_id = g.repository_id AND old.file_id = g.id
    AND old.start_line = new.start_line AND old.end_line = new.end_line
JOIN indexing_embedding v ON v.repository_id = old.repository_id
    AND v.embed_hash = old.embed_hash
WHERE f.repository_id = %(repository)s AND f.first_snapshot = %(number)s
ON CONFLICT DO NOTHING
"""
TOTALS = """
/* snapshot_totals */
WITH live AS MATERIALIZED (
    SELECT id, classification, lines, size FROM repos_file
    WHERE repository_id = %(repository)s AND first_snapshot <= %(number)s
      AND (last_snapshot IS NULL OR last_snapshot >= %(number)s)
), chunk AS (
    SELECT count(*) AS chunks, coalesce(sum(length), 0) AS tokens
    FROM indexing_chunk c JOIN live ON live.id = c.file_id
    WHERE c.repository_id = %(repository)s
)
UPDATE repos_snapshot s SET
    files = (SELECT count(*) FROM live),
    indexed_files = (SELECT count(*) FROM live WHERE classification = 'indexed'),
    lines = (SELECT coalesce(sum(lines), 0) FROM live WHERE classification = 'indexed'),
    bytes = (SELECT coalesce(sum(size), 0) FROM live WHERE classification = 'indexed'),
    symbols = (SELECT count(*) FROM indexing_symbol y JOIN live ON live.id = y.file_id
               WHERE y.repository_id = %(repository)s),
    chunks = chunk.chunks,
    tokens = chunk.tokens
FROM chunk
WHERE s.repository_id = %(repository)s AND s.number = %(number)s
"""
SETTLE = "/* settle_terms */ SELECT gin_clean_pending_list('chunk_terms'::regclass)"
ANALYZE = (
    "ANALYZE repos_file, indexing_chunk, indexing_symbol, indexing_import, indexing_termcount, "
    "indexing_content, indexing_embedinput, indexing_embedding"
)
ANALYZE_FROM_FILES = 100  # smaller changes are autovacuum's business


def count_terms(snapshot: Snapshot) -> None:
    """Document frequencies as the difference to the snapshots before. Undoes itself first."""
    parameters = {"repository": snapshot.repository_id, "number": snapshot.number}
    with transaction.atomic(), connection.cursor() as cursor:
        TermCount.objects.filter(
            repository_id=snapshot.repository_id, snapshot=snapshot.number
        ).delete()
        cursor.execute(COUNT_TERMS, parameters)


def reuse_vectors(snapshot: Snapshot) -> int:
    """Vectors of renamed files under their new hashes; how many."""
    parameters = {"repository": snapshot.repository_id, "number": snapshot.number}
    with connection.cursor() as cursor:
        cursor.execute(REUSE_VECTORS, parameters)
        return int(cursor.rowcount)


def count_totals(snapshot: Snapshot) -> None:
    parameters = {"repository": snapshot.repository_id, "number": snapshot.number}
    with connection.cursor() as cursor:
        cursor.execute(TOTALS, parameters)
    snapshot.refresh_from_db()


@contextmanager
def settling_terms() -> Iterator[None]:
    """Enter the waiting chunks into the index of terms: searches would read the list in full.

    Beside the block, over a connection of its own: nothing in it asks the index, and for twenty
    thousand chunks both take half a second. The block is left when both are done.
    """
    with ThreadPoolExecutor(1, thread_name_prefix="settle-terms") as pool:
        settled = pool.submit(_settle)
        yield
        settled.result()


def _settle() -> None:
    try:
        with connection.cursor() as cursor:
            cursor.execute(SETTLE)
    finally:
        connection.close()


def refresh_planner(snapshot: Snapshot) -> None:
    """Let the planner know of a large change before the statements that count it.

    With the statistics of yesterday's tables it may join the new rows one by one: half a minute
    instead of a second was seen. The first searches come right after, too.
    """
    new = File.objects.filter(
        repository_id=snapshot.repository_id, first_snapshot=snapshot.number
    ).count()
    if new >= ANALYZE_FROM_FILES:
        with connection.cursor() as cursor:
            cursor.execute(ANALYZE)


def publish(run: IndexRun, snapshot: Snapshot) -> None:
    """Readers see the new snapshot from this commit on, whole; before it, the old one."""
    now = timezone.now()
    with transaction.atomic():
        Repository.objects.filter(pk=snapshot.repository_id).update(
            published_snapshot=snapshot.number
        )
        Snapshot.objects.filter(pk=snapshot.pk).update(
            state=Snapshot.State.PUBLISHED, published=now
        )
        IndexRun.objects.filter(pk=run.pk).update(searchable=now)
