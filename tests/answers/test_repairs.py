"""The second call where the first reply could not be read: what it says, when there is none."""

import pytest

from answers import voice
from answers.repairs import LOOKED, USELESS
from outbound.models import ModelCall
from tests.answers.scripted import PATH, READ, VALUE, block, cite, perfect, prose, reply, said

pytestmark = pytest.mark.django_db
REFUSAL = "I'm sorry, but I can't help with that."


def test_a_model_is_told_what_could_not_be_read_and_how_it_should_look(written, host):
    wrong = '{"answer": "It is read from the cookie."}'
    answer = written(lambda body: perfect(body) if len(body["messages"]) > 2 else wrong)
    assert said(answer) == [(READ, [(f"{PATH}:12-12", "ok")])]
    _system, _user, own, told = host.requests[1].body["messages"]
    assert own["content"] == wrong
    assert 'Its JSON object has the keys "answer" and no "statements".' in told["content"]
    assert block(host.requests[1].body, PATH).label in told["content"]


def test_the_form_itself_sent_back_is_no_statement(written, host):
    def echo(body):
        return body["messages"][3]["content"] if len(body["messages"]) > 2 else REFUSAL

    answer = written(echo)
    assert {one.kind for one in answer.statements.all()} == {"extract"}
    assert len(host.requests) == 2


def test_a_reply_that_was_cut_is_not_asked_for_again(written, host):
    answer = written(lambda _body: "word " * 9_000)
    assert answer.error
    assert len(host.requests) == 1


def test_a_model_that_such_words_have_not_helped_is_not_told_again(written, host):
    for _ in range(USELESS):
        written(REFUSAL)
    before = len(host.requests)
    written(REFUSAL)
    assert len(host.requests) == before + 1
    # Other repairs go on, and after a while it is tried again.
    written(lambda body: reply(prose("It is magic."), prose(READ, cite(block(body, PATH), VALUE))))
    assert len(host.requests) == before + 3
    ModelCall.objects.filter(purpose="repair").delete()
    written(REFUSAL)
    assert len(host.requests) == before + 5
    assert LOOKED > USELESS


def test_an_evaluation_does_not_depend_on_what_was_asked_before(written, host):
    with voice.speaking(voice.Provider()):
        for _ in range(USELESS + 1):
            written(REFUSAL)
    assert len(host.requests) == 2 * (USELESS + 1)
