"""Rows in the driver's binary format, where Django's cursors cost too much.

As text, bytes come as digits and are twice as long; and texts that are only searched need not
become strings.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from django.db import connection
from psycopg.types.string import ByteaBinaryLoader


def read_bytes(statement: str, parameters: dict[str, Any]) -> list[tuple[Any, ...]]:
    with _cursor() as cursor:
        return cursor.execute(statement, parameters, binary=True).fetchall()


def stream_bytes(statement: str, parameters: dict[str, Any]) -> Iterator[tuple[Any, ...]]:
    """Row by row, since all the texts together may be large; texts are bytes."""
    with _cursor() as cursor:
        cursor.adapters.register_loader("text", ByteaBinaryLoader)
        yield from cursor.stream(statement, parameters, binary=True)


@contextmanager
def _cursor() -> Iterator[psycopg.Cursor[tuple[Any, ...]]]:
    connection.ensure_connection()
    with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as cursor:
        yield cursor
