"""Deleting a repository with everything that hangs off it."""

from django.apps import apps
from django.db import connection, transaction
from django.db.models import DO_NOTHING
from psycopg.sql import SQL, Identifier

from repos.importing import forget_disk
from repos.models import Repository

DELETE_ROWS = SQL("/* remove_repository */ DELETE FROM {} WHERE repository_id = %(repository)s")


class RemovalRefused(Exception):
    """The repository is in use; the message says by what."""


def remove(repository: Repository) -> None:
    """Rows first, then the disk: a crash in between leaves files that nobody reads."""
    pk = repository.pk
    with transaction.atomic():
        # A run inserts a row that refers to this one, so it cannot begin meanwhile.
        Repository.objects.select_for_update().get(pk=pk)
        _refuse_while_running(pk)
        _forget_elsewhere(pk)
        _delete_bulk_rows(pk)
        repository.delete()
    forget_disk(pk)


def _forget_elsewhere(pk: int) -> None:
    """What quotes the repository without hanging off it: a model says so by a class method
    `forget_repository(pk)`, since this app may not import the apps to its right."""
    for model in apps.get_models():
        forget = getattr(model, "forget_repository", None)
        if forget is not None:
            forget(pk)


def _refuse_while_running(pk: int) -> None:
    active = ("queued", "running", "preview")
    if Repository.objects.filter(pk=pk, runs__state__in=active).exists():
        raise RemovalRefused("A run is under way. Cancel it first.")


def _delete_bulk_rows(pk: int) -> None:
    """The tables that grow with code: they have no cascade, one statement each empties them."""
    relations = Repository._meta.related_objects  # noqa: SLF001 - Django's documented API
    with connection.cursor() as cursor:
        for relation in relations:
            if relation.on_delete is DO_NOTHING:
                table = Identifier(relation.related_model._meta.db_table)  # noqa: SLF001
                cursor.execute(DELETE_ROWS.format(table), {"repository": pk})
