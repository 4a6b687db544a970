"""The trigram index of the texts: filled after a snapshot is published, file by file.

Entering a text costs about as much as deriving it, and nobody waits for that: search reads
the texts that are not entered yet as they stand. See docs/decisions/0011-trigrams.md.
"""

from django.db import connection

from indexing.models import Content
from indexing.progress import Progress

# One statement enters about a second's worth: what follows it (cancelling, the next run of the
# repository) never waits for longer.
BATCH = 100
BATCH_BYTES = 1_000_000
# The flag is the condition of the index content_trigrams, so setting it enters the text.
ENTER = """
/* enter_trigrams: uses content_waiting */
WITH waiting AS (
    SELECT file_id, octet_length(text) AS size FROM indexing_content
    WHERE repository_id = %(repository)s AND NOT trigram_indexed
    ORDER BY file_id
    LIMIT %(batch)s
), summed AS (
    SELECT file_id, sum(size) OVER (ORDER BY file_id) - size AS before FROM waiting
)
UPDATE indexing_content SET trigram_indexed = true
WHERE repository_id = %(repository)s
  AND file_id IN (SELECT file_id FROM summed WHERE before < %(bytes)s)
"""


def enter_texts(repository_id: int, progress: Progress) -> int:
    """Enter every text of the repository that is not in the index yet; how many.

    Each batch commits by itself, and counts in the stage that is under way.
    """
    entered = 0
    while count := _enter_some(repository_id, progress):
        entered += count
        progress.add(count)
        progress.check()
    return entered


def waiting_texts(repository_id: int) -> int:
    return Content.objects.filter(repository_id=repository_id, trigram_indexed=False).count()


def _enter_some(repository_id: int, progress: Progress) -> int:
    parameters = {"repository": repository_id, "batch": BATCH, "bytes": BATCH_BYTES}
    with progress.writing(), connection.cursor() as cursor:
        cursor.execute(ENTER, parameters)
        return int(cursor.rowcount)
