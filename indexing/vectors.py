"""Which model's vectors a repository is searched by, and the index of a model with many.

A small set is scanned exactly. From INDEX_FROM vectors on a model gets an index of its own,
partial by its name and with its dimension in the expression; a search that is to use it writes

    e.model = '<model>' ORDER BY e.vector::halfvec(<dimension>) <=> ...::halfvec(<dimension>)
"""

import hashlib
from collections.abc import Iterable

from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import Sum
from psycopg.sql import SQL, Identifier, Literal

from indexing.vector_models import VectorSet

INDEX_FROM = 50_000
BUILD_MEMORY = "512MB"
REMEMBERED_SECONDS = 60

CREATE_INDEX = SQL(
    "/* create_vector_index */ CREATE INDEX CONCURRENTLY IF NOT EXISTS {name} "
    "ON indexing_embedding USING hnsw ((vector::halfvec({dimension})) halfvec_cosine_ops) "
    "WHERE model = {model}"
)
DROP_INDEX = SQL("/* drop_vector_index */ DROP INDEX CONCURRENTLY IF EXISTS {name}")
INDEX_STATE = """
/* vector_index_state */
SELECT i.indisvalid FROM pg_index i
WHERE i.indexrelid = to_regclass(%(name)s)
"""
# One builder at a time; the lock goes with the connection, so a dead one holds nothing.
TRY_LOCK = "/* vector_index_lock */ SELECT pg_try_advisory_lock(hashtext(%(name)s))"
UNLOCK = "/* vector_index_unlock */ SELECT pg_advisory_unlock(hashtext(%(name)s))"


def index_name(model: str) -> str:
    digest = hashlib.sha256(model.encode()).hexdigest()[:12]
    return f"embedding_hnsw_{digest}"


def dimension_of(model: str) -> int | None:
    """How many numbers the vectors of a model have; None while there is none."""
    sets = VectorSet.objects.filter(model=model, dimension__gt=0)
    return sets.values_list("dimension", flat=True).first()


def has_index(model: str) -> bool:
    """Whether the index is there and whole; remembered for a minute."""
    key = f"vector-index:{index_name(model)}"
    known = cache.get(key)
    if known is None:
        known = _index_state(model) is True
        cache.set(key, known, REMEMBERED_SECONDS)
    return bool(known)


def _index_state(model: str) -> bool | None:
    """None: there is none; False: one that was not finished."""
    with connection.cursor() as cursor:
        cursor.execute(INDEX_STATE, {"name": index_name(model)})
        row = cursor.fetchone()
    return None if row is None else bool(row[0])


def lacks_index(model: str) -> bool:
    """Whether the model has enough vectors for an index and none yet."""
    found = VectorSet.objects.filter(model=model).aggregate(sum=Sum("embedded"))["sum"] or 0
    return found >= INDEX_FROM and not _index_state(model)


def ensure_index(model: str) -> bool:
    """Make the index of a model that has enough vectors, and drop that of a model of which nothing
    is left; whether there is one afterwards.

    Outside a transaction, since readers and writers go on meanwhile. Safe to be killed: what is
    left half-made is invalid, and thrown away by the next try.
    """
    if not VectorSet.objects.filter(model=model).exists():
        if _index_state(model) is not None:
            drop_index(model)
        return False
    dimension = dimension_of(model)
    if dimension is None or not lacks_index(model):
        return _index_state(model) is True
    if not _locked(model):
        return False
    try:
        _build(model, dimension)
    finally:
        _run(UNLOCK, model)
    cache.delete(f"vector-index:{index_name(model)}")
    return True


def _locked(model: str) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(TRY_LOCK, {"name": index_name(model)})
        return bool(cursor.fetchone()[0])


def _run(statement: str, model: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, {"name": index_name(model)})


def _build(model: str, dimension: int) -> None:
    name = Identifier(index_name(model))
    words = {"name": name, "dimension": Literal(dimension), "model": Literal(model)}
    with connection.cursor() as cursor:
        if _index_state(model) is False:
            cursor.execute(DROP_INDEX.format(name=name))
        cursor.execute("SELECT set_config('maintenance_work_mem', %s, false)", [BUILD_MEMORY])
        cursor.execute(CREATE_INDEX.format(**words))


def drop_index(model: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(DROP_INDEX.format(name=Identifier(index_name(model))))
    cache.delete(f"vector-index:{index_name(model)}")


def serving_models(repositories: Iterable[int]) -> dict[int, str]:
    """The model whose vectors each repository is searched by; those without any are left out."""
    sets = VectorSet.objects.filter(repository__in=list(repositories), serving=True)
    return dict(sets.values_list("repository_id", "model"))


def choose_serving(repository_id: int, wanted: str) -> str:
    """Let the best set serve: a complete one before the others, the wanted model's before other
    complete ones, else the one that is furthest. The model, "" where there is none.
    """
    with transaction.atomic():
        sets = list(VectorSet.objects.select_for_update().filter(repository_id=repository_id))
        with_some = [one for one in sets if one.embedded]
        if not with_some:
            return ""
        best = max(with_some, key=lambda one: _rank(one, wanted))
        if not best.serving:
            VectorSet.objects.filter(repository_id=repository_id).update(serving=False)
            VectorSet.objects.filter(pk=best.pk).update(serving=True)
        return best.model


def _rank(one: VectorSet, wanted: str) -> tuple[bool, bool, float]:
    return one.is_complete, one.is_complete and one.model == wanted, one.share
