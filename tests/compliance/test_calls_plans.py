"""The list of model calls at size: each filter comes from an index."""

from collections.abc import Iterator

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import User
from compliance.calls import listing
from outbound import ledger
from outbound.ledger import CallFilter
from outbound.models import ModelCall

pytestmark = pytest.mark.django_db
INSERT = """
INSERT INTO outbound_modelcall (created, person_id, purpose, subject, repositories, provider, model,
    endpoint, state, failure, error, prompt_tokens, completion_tokens, cached_tokens, estimated,
    cost, retries, redactions)
SELECT to_timestamp(1700000000 + n * 30), NULL,
    CASE WHEN n %% 50000 = 0 THEN 'judge' WHEN n %% 3 = 0 THEN 'answer' ELSE 'embed' END,
    'answer:' || n, ARRAY[n %% 200], 'p',
    CASE WHEN n %% 40000 = 0 THEN 'p/rare' ELSE 'p/m' || n %% 5 END, '',
    CASE WHEN n %% 25000 = 0 THEN 'blocked' ELSE 'done' END, '', '', 1000, 100, 0, false,
    0.001, 0, 0
FROM generate_series(1::bigint, %s) n
"""


@pytest.fixture(scope="module")
def many(django_db_setup, django_db_blocker) -> Iterator[None]:
    with django_db_blocker.unblock():
        try:
            with connection.cursor() as cursor:
                cursor.execute(INSERT, [200_000])
                cursor.execute("VACUUM ANALYZE outbound_modelcall")
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("TRUNCATE outbound_modelcall CASCADE")


@pytest.mark.parametrize(
    ("chosen", "indexes"),
    [
        (CallFilter(), {"model_call_created"}),
        (CallFilter(person=User(pk=7)), {"model_call_person", "outbound_modelcall_person_id"}),
        (CallFilter(repository_ids=(10_000,)), {"model_call_repositories"}),
        (CallFilter(repository_ids=(3,)), {"model_call_repositories", "model_call_created"}),
        (CallFilter(model="p/rare"), {"model_call_model"}),
        (CallFilter(purpose="judge"), {"model_call_purpose"}),
        (CallFilter(state="blocked"), {"model_call_state"}),
        (CallFilter(subject="answer:7"), {"model_call_subject"}),
        (CallFilter(until=timezone.now().date()), {"model_call_created"}),
    ],
    ids=["all", "person", "gone", "repository", "model", "purpose", "state", "subject", "days"],
)
@pytest.mark.usefixtures("many")
def test_the_list_comes_from_an_index(chosen, indexes):
    found = ledger.calls(chosen).select_related(None)
    plan = found.values_list(*listing.COUNTED_COLUMNS)[: listing.COUNTED + 1].explain()
    assert any(index in plan for index in indexes), plan
    assert "Seq Scan" not in plan


@pytest.mark.usefixtures("many")
def test_pages_far_back_come_from_an_index():
    last = ModelCall.objects.order_by("-created")[150_000]
    plan = ledger.older_than(last, ledger.calls(CallFilter()))[: listing.ROWS + 1].explain()
    assert "model_call_created" in plan
    assert "Seq Scan on outbound_modelcall" not in plan
