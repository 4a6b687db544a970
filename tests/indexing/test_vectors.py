"""Which vectors serve, and the index of a model with many."""

import pytest
from django.core.cache import cache
from django.db import connection

from indexing import vectors
from indexing.models import Embedding, VectorSet
from tests import factories

DIMENSION = 16


def a_set(lib, model, embedded, *, texts=10, **extra):
    return VectorSet.objects.create(
        repository=lib, model=model, texts=texts, embedded=embedded, dimension=DIMENSION, **extra
    )


@pytest.fixture
def lib(owner):
    return factories.repository_for(owner)


def serving(lib):
    return vectors.serving_models([lib.pk]).get(lib.pk, "")


def test_the_old_vectors_serve_until_the_new_ones_are_complete(lib):
    a_set(lib, "old", 10)
    new = a_set(lib, "new", 9)
    assert vectors.choose_serving(lib.pk, "new") == "old" == serving(lib)
    VectorSet.objects.filter(pk=new.pk).update(embedded=9, refused=1)
    assert vectors.choose_serving(lib.pk, "new") == "new" == serving(lib)
    assert VectorSet.objects.filter(serving=True).count() == 1


def test_of_two_that_are_not_complete_the_further_one_serves(lib):
    a_set(lib, "old", 4)
    new = a_set(lib, "new", 3)
    assert vectors.choose_serving(lib.pk, "new") == "old"
    VectorSet.objects.filter(pk=new.pk).update(embedded=5)
    assert vectors.choose_serving(lib.pk, "new") == "new"


def test_a_set_without_vectors_does_not_serve(lib):
    a_set(lib, "new", 0, texts=0)
    assert (vectors.choose_serving(lib.pk, "new"), serving(lib)) == ("", "")


@pytest.fixture
def many(transactional_db, owner, monkeypatch):
    """A model with enough vectors for an index, and one with vectors of another length."""
    monkeypatch.setattr(vectors, "INDEX_FROM", 30)
    lib = factories.repository_for(owner)
    a_set(lib, "it's/model", 40, texts=40)
    rows = [
        Embedding(
            repository=lib,
            model=model,
            embed_hash=f"{model}{n}".encode()[-16:],
            vector=[float(n == k) for k in range(length)],
        )
        for model, length in (("it's/model", DIMENSION), ("other", 3))
        for n in range(40 if length == DIMENSION else 3)
    ]
    for row in rows[DIMENSION:40]:
        row.vector = [1.0] * DIMENSION
    Embedding.objects.bulk_create(rows)
    yield lib
    vectors.drop_index("it's/model")


NEAREST = """
SELECT embed_hash FROM indexing_embedding e WHERE e.model = %s
ORDER BY e.vector::halfvec(16) <=> %s::halfvec(16) LIMIT 1
"""


def test_a_model_with_many_vectors_gets_its_index(many):
    assert not vectors.has_index("it's/model")
    assert vectors.ensure_index("it's/model")
    assert vectors.has_index("it's/model")
    one = "[" + ",".join(str(int(n == 5)) for n in range(DIMENSION)) + "]"
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
        cursor.execute(f"EXPLAIN {NEAREST}", ["it's/model", one])
        plan = " ".join(row[0] for row in cursor.fetchall())
        cursor.execute(NEAREST, ["it's/model", one])
        assert bytes(cursor.fetchone()[0]) == b"it's/model5"
        cursor.execute("RESET enable_seqscan")
    assert vectors.index_name("it's/model") in plan


def test_a_small_model_is_scanned(many, monkeypatch):
    monkeypatch.setattr(vectors, "INDEX_FROM", 41)
    assert not vectors.ensure_index("it's/model")
    assert not vectors.ensure_index("nobody's")


def test_the_index_goes_with_the_last_vectors_of_its_model(many):
    vectors.ensure_index("it's/model")
    VectorSet.objects.filter(model="it's/model").delete()
    assert not vectors.ensure_index("it's/model")
    assert not vectors.has_index("it's/model")


def test_an_index_that_was_not_finished_is_made_anew(many):
    vectors.ensure_index("it's/model")
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE pg_index SET indisvalid = false WHERE indexrelid = to_regclass(%s)",
            [vectors.index_name("it's/model")],
        )
    cache.clear()
    assert not vectors.has_index("it's/model")
    assert vectors.ensure_index("it's/model")
    assert vectors.has_index("it's/model")


def test_the_length_of_vectors_is_that_of_the_model(lib):
    a_set(lib, "m", 1)
    assert (vectors.dimension_of("m"), vectors.dimension_of("n")) == (DIMENSION, None)
