"""Chat over real HTTP: what comes back, what is recorded, and every way in which it can fail."""

from decimal import Decimal

import pytest

from outbound import failures
from outbound.asking import Completion, Piece, SentRange
from outbound.completion import complete, stream
from outbound.models import ModelCall, SentLines
from tests.outbound.modelhost import Step

pytestmark = pytest.mark.django_db

LINES = SentRange(7, "lib", "c0ffee", "src/a.py", 3, 9)


def shown(pieces):
    return [piece.text for piece in pieces]


def whole(pieces: list[Piece]) -> Completion:
    completion = pieces[-1].completion
    assert completion is not None
    return completion


def test_a_whole_reply_and_its_record(host, request_of, owner):
    host.usage = {
        "prompt_tokens": 40,
        "completion_tokens": 6,
        "prompt_tokens_details": {"cached_tokens": 32},
    }
    found = complete(request_of(sent=[LINES]))
    assert (found.text, found.stopped_by) == ("Hello there, reader.", "stop")
    assert host.requests[0].body["messages"] == [
        {"role": "system", "content": "You answer in JSON."},
        {"role": "user", "content": "Where is the parser?"},
    ]
    call = ModelCall.objects.get()
    assert (call.person, call.purpose, call.subject) == (owner, "answer", "answer:1")
    assert (call.provider, call.model) == ("openai", "openai/test-chat")
    assert (call.endpoint, call.state, call.error) == (host.address, "done", "")
    assert (call.prompt_tokens, call.completion_tokens, call.cached_tokens) == (40, 6, 32)
    assert (call.estimated, call.cost, call.repositories) == (False, None, [7])
    line = SentLines.objects.get()
    assert str(line) == "lib src/a.py:3-9 @ c0ffee"
    assert line.model_call == call


def test_a_known_price_is_paid_as_the_table_says(host, request_of):
    host.usage = {"prompt_tokens": 1000, "completion_tokens": 100}
    complete(request_of(model="openai/gpt-4o-mini"))
    # $0.15 and $0.60 a million
    assert ModelCall.objects.get().cost == Decimal("0.00021")


def test_without_the_providers_count_ours_is_marked_as_estimated(host, request_of):
    host.usage = None
    complete(request_of(model="openai/gpt-4o-mini"))
    call = ModelCall.objects.get()
    assert (call.completion_tokens, call.estimated) == (5, True)
    assert call.prompt_tokens == 5 + 5 + 2 * 4


def test_a_stream_comes_in_words_and_ends_with_the_whole(host, request_of):
    pieces = list(stream(request_of()))
    assert shown(pieces) == ["Hello ", "there, ", "reader.", ""]
    assert whole(pieces).text == "Hello there, reader."
    call = ModelCall.objects.get()
    assert (call.state, call.prompt_tokens, call.completion_tokens) == ("done", 11, 5)


def test_closing_a_stream_stops_the_call(host, request_of):
    pieces = stream(request_of())
    assert next(pieces).text == "Hello "
    pieces.close()
    call = ModelCall.objects.get()
    assert (call.state, call.error, call.completion_tokens > 0) == ("stopped", "", True)


FAULTS = [
    (Step(status=401), failures.KeyRefused, "HOST does not accept the key for openai/test-chat."),
    (Step(status=403), failures.KeyRefused, "HOST does not accept the key for openai/test-chat."),
    (Step(status=404), failures.UnknownModel, "HOST knows no model openai/test-chat."),
    (Step(status=400), failures.RequestRefused, "HOST refused the request to openai/test-chat."),
    (
        Step(status=400, message="This model's maximum context length is 10 tokens"),
        failures.ContextTooLong,
        "That is more than openai/test-chat can read at once.",
    ),
    (Step(raw=b"<html>oops"), failures.BrokenReply,
     "HOST answered with something that is no reply of a model."),
    (Step(raw=b"{}"), failures.BrokenReply,
     "HOST answered with something that is no reply of a model."),
]  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_one_plain_failure(host, request_of, waits, fault):
    step, kind, message = fault
    host.script(step)
    with pytest.raises(kind) as caught:
        complete(request_of())
    assert str(caught.value) == message.replace("HOST", host.address)
    call = ModelCall.objects.get()
    assert (call.state, call.failure, call.error) == ("failed", kind.code, str(caught.value))
    assert (len(host.requests), waits, caught.value.call) == (1, [], call)


def test_a_full_queue_is_waited_for_as_long_as_it_says(host, request_of, waits):
    host.script(Step(status=429, headers={"Retry-After": "3"}), Step(status=503))
    assert complete(request_of()).text == "Hello there, reader."
    assert waits[0] == 3
    assert 0.5 <= waits[1] <= 1.0
    assert ModelCall.objects.get().retries == 2


def test_nobody_waits_longer_than_a_person_would(host, request_of, waits):
    host.script(Step(status=429, headers={"Retry-After": "50"}))
    with pytest.raises(failures.RateLimited):
        complete(request_of())
    assert (waits, len(host.requests)) == ([], 1)


def test_a_provider_that_stays_down_is_told_after_five_tries(host, request_of, waits):
    host.script(*[Step(status=500)] * 5)
    with pytest.raises(failures.ProviderDown):
        complete(request_of())
    assert (len(host.requests), len(waits)) == (5, 4)
    assert ModelCall.objects.get().prompt_tokens == 0


def test_nobody_listens(host, request_of, settings, waits):
    settings.MODEL_BASE_URL = "http://127.0.0.1:9/v1"
    with pytest.raises(failures.Unreachable, match=r"No connection to 127\.0\.0\.1:9\."):
        complete(request_of())


@pytest.mark.parametrize("ask", [complete, lambda request: list(stream(request))])
def test_a_silent_provider_is_left_in_time(host, request_of, waits, ask):
    host.script(*[Step(silent=True)] * 5)
    with pytest.raises(failures.TimedOut, match="did not answer in time"):
        ask(request_of(timeout=0.3))
    assert ModelCall.objects.get().failure == "timed_out"


@pytest.mark.parametrize("pings", [False, True])
def test_a_stream_that_falls_silent(host, request_of, pings):
    host.script(Step(stall_after=3, pings=pings))
    seen: list[str] = []
    with pytest.raises(failures.StreamStalled, match="fell silent in the middle of its reply"):
        seen.extend(piece.text for piece in stream(request_of(timeout=0.5)))
    assert seen == ["Hello "]
    call = ModelCall.objects.get()
    assert (call.state, call.failure, call.estimated) == ("failed", "stalled", True)
    assert call.completion_tokens > 0


def test_a_stream_that_is_cut(host, request_of):
    host.script(Step(cut_after=3))
    seen: list[str] = []
    with pytest.raises(failures.StreamCut, match="ended in the middle of its reply"):
        seen.extend(piece.text for piece in stream(request_of()))
    assert seen == ["Hello "]
    assert len(host.requests) == 1


def test_a_stream_that_is_refused_is_asked_again(host, request_of, waits):
    host.script(Step(status=429, headers={"Retry-After": "1"}))
    assert "".join(shown(stream(request_of()))) == "Hello there, reader."
    assert (waits, ModelCall.objects.get().retries) == ([1.0], 1)


def test_a_model_that_rambles_is_cut(host, request_of):
    host.reply = "word " * 400
    pieces = list(stream(request_of(max_tokens=20)))
    completion = whole(pieces)
    assert completion.stopped_by == "length"
    assert len(completion.text.split()) < 60


def test_the_other_model_is_asked_where_the_first_fails(host, request_of):
    host.script(Step(status=404))
    found = complete(request_of(fallback="openai/other"))
    assert (found.text, found.model) == ("Hello there, reader.", "openai/other")
    first, second = ModelCall.objects.order_by("pk")
    assert (first.state, second.state, second.parent) == ("failed", "done", first)


def test_a_stream_that_has_begun_does_not_change_its_model(host, request_of):
    host.script(Step(cut_after=3))
    with pytest.raises(failures.StreamCut):
        list(stream(request_of(fallback="openai/other")))
    assert ModelCall.objects.count() == 1


@pytest.mark.parametrize("status", [400, 500])
def test_json_is_asked_for_and_a_server_without_it_is_asked_without(
    host, request_of, waits, status
):
    host.script(*[Step(status=status, message="('body', 'response_format', 'type'): unknown")] * 2)
    schema = {"type": "object", "properties": {}}
    complete(request_of(json_schema=schema))
    first, second, third = (one.body.get("response_format") for one in host.requests)
    assert first["json_schema"]["schema"] == schema
    assert second == {"type": "json_object", "schema": schema}
    assert (third, waits) == (None, [])


def test_the_form_that_a_server_took_is_asked_for_first(host, request_of):
    refused = Step(status=400, message="('body', 'response_format', 'type'): unknown")
    host.script(refused)
    for _ in range(2):
        complete(request_of(json_schema={"type": "object"}))
    complete(request_of())
    forms = [(one.body.get("response_format") or {}).get("type") for one in host.requests]
    assert forms == ["json_schema", "json_object", "json_object", None]


@pytest.mark.parametrize("streamed", [False, True])
def test_a_server_that_cannot_process_a_form_of_reply_is_asked_without(
    host, request_of, waits, streamed
):
    # litellm asks once more itself, the same, before it tells us.
    refusal = Step(status=422, message="('body', 'response_format', 'type'): unknown")
    host.script(*[refusal] * 4)
    request = request_of(json_schema={"type": "object", "properties": {}})
    found = "".join(one.text for one in stream(request)) if streamed else complete(request).text
    assert found == "Hello there, reader."
    assert ["response_format" in one.body for one in host.requests] == [True] * 4 + [False]
    assert waits == []


def test_nothing_is_sent_without_a_model_or_a_key(host, request_of, settings):
    settings.MODEL_KEY = settings.MODEL_BASE_URL = ""
    with pytest.raises(failures.NotConfigured, match="openai/test-chat needs a key"):
        complete(request_of())
    with pytest.raises(failures.NotConfigured, match="No model is set up"):
        complete(request_of(model=""))
    assert (host.requests, ModelCall.objects.count()) == ([], 0)
