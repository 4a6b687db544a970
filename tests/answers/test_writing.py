"""What a page shows when a model lies, rambles, refuses or obeys the repository."""

import pytest
from django.urls import reverse

from outbound.models import ModelCall, SentLines
from tests.answers.scripted import (
    MODEL,
    PATH,
    READ,
    VALUE,
    block,
    cite,
    perfect,
    prose,
    reply,
    said,
)

pytestmark = pytest.mark.django_db


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


def test_a_refusal_in_words_leaves_extracts(written, host):
    answer = written("I'm sorry, but I can't help with that.")
    assert answer.error == "The model's reply could not be read as an answer."
    assert {one.kind for one in answer.statements.all()} == {"extract"}
    assert len(host.requests) == 2


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


def test_each_call_keeps_the_verdicts_of_its_own_citations(written):
    def replies(body):
        seen = block(body, PATH)
        right = cite(seen, VALUE)
        if len(body["messages"]) == 2:
            moved = {**right, "start": right["start"] + 2, "end": right["end"] + 2}
            wrong = prose("It calls `loads_all`.", right, {**right, "quote": "not in any line"})
            return reply(prose(READ, moved), wrong, prose("It is magic."))
        return reply(prose("It calls `loads`.", cite(seen, "return serializer.loads")))

    answer = written(replies)
    first, repair = answer.replies.order_by("call")
    assert (first.call.purpose, first.proposed, first.kept) == ("answer", 3, 1)
    assert (first.ok, first.reanchored, first.rejected) == (1, 1, 1)
    assert first.left_out == {"names": 1, "uncited": 1}
    assert (repair.call.purpose, repair.proposed, repair.kept) == ("repair", 1, 1)
    assert (repair.ok, repair.reanchored, repair.rejected, repair.left_out) == (1, 0, 0, {})
    calls = [one.call_id for one in answer.statements.all()]
    assert calls == [first.call_id, repair.call_id]


def test_extracts_are_of_no_call(written):
    answer = written("I'm sorry, but I can't help with that.")
    assert {one.call for one in answer.statements.all()} == {None}
    assert {one.proposed for one in answer.replies.all()} == {0}
