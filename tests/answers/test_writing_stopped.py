"""What is left of an answer that somebody stops, or whose worker died."""

import time

import pytest
from django.db import connections

from answers import claims
from answers.answering import ask
from answers.jobs import write_answer
from answers.models import Answer, Citation
from outbound.models import ModelCall
from tests.answers.conftest import QUESTION
from tests.answers.scripted import (
    PATH,
    READ,
    VALUE,
    block,
    cite,
    claimed,
    perfect,
    prose,
    reply,
    said,
)
from tests.outbound import modelhost

pytestmark = pytest.mark.django_db


@pytest.mark.django_db(transaction=True)
def test_stopped_while_the_model_speaks_it_asks_no_more(till, owner, host, monkeypatch):
    """What was checked before stays; the call ends as stopped, with what it took."""
    monkeypatch.setattr("answers.writing.LOOK_SECONDS", 0.0)
    answer = ask(QUESTION, person=owner, repositories=[till])

    def pieces(text):
        yield from (text[start : start + 3] for start in range(0, 600, 3))
        for _ in range(600):
            if answer.statements.exists():
                break
            time.sleep(0.05)
        claims.stop(answer)
        connections.close_all()  # of the thread of the host
        yield from (text[start : start + 3] for start in range(600, len(text), 3))

    def long(body):
        seen = block(body, PATH)
        return reply(*[prose(f"{READ} {'And so on. ' * n}", cite(seen, VALUE)) for n in range(30)])

    host.reply = long
    monkeypatch.setattr(modelhost, "pieces_of", pieces)
    write_answer(claimed(answer))
    answer.refresh_from_db()
    assert answer.state == "stopped"
    assert [text for text, _ in said(answer)][:1] == [READ]
    assert len(said(answer)) < 30
    call = ModelCall.objects.get()
    assert (call.state, call.completion_tokens > 0) == ("stopped", True)


def test_who_presses_stop_keeps_what_was_checked(till, owner, host):
    answer = ask(QUESTION, person=owner, repositories=[till])
    taken = claimed(answer)
    host.reply = perfect
    claims.stop(answer)
    write_answer(taken)
    answer.refresh_from_db()
    assert answer.state == "stopped"
    assert not Citation.objects.exists()


def test_a_dead_worker_loses_its_answer_and_its_statements_stay(written, till, owner, host):
    host.reply = perfect
    answer = ask(QUESTION, person=owner, repositories=[till])
    first = claimed(answer)
    assert claims.claim(answer.pk) is None
    Answer.objects.filter(pk=answer.pk).update(heartbeat="2000-01-01T00:00:00Z")
    second = claimed(answer)
    assert second.attempt == 2
    with pytest.raises(claims.ClaimLost), claims.writing(first):
        pass
    write_answer(second)
    assert said(second) == [(READ, [(f"{PATH}:12-12", "ok")])]


def test_an_attempt_too_many_ends_in_extracts(till, owner, host):
    answer = ask(QUESTION, person=owner, repositories=[till])
    Answer.objects.filter(pk=answer.pk).update(attempt=claims.ATTEMPTS)
    write_answer(claimed(answer))
    answer.refresh_from_db()
    assert (answer.state, answer.model) == ("done", "")
    assert answer.error.startswith("Given up after 3 attempts")
    assert host.requests == []
