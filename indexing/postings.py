"""Postings for search, written after a snapshot is published: term -> chunks, as bytes.

Search sums them without looking at a single chunk, which is what makes a question over hundreds
of thousands of chunks quick. Until they are there it asks the tsvectors; so nobody waits for
them. See docs/decisions/0014-search-at-size.md.
"""

from django.db import connection, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from indexing.posting_models import ChunkList, Posting
from indexing.progress import Progress
from repos.models import File, Snapshot

MOST_OFTEN = 255  # halves: what a byte holds
LIST = """
/* list_chunks: uses file_first and chunk_file */
INSERT INTO indexing_chunklist (repository_id, snapshot, ids, files, lengths)
SELECT %(repository)s, %(number)s,
    coalesce(string_agg(int8send(c.id), ''::bytea ORDER BY c.id), ''),
    coalesce(string_agg(int8send(c.file_id), ''::bytea ORDER BY c.id), ''),
    coalesce(string_agg(int4send(c.length), ''::bytea ORDER BY c.id), '')
FROM repos_file f
JOIN indexing_chunk c ON c.repository_id = f.repository_id AND c.file_id = f.id
WHERE f.repository_id = %(repository)s AND f.first_snapshot = %(number)s
"""
# A term counts half more where it stands in the path or in the name of the symbol; terms.py
# puts these positions first.
POST = """
/* post_terms: uses file_first and chunk_file */
INSERT INTO indexing_posting (repository_id, term, snapshot, chunks)
SELECT %(repository)s, u.lexeme, %(number)s, string_agg(
    int4send(c.at * 256 + least(
        2 * cardinality(u.weights) + CASE
            WHEN u.weights[1] = 'A' THEN cardinality(array_positions(u.weights, 'A')) ELSE 0 END,
        %(most)s)::int),
    ''::bytea)
FROM (
    SELECT c.terms, (row_number() OVER (ORDER BY c.id) - 1)::int AS at
    FROM repos_file f
    JOIN indexing_chunk c ON c.repository_id = f.repository_id AND c.file_id = f.id
    WHERE f.repository_id = %(repository)s AND f.first_snapshot = %(number)s
) c
CROSS JOIN LATERAL unnest(c.terms) AS u(lexeme, positions, weights)
GROUP BY u.lexeme
"""


def write_postings(repository_id: int, progress: Progress) -> int:
    """Of every snapshot whose files are shown and that has none yet, oldest first; how many.

    Files that a pruned snapshot added may live on in later ones.
    """
    remove_dead(repository_id)
    shown = Q(state=Snapshot.State.PUBLISHED) | (Q(state=Snapshot.State.PRUNED) & Exists(_living()))
    published = Snapshot.objects.filter(shown, repository=repository_id)
    listed = ChunkList.objects.filter(repository=repository_id).values("snapshot")
    missing = list(published.exclude(number__in=listed).values_list("number", flat=True))
    missing.sort()
    for number in missing:
        with progress.writing():
            post(repository_id, number)
        progress.check()
    return len(missing)


def remove_dead(repository_id: int) -> int:
    """Take away the postings of pruned snapshots of which no file is left; of how many."""
    mine = {"repository_id": repository_id}
    pruned = Snapshot.objects.filter(**mine, state=Snapshot.State.PRUNED)
    dead = list(pruned.filter(~Exists(_living())).values_list("number", flat=True))
    with transaction.atomic():
        Posting.objects.filter(**mine, snapshot__in=dead).delete()
        return ChunkList.objects.filter(**mine, snapshot__in=dead).delete()[0]


def _living() -> QuerySet[File]:
    """The files that a snapshot added, as far as they are there."""
    return File.objects.filter(
        repository=OuterRef("repository_id"), first_snapshot=OuterRef("number")
    )


def post(repository_id: int, number: int) -> None:
    """The postings of one snapshot; undoes itself first. In a transaction of the caller."""
    mine = {"repository_id": repository_id, "snapshot": number}
    Posting.objects.filter(**mine).delete()
    ChunkList.objects.filter(**mine).delete()
    parameters = {"repository": repository_id, "number": number, "most": MOST_OFTEN}
    with connection.cursor() as cursor:
        cursor.execute(POST, parameters)
        cursor.execute(LIST, parameters)
