"""What was sent, filtered and added up; and rows of processes that died."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from outbound import ledger
from outbound.ledger import CallFilter
from outbound.models import ModelCall, SentLines
from outbound.recording import close_abandoned

pytestmark = pytest.mark.django_db


@pytest.fixture
def calls(owner, member):
    made = []
    for number, (person, model, cost, repositories, day) in enumerate([
        (owner, "openai/a", Decimal("0.5"), [1], 1),
        (owner, "openai/a", None, [1, 2], 2),
        (member, "ollama/b", Decimal(0), [2], 2),
    ]):  # fmt: skip
        call = ModelCall.objects.create(
            person=person, purpose="answer", provider=model.partition("/")[0], model=model,
            state="done", prompt_tokens=100 + number, completion_tokens=10, cost=cost,
            repositories=repositories, subject=f"answer:{number}",
        )  # fmt: skip
        ModelCall.objects.filter(pk=call.pk).update(
            created=datetime(2026, 11, day, 23, 59, tzinfo=UTC)
        )
        for one in repositories:
            SentLines.objects.create(
                repository_id=one, model_call=call, ordinal=0, repository=f"repo{one}",
                commit="c", path="a.py", start_line=1, end_line=2, what="evidence",
            )  # fmt: skip
        made.append(call)
    return made


def subjects(**chosen):
    return [call.subject for call in ledger.each_call(CallFilter(**chosen))]


def test_calls_come_newest_first_and_filtered(calls, owner):
    assert subjects() == ["answer:2", "answer:1", "answer:0"]
    assert subjects(person=owner) == ["answer:1", "answer:0"]
    assert subjects(repository_id=1) == ["answer:1", "answer:0"]
    assert subjects(repository="repo2") == ["answer:2", "answer:1"]
    assert subjects(model="ollama/b") == subjects(provider="ollama") == ["answer:2"]
    assert subjects(since=date(2026, 11, 2)) == ["answer:2", "answer:1"]
    assert subjects(until=date(2026, 11, 1)) == ["answer:0"]
    assert subjects(state="failed") == subjects(purpose="embed") == []


def test_the_calls_of_one_answer(calls):
    assert list(ledger.of_subject("answer:1")) == [calls[1]]


def test_what_was_spent(calls):
    def told(found):
        return [(one.key, one.calls, one.prompt_tokens, one.cost, one.unpriced) for one in found]

    everything = CallFilter()
    assert told(ledger.spend_by_day(everything)) == [
        ("2026-11-01", 1, 100, Decimal("0.5"), 0),
        ("2026-11-02", 2, 203, Decimal(0), 1),
    ]
    assert told(ledger.spend_by("model", everything)) == [
        ("openai/a", 2, 201, Decimal("0.5"), 1),
        ("ollama/b", 1, 102, Decimal(0), 0),
    ]
    assert told(ledger.spend_by("person", everything))[0][:2] == ("owner", 2)
    assert told(ledger.spend_by("repository", everything)) == [
        ("repo1", 2, 201, Decimal("0.5"), 1),
        ("repo2", 2, 203, Decimal(0), 1),
    ]


def test_lines_come_in_the_order_in_which_they_were_sent(calls):
    assert [one.repository for one in ledger.each_line(calls[0])] == ["repo1"]


def test_a_call_whose_process_died_does_not_run_for_ever(calls):
    running = ModelCall.objects.create(
        purpose="embed", provider="p", model="m", state="running", prompt_tokens=70
    )
    assert close_abandoned() == 0
    ModelCall.objects.filter(pk=running.pk).update(created=timezone.now() - timedelta(hours=3))
    assert close_abandoned() == 1
    running.refresh_from_db()
    assert (running.state, running.failure, running.prompt_tokens) == ("failed", "abandoned", 70)
    assert running.error.startswith("The process ended before the reply")
