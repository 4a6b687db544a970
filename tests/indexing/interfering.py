"""Lets something happen before or after a step of a run, and tells whether rows are as before."""

import uuid
from typing import Any

from django.db import connection

from indexing.models import IndexRun

TABLES = (
    "repos_file", "indexing_content", "indexing_symbol", "indexing_import", "indexing_chunk",
    "indexing_embedinput", "indexing_finding", "indexing_termcount", "indexing_embedding",
)  # fmt: skip


def all_rows() -> dict[str, list[Any]]:
    """Every row of every table that a run writes, row numbers and intervals included."""
    with connection.cursor() as cursor:
        rows = {}
        for table in TABLES:
            cursor.execute(f"SELECT t::text FROM {table} t ORDER BY 1")
            rows[table] = cursor.fetchall()
        return rows


def before_calling(monkeypatch, module, name: str, action) -> None:
    original = getattr(module, name)

    def wrapped(*arguments, **options):
        action()
        return original(*arguments, **options)

    monkeypatch.setattr(module, name, wrapped)


def after_calling(monkeypatch, module, name: str, action) -> None:
    original = getattr(module, name)

    def wrapped(*arguments, **options):
        result = original(*arguments, **options)
        action()
        return result

    monkeypatch.setattr(module, name, wrapped)


def ask_to_cancel() -> None:
    IndexRun.objects.filter(state="running").update(cancel_requested=True)


def steal() -> None:
    IndexRun.objects.filter(state="running").update(claim=uuid.UUID(int=7))
