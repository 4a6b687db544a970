"""Budgets of a day: whom they bind, what counts, and what is said."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from outbound import budgets, failures
from outbound.asking import SentRange
from outbound.completion import complete, stream
from outbound.models import ModelCall

pytestmark = pytest.mark.django_db
LINES = SentRange(7, "lib", "c0ffee", "src/a.py", 3, 9)


def spent(person=None, **extra):
    fields = {"purpose": "answer", "provider": "openai", "model": "m", "state": "done", **extra}
    return ModelCall.objects.create(person=person, **fields)


def test_a_person_who_has_used_it_up_is_told_and_nothing_is_sent(host, request_of, owner, settings):
    settings.BUDGET_PERSON_TOKENS = 1000
    spent(owner, prompt_tokens=700, completion_tokens=100)
    with pytest.raises(failures.OverBudget) as caught:
        complete(request_of(model="openai/gpt-4o-mini"))
    assert str(caught.value) == (
        "Not sent: it takes about 218 tokens, and of your budget of 1000 tokens for today (UTC) "
        "800 are used."
    )
    call = ModelCall.objects.latest("pk")
    assert (call.state, call.failure, call.prompt_tokens, call.sent.count()) == (
        "refused", "over_budget", 0, 0,
    )  # fmt: skip
    assert host.requests == []


def test_others_and_yesterday_do_not_count(host, request_of, owner, member, settings):
    settings.BUDGET_PERSON_TOKENS = 1000
    spent(member, prompt_tokens=900)
    old = spent(owner, prompt_tokens=900)
    ModelCall.objects.filter(pk=old.pk).update(created=timezone.now() - timedelta(days=1))
    spent(owner, prompt_tokens=900, state="refused")
    assert complete(request_of()).text


def test_a_call_that_still_runs_counts_with_what_it_may_take(request_of, owner, settings):
    settings.BUDGET_DAY_TOKENS = 1000
    spent(owner, state="running", prompt_tokens=500, completion_tokens=400)
    with pytest.raises(failures.OverBudget, match="the budget of all people together"):
        budgets.check(person=None, repositories=[], tokens=101, cost=None)
    room = budgets.check(person=None, repositories=[], tokens=100, cost=None)
    assert (room.tokens, room.cost) == (100, None)


def test_a_repository_has_a_budget_of_its_own(host, request_of, settings):
    settings.BUDGET_REPOSITORY_TOKENS = 1000
    spent(repositories=[7], prompt_tokens=990)
    spent(repositories=[8], prompt_tokens=10)
    with pytest.raises(failures.OverBudget, match="the budget of this repository"):
        complete(request_of(sent=[LINES]))
    assert complete(request_of()).text


def test_dollars_bind_where_the_price_is_known(host, request_of, settings):
    settings.BUDGET_DAY_USD = Decimal("0.01")
    spent(cost=Decimal("0.0099"))
    with pytest.raises(failures.OverBudget) as caught:
        complete(request_of(model="openai/gpt-4o-mini", max_tokens=2000))
    assert str(caught.value) == (
        "Not sent: it costs about $0.001203, and of the budget of all people together of $0.01 "
        "for today (UTC) $0.009900 are used."
    )
    assert complete(request_of(max_tokens=2000)).text  # nobody knows its price


def test_a_reply_that_ignores_its_limit_is_cut_at_the_budget(host, request_of, settings):
    settings.BUDGET_DAY_TOKENS = 60
    host.reply = "word " * 400
    seen: list[str] = []
    with pytest.raises(failures.OverBudget, match="The reply was cut"):
        seen.extend(piece.text for piece in stream(request_of(max_tokens=30)))
    assert 0 < len("".join(seen).split()) < 60
    call = ModelCall.objects.get()
    assert (call.state, call.failure, call.completion_tokens > 0) == ("failed", "over_budget", True)


def test_no_budget_is_no_limit(host, request_of):
    assert not budgets.are_set()
    spent(prompt_tokens=10**9)
    assert complete(request_of()).text
