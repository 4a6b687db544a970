"""The trigram index of the texts: filled after a snapshot is published, file by file.

Entering a text costs about as much as deriving it, and nobody waits for that: search reads
the texts that are not entered yet as they stand. See docs/decisions/0011-trigrams.md.
"""

from django.db import connection

from indexing.progress import Progress

BATCH = 500
# The flag is the condition of the index content_trigrams, so setting it enters the text.
ENTER = """
/* enter_trigrams: uses content_waiting */
UPDATE indexing_content SET trigram_indexed = true
WHERE repository_id = %(repository)s AND file_id IN (
    SELECT file_id FROM indexing_content
    WHERE repository_id = %(repository)s AND NOT trigram_indexed
    ORDER BY file_id
    LIMIT %(batch)s
)
"""


def enter_texts(repository_id: int, progress: Progress) -> int:
    """Enter every text of the repository that is not in the index yet; how many."""
    entered = 0
    while count := _enter_some(repository_id, progress):
        entered += count
        progress.check()
    return entered


def _enter_some(repository_id: int, progress: Progress) -> int:
    with progress.writing(), connection.cursor() as cursor:
        cursor.execute(ENTER, {"repository": repository_id, "batch": BATCH})
        return int(cursor.rowcount)
