"""Nothing that looks like a secret goes out, and none that comes in is passed on."""

from decimal import Decimal

import pytest
from django.core.exceptions import ImproperlyConfigured

from accounts.models import AuditEvent
from outbound import failures, scanning
from outbound.completion import complete, stream
from outbound.models import ModelCall
from outbound.scanning import Hit, ReplyGuard

SECRET = "ghp_" + "n0tARealOne" + "8Zq3VxT5yUwK2mB7cL4dF6g"[:25]


def scan(text):
    return [Hit("token", 1)] if SECRET in text else []


def passed(found: str | Hit) -> str:
    assert isinstance(found, str)
    return found


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_a_reply_is_passed_on_in_words_whatever_its_pieces(size):
    text = "one two\nthree\tfour"
    guard = ReplyGuard(scan)
    parts = [passed(guard.feed(text[start : start + size])) for start in range(0, len(text), size)]
    assert "".join(parts) + passed(guard.rest()) == text
    assert all(part == "" or part[-1].isspace() for part in parts)


@pytest.mark.parametrize("size", [1, 3, 7])
def test_no_part_of_a_secret_is_passed_on(size):
    guard, seen = ReplyGuard(scan), ""
    found: str | Hit = ""
    text = f"it is {SECRET} there"
    for start in range(0, len(text), size):
        found = guard.feed(text[start : start + size])
        if isinstance(found, Hit):
            break
        seen += found
    assert (seen, found) == ("it is ", Hit("token", 1))


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_what_closes_a_statement_is_passed_on_with_its_brace(size):
    text = '{"list": [{"text": "x", "citations": []}]}'
    guard = ReplyGuard(scan)
    parts = [passed(guard.feed(text[start : start + size])) for start in range(0, len(text), size)]
    assert "".join(parts) == text


def test_a_secret_that_holds_what_closes_an_object_is_found_before_the_object_is_closed():
    guard = ReplyGuard(lambda text: [Hit("token", 1)] if 'pass"}word' in text else [])
    assert guard.feed('{"text": "pass"}') == '{"text": "pass"}'
    assert guard.feed('word"}') == Hit("token", 1)


def test_a_very_long_word_is_not_held_for_ever():
    guard = ReplyGuard(scan)
    assert len(passed(guard.feed("x" * 5_000))) == 4_000
    assert guard.rest() == "x" * 1_000


def test_placeholders_are_counted():
    text = "a [REDACTED:GITHUB]___ b [REDACTED]__ [R__] [REDACTED:bad"
    assert scanning.count_placeholders(text) == 2


@pytest.mark.django_db
def test_a_secret_in_a_question_stays_here(host, request_of):
    with pytest.raises(failures.Blocked) as caught:
        complete(request_of(f"What is this?\ntoken = '{SECRET}'"))
    assert str(caught.value).startswith("Not sent: line 2 of the text looks like a secret")
    call = ModelCall.objects.get()
    assert (call.state, call.failure, host.requests) == ("blocked", "blocked", [])
    assert (call.prompt_tokens, call.cost, call.sent.count()) == (0, Decimal(0), 0)
    assert SECRET not in call.error
    [event] = AuditEvent.objects.filter(action="models.blocked")
    assert (event.person, event.subject, event.link) == (
        call.person, "answer:1", f"/console/calls/{call.pk}",
    )  # fmt: skip
    assert event.detail["why"] == call.error


@pytest.mark.django_db
def test_a_secret_in_a_reply_is_not_passed_on(host, request_of):
    host.reply = f"The token is {SECRET} as you see."
    seen: list[str] = []
    with pytest.raises(failures.Blocked, match="The reply is not used"):
        seen.extend(piece.text for piece in stream(request_of()))
    assert "".join(seen) == "The token is "
    with pytest.raises(failures.Blocked, match="The reply is not used"):
        complete(request_of())
    assert {call.state for call in ModelCall.objects.all()} == {"failed"}
    events = AuditEvent.objects.filter(action="models.blocked").order_by("id")
    assert ["The reply is not used" in event.detail["why"] for event in events] == [True, True]
    assert SECRET not in str(list(events.values()))


@pytest.mark.django_db
def test_what_was_scrubbed_may_be_sent_and_is_counted(host, request_of):
    complete(request_of("token = '[REDACTED:GITHUB_TOKEN]____________'"))
    assert ModelCall.objects.get().redactions == 1


def test_without_a_scan_nothing_is_sent(monkeypatch):
    monkeypatch.setattr(scanning, "_makers", [])
    with pytest.raises(ImproperlyConfigured):
        scanning.scan_for([])
