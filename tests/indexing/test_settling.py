"""The index of terms: what waits is entered before anybody searches, beside the stage itself."""

from collections.abc import Callable

import pytest
from django.db import DataError, connection

from indexing import publish
from repos.models import Repository

pytestmark = pytest.mark.django_db(transaction=True)


def waiting_pages() -> int:
    """Enters them, too."""
    with connection.cursor() as cursor:
        cursor.execute(publish.SETTLE)
        return int(cursor.fetchone()[0])


def test_nothing_waits_once_a_snapshot_is_published(index_files: Callable[..., Repository]):
    waiting_pages()
    index_files({"a.txt": "zebra\n", "b.txt": "yak\n"}, slug="two")
    assert waiting_pages() == 0


def test_what_cannot_be_entered_ends_the_block(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(publish, "SETTLE", "SELECT 1 / 0")
    with pytest.raises(DataError, match="division by zero"), publish.settling_terms():
        pass
