"""Deleting a repository with everything that hangs off it."""

from django.db import transaction
from django.db.models import DO_NOTHING

from repos.importing import forget_disk
from repos.models import Repository


class RemovalRefused(Exception):
    """The repository is in use; the message says by what."""


def remove(repository: Repository) -> None:
    """Rows first, then the disk: a crash in between leaves files that nobody reads."""
    pk = repository.pk
    with transaction.atomic():
        # A run inserts a row that refers to this one, so it cannot begin meanwhile.
        Repository.objects.select_for_update().get(pk=pk)
        _refuse_while_running(pk)
        _delete_bulk_rows(pk)
        repository.delete()
    forget_disk(pk)


def _refuse_while_running(pk: int) -> None:
    active = ("queued", "running", "preview")
    if Repository.objects.filter(pk=pk, runs__state__in=active).exists():
        raise RemovalRefused("A run is under way. Cancel it first.")


def _delete_bulk_rows(pk: int) -> None:
    """The tables that grow with code: they have no cascade, one statement each empties them."""
    for relation in Repository._meta.related_objects:
        if relation.on_delete is DO_NOTHING:
            rows = relation.related_model._base_manager.filter(repository_id=pk)
            rows._raw_delete(rows.db)
