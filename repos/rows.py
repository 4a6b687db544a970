"""Numbers for rows that go in by COPY."""

from django.db import connection

BLOCK = 1000  # the increment of the sequence, see migration 0001

TAKE = "/* take_row_blocks */ SELECT nextval('repos_row_block') FROM generate_series(1, %(count)s)"


def new_ids(count: int) -> list[int]:
    """`count` fresh row numbers; they are unique over all tables, and never given twice.

    A list, not a generator: nothing else may be asked of the connection during a COPY.
    """
    blocks = -(-count // BLOCK)
    with connection.cursor() as cursor:
        cursor.execute(TAKE, {"count": blocks})
        starts = [int(row[0]) for row in cursor.fetchall()]
    return [start + offset for start in starts for offset in range(BLOCK)][:count]
