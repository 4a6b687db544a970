"""Deleting a repository with everything that hangs off it; what stays is a signed record."""

from collections import Counter

from django.apps import apps
from django.db import connection, transaction
from django.db.models import DO_NOTHING
from psycopg.sql import SQL, Identifier

from accounts.models import User
from repos import deletion_proof, remains
from repos.models import DeletionRecord, Repository

DELETE_ROWS = SQL("/* remove_repository */ DELETE FROM {} WHERE repository_id = %(repository)s")


class RemovalRefused(Exception):
    """The repository is in use; the message says by what."""


def remove(
    repository: Repository, *, person: User | None = None, reason: str = ""
) -> DeletionRecord:
    """Rows first, then the disk: a crash in between leaves files that nobody reads, and a record
    that is not finished; `manage.py verify_deletion --finish` goes on."""
    pk = repository.pk
    with transaction.atomic():
        # Whoever writes about it holds its own rows first and this one at the end; the other way
        # round the two would wait for each other.
        _hold_elsewhere(pk)
        # A run inserts a row that refers to this one, so it cannot begin meanwhile.
        locked = Repository.objects.select_for_update().get(pk=pk)
        _refuse_while_running(pk)
        _hold_elsewhere(pk)  # what came in between
        record = _record(locked, person, reason)
        counts = Counter(remains.rows_of(pk))
        # Rows that name the repository by way of others: answers, statements, stages of runs.
        by_way = _forget_elsewhere(pk)
        _delete_bulk_rows(pk)
        by_way.update(repository.delete()[1])
        for label, count in by_way.items():
            table = apps.get_model(label)._meta.db_table  # noqa: SLF001 - Django's documented API
            counts[table] = max(counts[table], count)
        record.rows = {table: count for table, count in sorted(counts.items()) if count}
        record.save()
    deletion_proof.finish(record)
    return record


def _record(repository: Repository, person: User | None, reason: str) -> DeletionRecord:
    snapshots = repository.snapshots.exclude(commit="").order_by("number")
    return DeletionRecord(
        person=person,
        person_name=person.username if person else "",
        reason=reason,
        repository_number=repository.pk,
        slug=repository.slug,
        name=repository.name,
        source=repository.source,
        address=repository.address,
        snapshots=[
            {"number": number, "commit": commit, "state": state}
            for number, commit, state in snapshots.values_list("number", "commit", "state")
        ],
    )


def _forget_elsewhere(pk: int) -> Counter[str]:
    """What quotes the repository without hanging off it: a model says so by a class method
    `forget_repository(pk)`, since this app may not import the apps to its right. It may return
    what it deleted, as Django's delete() counts it."""
    counts: Counter[str] = Counter()
    for model in apps.get_models():
        forget = getattr(model, "forget_repository", None)
        if forget is not None:
            counts.update(forget(pk) or {})
    return counts


def _hold_elsewhere(pk: int) -> None:
    """As above, by a class method `hold_repository(pk)`: nothing new is written until the end."""
    for model in apps.get_models():
        hold = getattr(model, "hold_repository", None)
        if hold is not None:
            hold(pk)


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
