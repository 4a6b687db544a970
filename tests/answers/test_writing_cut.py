"""What is left of an answer where the model fails, breaks off, or must be ended."""

from itertools import permutations

import pytest
from django.urls import reverse

from answers import writing
from outbound.models import ModelCall
from tests.answers.scripted import PATH, READ, VALUE, block, cite, perfect, prose, reply, said
from tests.outbound.conftest import waits  # noqa: F401 - a fixture
from tests.outbound.modelhost import Step

pytestmark = pytest.mark.django_db


def test_json_that_breaks_off_keeps_what_was_complete(written):
    def broken(body):
        whole = reply(prose(READ, cite(block(body, PATH), VALUE)), prose("More.", {}))
        return whole[: whole.index("More.")]

    answer = written(broken)
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert answer.warning == "The answer was too long and ends early."


def test_a_stream_that_stops_keeps_what_was_checked(written):
    def long(body):
        seen = block(body, PATH)
        return reply(prose(READ, cite(seen, VALUE)), prose("x" * 900, cite(seen, VALUE)))

    answer = written(long, Step(cut_after=150))
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert answer.state == "done"
    assert answer.warning.startswith("The answer is not complete:")


def test_a_model_that_falls_silent_keeps_what_was_checked(written, settings):
    settings.MODEL_TIMEOUT_SECONDS = 5

    def long(body):
        seen = block(body, PATH)
        return reply(prose(READ, cite(seen, VALUE)), prose("x" * 900, cite(seen, VALUE)))

    answer = written(long, Step(stall_after=150, pings=True))
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert answer.warning.startswith("The answer is not complete:")
    assert "fell silent in the middle of its reply" in answer.warning


def test_endless_answers_are_cut(written):
    def endless(body):
        seen = block(body, PATH)
        words = ["".join(letters) for letters in permutations("abcde")]
        many = [f"The value is read {' '.join(words[:n])}." for n in range(100)]
        return reply(*[prose(text, cite(seen, VALUE)) for text in many])

    answer = written(endless)
    assert 0 < len(said(answer)) <= 40
    assert answer.warning == "The answer was too long and ends early."


def circling(body):
    first = reply(prose(READ, cite(block(body, PATH), VALUE)))[:-2]
    return first + ', {"type": "prose", "text": "' + "and so on " * 5_000


def test_a_model_that_goes_round_in_circles_is_ended(written):
    answer = written(circling)
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert answer.warning == "The model repeated itself, so the answer ends early."
    assert ModelCall.objects.get().state == "stopped"


def test_a_model_that_only_goes_round_in_circles_leaves_extracts(written):
    answer = written("\n" * 50_000)
    assert answer.error == "openai/scripted said the same over and over."
    assert {one.kind for one in answer.statements.all()} == {"extract"}


def test_a_model_that_takes_too_long_is_ended(written, host, monkeypatch):
    monkeypatch.setattr(writing, "LONGEST", 0)
    answer = written(perfect)
    assert answer.error == "The model took too long."
    assert {one.kind for one in answer.statements.all()} == {"extract"}
    assert len(host.requests) == 1


@pytest.mark.usefixtures("waits")
def test_how_long_a_model_is_waited_for_is_not_its_to_answer_for(written, settings, monkeypatch):
    settings.MODEL_TIMEOUT_SECONDS = 2
    monkeypatch.setattr(writing, "LONGEST", 1.5)
    answer = written(perfect, Step(silent=True), Step(silent=True))
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert answer.warning == ""


@pytest.mark.parametrize("believed", [8_000, 200_000])
def test_a_window_that_is_smaller_than_believed_gets_less(written, host, settings, believed):
    settings.MODEL_WINDOW_TOKENS = believed
    refused = Step(status=400, message="This model's maximum context length is 10 tokens")
    answer = written(perfect, refused)
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    first, second = (one.body["max_tokens"] for one in host.requests)
    assert second < first


def test_a_window_that_takes_nothing_leaves_extracts(written, host):
    refused = Step(status=400, message="This model's maximum context length is 10 tokens")
    answer = written(perfect, *[refused] * 12)
    assert answer.error.startswith("The model reads too little at once")
    assert {one.kind for one in answer.statements.all()} == {"extract"}


@pytest.mark.parametrize(
    "step",
    [
        Step(status=401),
        Step(status=404),
        Step(status=429),
        Step(status=500),
        Step(silent=True),
        Step(stall_after=2, pings=True),
        Step(cut_after=2),
        Step(raw=b"<html>busy</html>"),
    ],
    ids=["key", "unknown", "busy", "broken", "silent", "stalled", "cut", "html"],
)
@pytest.mark.usefixtures("waits")
def test_a_provider_that_fails_leaves_extracts_with_the_reason(
    written, step, owner, client_of, settings
):
    if step.silent or step.pings:
        settings.MODEL_TIMEOUT_SECONDS = 2
    answer = written(perfect, *[step] * 12)  # more often than it is asked again
    assert (answer.state, answer.model) == ("done", "")
    assert answer.error
    assert {one.kind for one in answer.statements.all()} == {"extract"}
    page = client_of(owner).get(reverse("answers:answer", args=[answer.pk])).content.decode()
    assert "Extract, the model gave no answer" in page
    assert "Load the session from the signed cookie" in page


def test_the_fallback_answers_where_the_model_fails(written, settings):
    settings.ANSWER_FALLBACK_MODEL = "openai/other"
    answer = written(perfect, Step(status=401))
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert answer.model == "openai/other"


def test_a_fallback_that_is_cut_is_named_too(written, settings):
    settings.ANSWER_FALLBACK_MODEL = "openai/other"
    answer = written(circling, Step(status=401))
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert answer.model == "openai/other"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_provider_that_recovers_is_asked_again(written, status, waits, host):  # noqa: F811
    answer = written(perfect, Step(status=status))
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert (len(host.requests), len(waits)) == (2, 1)
