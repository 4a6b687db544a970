"""The page of an answer while it is written: what the stream brings, stopping, rating, resuming."""

import asyncio

import pytest
from django.http import HttpRequest
from django.urls import reverse

from answers import claims, saving
from answers.answering import ask
from answers.citations import Judged, Verdict
from answers.drafts import Checked, Citation, Kind
from answers.growing import Growing
from answers.jobs import write_answer
from answers.models import Answer, AnswerRating
from answers.stream import Watcher, stream
from tests.answers.conftest import QUESTION
from tests.answers.scripted import MODEL, claimed, perfect

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _one_connection(monkeypatch):
    """The look of a stream closes its thread's connection, which here is that of the test."""
    monkeypatch.setattr("answers.stream.close_old_connections", lambda: None)


@pytest.fixture
def running(till, owner, host):
    host.reply = perfect
    return ask(QUESTION, person=owner, repositories=[till])


def page_of(client, answer):
    response = client.get(reverse("answers:answer", args=[answer.pk]))
    return " ".join(response.content.decode().split())


def look(person, answer, pieces=9):
    request = HttpRequest()
    request.user = person
    return Watcher(request, answer.pk, pieces).look()


def test_evidence_and_steps_are_there_before_the_model(running, owner, client_of, host):
    page = page_of(client_of(owner), running)
    assert "Searched" in page
    assert 'id="piece-1"' in page
    assert "Waits for a worker" in page
    assert f'data-events="/answers/{running.pk}/events?pieces=' in page
    assert 'http-equiv="refresh"' in page
    assert host.requests == []


def test_an_ended_answer_refreshes_no_more(running, owner, client_of):
    write_answer(claimed(running))
    page = page_of(client_of(owner), running)
    assert "data-events" not in page
    assert "http-equiv" not in page
    assert "<code>request.cookies</code>" in page
    assert MODEL in page
    assert "tokens" in page


def test_parts_of_a_running_answer(running, owner):
    seen = look(owner, running)
    assert [name for name, _html in seen.parts] == ["searched", "status"]
    assert not seen.has_ended


def test_a_statement_is_a_part_with_hollow_and_then_solid_marks(running, owner):
    taken = claimed(running)
    row = taken.evidence.get(ordinal=1)
    judged = Judged(Verdict.OK, row.start_line, row.start_line, (row.text.split("\n")[0],))
    checked = Checked(Kind.PROSE, "So it is.", (Citation(row.label, judged),))
    with claims.writing(taken):
        saving.save_statements(taken, [checked], {row.label: row}, verdict="pending")
    pending = dict(look(owner, running).parts)["statement-1"]
    assert 'class="note pending"' in pending
    taken.statements.all().delete()
    assert Growing(taken, {row.label: row}).add([checked])
    assert 'class="note ok"' in dict(look(owner, running).parts)["statement-1"]


def test_a_citation_that_is_not_stored_so_is_taken_back(running):
    taken = claimed(running)
    row = taken.evidence.get(ordinal=1)
    judged = Judged(Verdict.OK, row.start_line, row.start_line, ("not what the file says",))
    checked = Checked(Kind.PROSE, "So it is.", (Citation(row.label, judged),))
    assert not Growing(taken, {row.label: row}).add([checked])
    assert not taken.statements.exists()


def test_what_a_statement_costs_the_database_once_it_is_there(running, django_assert_num_queries):
    taken = claimed(running)
    row = taken.evidence.get(ordinal=1)
    judged = Judged(Verdict.OK, row.start_line, row.start_line, (row.text.split("\n")[0],))
    checked = Checked(Kind.PROSE, "So it is.", (Citation(row.label, judged),))
    growing = Growing(taken, {row.label: row})
    growing.read_stored()
    # Statement, citation, hold and tell; verdict, hold and tell; each in a transaction.
    with django_assert_num_queries(9):
        assert growing.add([checked])


def test_the_end_brings_the_rest(running, owner):
    write_answer(claimed(running))
    seen = look(owner, running)
    assert [name for name, _ in seen.parts] == ["searched", "statement-1", "status", "rest"]
    assert seen.has_ended


def test_outsiders_and_who_loses_the_repository_see_nothing(running, member, outsider):
    assert look(member, running).parts
    assert look(outsider, running).is_gone
    member.groups.clear()
    assert look(member, running).is_gone


@pytest.mark.django_db(transaction=True)
def test_the_stream_ends_with_the_answer_and_a_second_look_resumes(running, owner):
    write_answer(claimed(running))
    request = HttpRequest()
    request.user = owner

    async def read(last):
        return [event async for event in stream(Watcher(request, running.pk, 9), last)]

    events = [event.decode() for event in asyncio.run(read(""))]
    assert [event.split("\n")[0] for event in events] == ["event: part"] * 4 + ["event: end"]
    key = events[-2].rstrip().rsplit("id: ", 1)[1]
    again = [event.decode() for event in asyncio.run(read(key))]
    assert [event.split("\n")[0] for event in again] == ["event: end"]


def test_a_browser_that_has_seen_the_end_stays_away(running, owner, client_of, outsider):
    claims.stop(running)
    address = reverse("answers:answer_events", args=[running.pk])
    assert client_of(owner).get(address, headers={"last-event-id": "end-x"}).status_code == 204
    assert client_of(outsider).get(address).status_code == 404


def test_only_who_asked_may_stop_it(running, owner, member, outsider, client_of):
    address = reverse("answers:stop", args=[running.pk])
    for person in (member, outsider):
        assert client_of(person).post(address).status_code == 404
    client_of(owner).post(address)
    running.refresh_from_db()
    assert running.state == Answer.State.STOPPED
    assert "Stopped before the first statement was checked." in page_of(client_of(owner), running)
    assert "Try again" in page_of(client_of(owner), running)


def test_each_reader_has_one_word_about_an_answer(running, owner, member, outsider, client_of):
    address = reverse("answers:rate", args=[running.pk])
    assert client_of(outsider).post(address, {"good": "yes"}).status_code == 404
    client_of(member).post(address, {"good": "yes"})
    client_of(member).post(address, {"good": "no", "reason": "wrong\x00 line"})
    client_of(owner).post(address, {"good": "maybe"})
    rating = AnswerRating.objects.get()
    assert (rating.person, rating.good, rating.reason) == (member, False, "wrong line")
