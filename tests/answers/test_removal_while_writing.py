"""A repository is deleted while an answer about it is being written: nothing of it remains."""

import threading
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from answers import claims
from answers.models import Answer, Conversation, Evidence, Question, Statement
from repos import remains
from repos.models import Repository
from repos.removal import remove
from tests.answers.scripted import READ
from tests.answers.test_answer_worker import asked, stalled, start, texts, two, until

__all__ = ["start"]  # the fixture: the process that writes answers

pytestmark = pytest.mark.django_db(transaction=True)


def nothing_is_left(repository: int) -> None:
    for model in (Conversation, Question, Answer, Evidence, Statement):
        assert not model.objects.exists()
    assert remains.rows_of(repository) == {}
    told = StringIO()
    call_command("verify_deletion", stdout=told)
    assert "  proven" in told.getvalue()


def test_the_real_worker_in_the_middle_of_a_reply(start, till, owner, host):
    host.reply = two
    host.script(stalled())
    answer = asked(till, owner)
    worker = start()
    until(lambda: texts(answer) == [READ])
    repository = till.pk
    remove(Repository.objects.get(pk=repository), person=owner)
    host.ending.set()  # the provider goes on or hangs up: the worker comes to its next write
    later = threading.Event()
    later.wait(2 * claims.BEAT_SECONDS)  # its sign of life comes in between, too
    assert worker.poll() is None
    nothing_is_left(repository)


def test_a_worker_that_is_about_to_commit_is_waited_for(till, owner):
    answer = asked(till, owner)
    Answer.objects.filter(pk=answer.pk).update(state="running", claim="0" * 32)
    answer.refresh_from_db()
    written, may_commit, outcome = threading.Event(), threading.Event(), []

    def write() -> None:
        """As answers.growing does, with the commit held back."""
        try:
            with claims.writing(answer):
                Statement.objects.create(answer=answer, ordinal=99, kind="prose", text=READ)
                Answer.objects.select_for_update().get(pk=answer.pk)
                written.set()
                may_commit.wait(30)
            outcome.append("written")
        finally:
            connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    assert written.wait(30)
    threading.Timer(0.5, may_commit.set).start()
    repository = till.pk
    remove(Repository.objects.get(pk=repository), person=owner)
    writer.join()
    assert outcome == ["written"]
    nothing_is_left(repository)


def test_what_is_written_after_it_finds_no_answer(till, owner):
    answer = asked(till, owner)
    Answer.objects.filter(pk=answer.pk).update(state="running", claim="0" * 32)
    answer.refresh_from_db()
    repository = till.pk
    remove(Repository.objects.get(pk=repository), person=owner)
    with pytest.raises(claims.ClaimLost), claims.writing(answer):
        pass
    assert claims.claim(answer.pk) is None
    nothing_is_left(repository)
