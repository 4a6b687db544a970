"""What a page shows when a model lies, rambles, breaks off, refuses or obeys the repository."""

import time
from itertools import permutations

import pytest
from django.db import connections
from django.urls import reverse

from answers import claims, writing
from answers.answering import ask
from answers.jobs import write_answer
from answers.models import Answer, Citation
from answers.reading import show
from outbound.models import ModelCall, SentLines
from tests.answers.conftest import QUESTION
from tests.answers.scripted import MODEL, block, cite, claimed, prose, reply
from tests.outbound import modelhost
from tests.outbound.conftest import waits  # noqa: F401 - a fixture
from tests.outbound.modelhost import Step

pytestmark = pytest.mark.django_db

PATH = "till/sessions.py"
VALUE = "value = request.cookies.get"
READ = "The `value` is read from `request.cookies`."


@pytest.fixture
def written(till, owner, host):
    """Ask, and let the worker write; the reply is a text or made of the request."""

    def write(made, *steps, question=QUESTION):
        host.reply = made
        host.script(*steps)
        answer = ask(question, person=owner, repositories=[till])
        assert answer.state == Answer.State.RUNNING
        write_answer(claimed(answer))
        answer.refresh_from_db()
        return answer

    return write


def said(answer):
    """[(text, [(path:start-end, verdict)])] as the page shows it, in order."""
    return [
        (one.text, [(mark.place, mark.row.verdict) for mark in one.citations])
        for one in show(answer).statements
    ]


def perfect(body):
    seen = block(body, PATH)
    return reply(prose(READ, cite(seen, VALUE)))


def test_a_faithful_model_is_shown_with_its_lines(written):
    answer = written(perfect)
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert (answer.state, answer.model, answer.warning) == ("done", MODEL, "")
    assert (answer.proposed, answer.dropped) == (1, 0)


def test_what_was_sent_is_recorded(written, owner):
    answer = written(perfect)
    call = ModelCall.objects.get()
    assert (call.purpose, call.person, call.subject) == ("answer", owner, f"answer:{answer.pk}")
    pieces = answer.evidence.filter(sent=True).values_list("path", "start_line", "end_line")
    assert list(SentLines.objects.values_list("path", "start_line", "end_line")) == list(pieces)


def test_an_invented_path_is_not_shown(written):
    answer = written(
        lambda body: reply(
            prose("It stands in till/cookies.py.", cite(block(body, PATH), VALUE)),
            prose(READ, cite(block(body, PATH), VALUE)),
        )
    )
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]


def test_shifted_ranges_are_put_where_the_quote_stands(written):
    def shifted(body):
        right = cite(block(body, PATH), VALUE)
        return reply(prose(READ, {**right, "start": right["start"] + 6, "end": right["end"] + 6}))

    assert said(written(shifted)) == [(READ, [(f"{PATH}:12-12", "reanchored")])]


def test_lines_that_were_not_sent_are_not_shown(written):
    # The file has this line; what was sent of it does not reach that far.
    beyond = {"start": 23, "end": 23, "quote": "response.set_cookie(self.cookie_name, self.sign"}
    answer = written(
        lambda body: (
            reply(prose(READ, cite(block(body, PATH), VALUE, **beyond)))
            if all("set_cookie" not in line for line in block(body, PATH).lines.values())
            else reply(
                prose(READ, cite(block(body, PATH), VALUE, start=900, end=901, quote="gone"))
            )
        )
    )
    assert said(answer) == []
    assert answer.state == "abstained"


def test_changed_white_space_in_a_quote_is_the_same_quote(written):
    spaced = "value  =\n\trequest.cookies.get(self.cookie_name)"
    answer = written(lambda body: reply(prose(READ, cite(block(body, PATH), VALUE, quote=spaced))))
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]


def test_the_label_of_an_example_leads_to_where_the_quote_stands(written):
    answer = written(lambda body: reply(prose(READ, cite(block(body, PATH), VALUE, label="..."))))
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "reanchored")])]


@pytest.mark.parametrize(
    "text",
    [
        "See [the docs](https://evil.example/x).",
        "![](https://evil.example/pixel.png) The `value` is read.",
        "<a href='https://evil.example'>The `value`</a> is read.",
        "<script>alert(1)</script>",
        "Read https://evil.example/x first.",
    ],
)
def test_links_and_html_are_not_shown(written, text, owner, client_of):
    answer = written(lambda body: reply(prose(text, cite(block(body, PATH), VALUE))))
    assert answer.state == "abstained"
    page = client_of(owner).get(reverse("answers:answer", args=[answer.pk])).content.decode()
    assert "evil.example" not in page
    assert "alert(1)" not in page


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


def test_a_refusal_in_words_leaves_extracts(written, host):
    answer = written("I'm sorry, but I can't help with that.")
    assert answer.error == "The model's reply could not be read as an answer."
    assert {one.kind for one in answer.statements.all()} == {"extract"}
    assert len(host.requests) == 2


def test_endless_answers_are_cut(written):
    def endless(body):
        seen = block(body, PATH)
        words = ["".join(letters) for letters in permutations("abcde")]
        many = [f"The value is read {' '.join(words[:n])}." for n in range(100)]
        return reply(*[prose(text, cite(seen, VALUE)) for text in many])

    answer = written(endless)
    assert 0 < len(said(answer)) <= 40
    assert answer.warning == "The answer was too long and ends early."


def test_a_model_that_goes_round_in_circles_is_ended(written, host):
    def circling(body):
        first = reply(prose(READ, cite(block(body, PATH), VALUE)))[:-2]
        return first + ', {"type": "prose", "text": "' + "and so on " * 5_000

    answer = written(circling)
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert answer.warning == "The model repeated itself, so the answer ends early."
    assert len(ModelCall.objects.get().subject) > 0


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


def test_a_window_that_is_smaller_than_believed_gets_less_evidence(written, host, settings):
    settings.MODEL_WINDOW_TOKENS = 8_000
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


def test_what_is_said_twice_is_shown_once(written):
    answer = written(lambda body: reply(*[prose(READ, cite(block(body, PATH), VALUE))] * 9))
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert (answer.proposed, answer.dropped) == (1, 0)


def test_not_answerable_is_believed_where_nothing_is_cited(written, host):
    answer = written(reply(answerable=False))
    assert answer.state == "abstained"
    assert answer.warning == "The model read these lines and found no answer in them."
    assert len(host.requests) == 1


def test_not_answerable_with_citations_is_not_believed(written):
    answer = written(
        lambda body: reply(prose(READ, cite(block(body, PATH), VALUE)), answerable=False)
    )
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]


def test_one_repair_names_the_failures_and_stands_at_the_end(written, host):
    def replies(body):
        seen = block(body, PATH)
        if len(body["messages"]) == 2:
            wrong = prose("It calls `loads_all`.", cite(seen, VALUE))
            return reply(wrong, prose(READ, cite(seen, VALUE)))
        return reply(prose("It calls `loads`.", cite(seen, "return serializer.loads")))

    answer = written(replies)
    assert [text for text, _ in said(answer)] == [READ, "It calls `loads`."]
    assert len(host.requests) == 2
    named = host.requests[1].body["messages"][3]["content"]
    assert 'these names or numbers: "loads_all"' in named
    assert (answer.proposed, answer.dropped) == (2, 0)
    assert ModelCall.objects.filter(purpose="repair", parent__purpose="answer").count() == 1


def test_less_than_half_gives_a_plain_warning(written):
    answer = written(
        lambda body: reply(
            prose(READ, cite(block(body, PATH), VALUE)), *[prose("It calls `nothing_here`.")] * 2
        )
    )
    assert answer.warning.startswith("Fewer than half of what the model said")
    assert (answer.proposed, answer.dropped) == (3, 2)


def test_nothing_that_holds_is_an_abstention(written):
    answer = written(reply(prose("It is magic.")))
    assert answer.state == "abstained"
    assert answer.warning == "Nothing that the model said is carried by the lines it was sent."


def test_a_heading_needs_a_statement_and_its_words(written):
    def headed(body):
        heading = {"type": "heading", "citations": []}
        seen = block(body, PATH)
        return reply(
            {**heading, "text": "How the session is loaded"},
            prose(READ, cite(seen, VALUE)),
            {**heading, "text": "This code is safe"},
            prose("It calls `loads`.", cite(seen, "return serializer.loads")),
            {**heading, "text": "The session"},
        )

    texts = [text for text, _ in said(written(headed))]
    assert texts == ["How the session is loaded", READ, "It calls `loads`."]


def test_code_is_shown_as_it_is_stored(written):
    def coded(body):
        start, _ = block(body, PATH).line("if value is None")
        claim = {"label": block(body, PATH).label, "start": start, "end": start + 1, "quote": ""}
        code = {"type": "code", "text": "if value is None:\nreturn {}", "citations": [claim]}
        return reply(code)

    assert said(written(coded)) == [
        ("        if value is None:\n            return {}", [(f"{PATH}:13-14", "ok")])
    ]


def test_the_fallback_answers_where_the_model_fails(written, settings):
    settings.ANSWER_FALLBACK_MODEL = "openai/other"
    answer = written(perfect, Step(status=401))
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert answer.model == "openai/other"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_provider_that_recovers_is_asked_again(written, status, waits, host):  # noqa: F811
    answer = written(perfect, Step(status=status))
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert (len(host.requests), len(waits)) == (2, 1)


def test_a_model_that_falls_silent_keeps_what_was_checked(written, settings):
    settings.MODEL_TIMEOUT_SECONDS = 5

    def long(body):
        seen = block(body, PATH)
        return reply(prose(READ, cite(seen, VALUE)), prose("x" * 900, cite(seen, VALUE)))

    answer = written(long, Step(stall_after=150, pings=True))
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    assert answer.warning.startswith("The answer is not complete:")
    assert "fell silent in the middle of its reply" in answer.warning


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
