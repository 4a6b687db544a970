"""What was sent, filtered and added up; and rows of processes that died."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from outbound import ledger
from outbound.ledger import CallFilter
from outbound.models import ModelCall, SentLines
from outbound.recording import close_abandoned
from repos.models import DeletionRecord
from tests.factories import repository_for

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
    found = ledger.each_call(ledger.calls(CallFilter(**chosen)))
    return [call.subject for some in found for call in some]


def test_calls_come_newest_first_and_filtered(calls, owner):
    assert subjects() == ["answer:2", "answer:1", "answer:0"]
    assert subjects(person=owner) == ["answer:1", "answer:0"]
    assert subjects(repository_ids=(1,)) == ["answer:1", "answer:0"]
    assert subjects(repository_ids=(1, 2)) == ["answer:2", "answer:1", "answer:0"]
    assert subjects(repository_ids=(0,)) == []
    assert subjects(model="ollama/b") == subjects(provider="ollama") == ["answer:2"]
    assert subjects(since=date(2026, 11, 2)) == ["answer:2", "answer:1"]
    assert subjects(until=date(2026, 11, 1)) == ["answer:0"]
    assert subjects(state="failed") == subjects(purpose="embed") == []


def test_an_export_reads_every_call_once(calls, monkeypatch):
    monkeypatch.setattr(ledger, "ROWS_AT_ONCE", 2)
    # Of the same moment: the number decides.
    ModelCall.objects.update(created=datetime(2026, 11, 3, tzinfo=UTC))
    assert subjects() == ["answer:2", "answer:1", "answer:0"]


def test_models_are_listed_once_and_in_order(calls):
    assert ledger.models_called() == ["ollama/b", "openai/a"]


def test_a_name_stands_for_all_repositories_that_had_it(owner):
    here = repository_for(owner, slug="lib")
    DeletionRecord.objects.create(slug="lib", repository_number=here.pk + 7, name="", source="git")
    assert ledger.numbers_of("lib") == (here.pk, here.pk + 7)
    assert ledger.numbers_of("none") == ()
    assert ledger.slugs_of([here.pk + 7, here.pk, 0]) == {here.pk: "lib", here.pk + 7: "lib"}


def test_the_calls_of_one_answer(calls):
    assert list(ledger.of_subject("answer:1")) == [calls[1]]


def test_what_was_spent(calls):
    def told(found):
        return [(one.key, one.calls, one.prompt_tokens, one.cost, one.unpriced) for one in found]

    everything = CallFilter()
    by_day = ledger.spend_by_day(everything, "model")
    assert [(str(day), told(found)) for day, found in by_day.items()] == [
        ("2026-11-01", [("openai/a", 1, 100, Decimal("0.5"), 0)]),
        ("2026-11-02", [
            ("ollama/b", 1, 102, Decimal(0), 0), ("openai/a", 1, 101, Decimal(0), 1),
        ]),
    ]  # fmt: skip
    assert told(ledger.spend_by("model", everything)) == [
        ("openai/a", 2, 201, Decimal("0.5"), 1),
        ("ollama/b", 1, 102, Decimal(0), 0),
    ]
    assert told(ledger.spend_by("person", everything))[0][:2] == ("owner", 2)


def test_a_call_with_lines_of_two_repositories_counts_for_each(calls, owner):
    slugs = {}
    for number in (1, 2):
        slugs[number] = f"repo{number}"
        DeletionRecord.objects.create(
            slug=slugs[number], repository_number=number, name="", source="git"
        )
    found = ledger.spend_by("repository", CallFilter())
    assert [(one.key, one.calls, one.tokens) for one in found] == [
        ("repo1", 2, 221),
        ("repo2", 2, 223),
    ]
    by_day = ledger.spend_by_day(CallFilter(person=owner), "repository")
    assert [[one.key for one in found] for found in by_day.values()] == [
        ["repo1"],
        ["repo1", "repo2"],
    ]


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
