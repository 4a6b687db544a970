"""The process that writes answers, as it runs: woken, several at a time, stopped, killed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from answers import claims
from answers.answering import ask
from answers.models import Answer
from tests.answers.conftest import QUESTION
from tests.answers.scripted import MODEL, PATH, READ, VALUE, block, cite, perfect, prose, reply
from tests.browser.asgi_site import ROOT, environment
from tests.outbound.modelhost import Step

pytestmark = pytest.mark.django_db(transaction=True)

PATIENCE = 120.0  # seconds, on a machine that is busy with something else
LATER = f"It gives an empty session where there is none{', and then it is empty' * 12}."


def until(look: Callable[[], Any]) -> Any:
    """What `look` gives once it is true."""
    end = time.monotonic() + PATIENCE
    while not (found := look()):
        assert time.monotonic() < end, "it did not come to this"
        time.sleep(0.05)
    return found


@pytest.fixture
def start(host, tmp_path) -> Iterator[Callable[[], subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []

    def run() -> subprocess.Popen[bytes]:
        env = environment(tmp_path / "data", tmp_path) | {
            "FOOTNOTE_ANSWER_MODEL": MODEL,
            "FOOTNOTE_MODEL_BASE_URL": host.url,
            "FOOTNOTE_MODEL_KEY": "a key of the tests",
            "FOOTNOTE_MODEL_TIMEOUT_SECONDS": "600",
            "FOOTNOTE_MODEL_WINDOW_TOKENS": "16000",
            "FOOTNOTE_ANSWER_THREADS": "2",
        }
        command = [sys.executable, "manage.py", "answer_worker"]
        started.append(subprocess.Popen(command, cwd=ROOT, env=env))
        return started[-1]

    yield run
    host.ending.set()
    for worker in started:
        if worker.poll() is None:
            worker.kill()
        worker.wait()


def asked(till, owner) -> Answer:
    return ask(QUESTION, person=owner, repositories=[till])


def state_of(answer: Answer) -> str:
    return Answer.objects.values_list("state", flat=True).get(pk=answer.pk)


def texts(answer: Answer) -> list[str]:
    return list(answer.statements.values_list("text", flat=True))


def two(body) -> str:
    seen = block(body, PATH)
    return reply(prose(READ, cite(seen, VALUE)), prose(LATER, cite(seen, "return {}")))


def stalled() -> Step:
    """The model says its first statement and goes silent."""
    return Step(stall_after=110, pings=True)


def test_it_writes_what_waits_and_what_comes_later(start, till, owner, host):
    host.reply = perfect
    before = asked(till, owner)
    start()
    until(lambda: state_of(before) == "done")
    later = asked(till, owner)
    until(lambda: state_of(later) == "done")
    assert texts(before) == texts(later) == [READ]


def test_one_that_takes_long_holds_up_no_other(start, till, owner, host):
    host.reply = two
    host.script(stalled())
    slow = asked(till, owner)
    start()
    until(lambda: texts(slow) == [READ])
    quick = asked(till, owner)
    until(lambda: state_of(quick) == "done")
    assert state_of(slow) == "running"


def test_told_to_stop_it_gives_its_answers_back_at_once(start, till, owner, host):
    host.reply = two
    host.script(Step(silent=True))
    answer = asked(till, owner)
    worker = start()
    until(lambda: host.requests)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(PATIENCE) == 0
    answer.refresh_from_db()
    assert (answer.state, answer.claim, answer.attempt) == ("running", None, 0)
    start()
    until(lambda: state_of(answer) == "done")
    assert texts(answer) == [READ, LATER]


def test_killed_what_it_had_checked_is_kept(start, till, owner, host):
    host.reply = two
    host.script(stalled())
    answer = asked(till, owner)
    worker = start()
    until(lambda: texts(answer) == [READ])
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()
    # Half a minute later the claim is that of nobody.
    died = Answer.objects.get(pk=answer.pk).created - 2 * claims.DEAD_AFTER
    Answer.objects.filter(pk=answer.pk).update(heartbeat=died)
    start()
    until(lambda: state_of(answer) == "done")
    assert texts(answer) == [READ]
    answer.refresh_from_db()
    assert answer.warning.startswith("The answer is not complete: the process that wrote it ended.")
