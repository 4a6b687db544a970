import pytest
from django.urls import reverse

from answers.answering import ask
from answers.chosen import Chosen
from answers.jobs import write_answer
from answers.models import Answer, Conversation
from tests.answers.conftest import QUESTION
from tests.answers.scripted import block, claimed, reply

pytestmark = pytest.mark.django_db


@pytest.fixture
def conversation(till, owner):
    return ask(QUESTION, person=owner, repositories=[till]).question.conversation


def text_of(response):
    return " ".join(response.content.decode().split())


def page_of(client, conversation):
    return client.get(reverse("answers:conversation", args=[conversation.pk]))


def listed(client, words=""):
    return text_of(client.get(reverse("answers:conversations"), {"q": words}))


def test_one_sees_what_one_has_asked(conversation, owner, member, client_of):
    assert QUESTION in listed(client_of(owner))
    assert QUESTION not in listed(client_of(member))


def test_words_find_a_conversation(conversation, owner, client_of):
    assert QUESTION in listed(client_of(owner), "cookie session")
    assert "No conversation holds these words." in listed(client_of(owner), "cookie kubernetes")


def test_readers_of_the_repository_read_it(conversation, owner, member, outsider, client_of):
    assert page_of(client_of(owner), conversation).status_code == 200
    page = page_of(client_of(member), conversation)
    assert QUESTION in text_of(page)
    assert page_of(client_of(outsider), conversation).status_code == 404
    member.groups.clear()
    assert page_of(client_of(member), conversation).status_code == 404


def test_a_reader_sees_of_it_what_they_may(conversation, shop, owner, outsider, client_of):
    ask("the shipping weight", person=owner, repositories=[shop], conversation=conversation)
    shop.groups.all()[0].user_set.add(outsider)
    page = text_of(page_of(client_of(outsider), conversation))
    assert "the shipping weight" in page
    assert "One question is about repositories that you may not see." in page
    assert page.count('class="turn"') == 1


def test_who_asked_asks_on(conversation, owner, member, client_of):
    fields = {"question": "And what is the salt?", "repositories": ["till"]}
    for person, count in ((owner, 2), (member, 2)):
        given = {**fields, "conversation": str(conversation.pk)}
        client_of(person).post(reverse("answers:ask"), given)
        assert conversation.questions.count() == count
    assert 'name="conversation"' in text_of(page_of(client_of(owner), conversation))
    assert 'name="conversation"' not in text_of(page_of(client_of(member), conversation))


def test_a_follow_up_is_understood_with_the_question_before(conversation, till, owner, client_of):
    answer = ask("When is it empty?", person=owner, repositories=[till], conversation=conversation)
    assert answer.question.standalone == f"When is it empty? ({QUESTION})"
    page = text_of(client_of(owner).get(reverse("answers:answer", args=[answer.pk])))
    assert f"Understood as: <q>When is it empty? ({QUESTION})</q>" in page


def test_what_a_chain_of_follow_ups_points_at_is_named_once(conversation, till, owner):
    for text in ("When is it empty?", "And why?"):
        answer = ask(text, person=owner, repositories=[till], conversation=conversation)
    assert answer.question.standalone == f"And why? ({QUESTION} When is it empty?)"
    answer = ask("And why?", person=owner, repositories=[till], conversation=conversation)
    assert answer.question.standalone == f"And why? ({QUESTION} When is it empty? And why?)"


def test_what_a_model_made_of_the_question_before_needs_no_more(conversation, till, owner):
    first = conversation.questions.get()
    first.standalone = "How is the session of Till loaded?"
    first.save()
    answer = ask("And why?", person=owner, repositories=[till], conversation=conversation)
    assert answer.question.standalone == "And why? (How is the session of Till loaded?)"


def test_code_that_a_model_shows_is_in_the_conversation_too(till, owner, member, client_of, host):
    def shows_code(body):
        seen = block(body, "till/sessions.py")
        number, line = seen.line("return serializer.loads")
        found = {"label": seen.label, "start": number, "end": number, "quote": line.strip()}
        return reply({"type": "code", "text": line, "citations": [found]})

    host.reply = shows_code
    answer = ask(QUESTION, person=owner, repositories=[till])
    write_answer(claimed(answer))
    conversation = answer.question.conversation
    for person in (owner, member):
        page = text_of(page_of(client_of(person), conversation))
        assert 'class="statement is-code"' in page
        assert "#L15" in page
        assert 'class="note ok"' in page


def test_how_an_answer_ended_is_in_the_conversation(conversation, owner, outsider, client_of):
    answer = Answer.objects.get()
    for state, words in (("stopped", "stopped"), ("failed", "Something went wrong")):
        Answer.objects.filter(pk=answer.pk).update(
            state=state, error="Something went wrong inside Footnote (X)."
        )
        page = text_of(page_of(client_of(owner), conversation))
        assert words in page
    assert page_of(client_of(outsider), conversation).status_code == 404


def test_a_question_that_stands_alone_stays_so(conversation, till, owner):
    question = "How are coins summed by total?"
    answer = ask(question, person=owner, repositories=[till], conversation=conversation)
    assert answer.question.standalone == ""


def test_only_who_asked_renames_and_deletes(conversation, owner, member, client_of):
    for name in ("conversation_rename", "conversation_delete"):
        address = reverse(f"answers:{name}", args=[conversation.pk])
        assert client_of(member).post(address, {"title": "Mine"}).status_code == 404
    address = reverse("answers:conversation_rename", args=[conversation.pk])
    client_of(owner).post(address, {"title": " Cookies\n and\x00 sessions "})
    conversation.refresh_from_db()
    assert conversation.title == "Cookies and sessions"
    client_of(owner).post(address, {"title": "  "})
    conversation.refresh_from_db()
    assert conversation.title == "Cookies and sessions"
    address = reverse("answers:conversation_delete", args=[conversation.pk])
    assert "goes with all its questions" in text_of(client_of(owner).get(address))
    client_of(owner).post(address)
    assert not Conversation.objects.exists()


def test_somebody_elses_conversation_is_not_gone_on_with(conversation, member, client_of):
    for given in (str(conversation.pk), "nonsense"):
        fields = {"question": QUESTION, "repositories": ["till"], "conversation": given}
        client_of(member).post(reverse("answers:ask"), fields)
    assert conversation.questions.count() == 1


def test_asked_again_it_is_a_new_answer_to_the_same_question(conversation, owner, client_of):
    client = client_of(owner)
    (first,) = Answer.objects.all()
    response = client.post(reverse("answers:again", args=[first.pk]))
    second = Answer.objects.exclude(pk=first.pk).get()
    assert response.headers["Location"] == reverse("answers:answer", args=[second.pk])
    assert second.question == first.question
    again = "The question was asked again"
    old, new = (
        text_of(client.get(reverse("answers:answer", args=[a.pk]))) for a in (first, second)
    )
    assert (again in old, again in new) == (True, False)
    assert f'href="{reverse("answers:answer", args=[second.pk])}"' in old
    page = text_of(page_of(client, conversation))
    assert page.count('class="turn"') == 1
    assert reverse("answers:answer", args=[second.pk]) in page
    assert reverse("answers:answer", args=[first.pk]) not in page


def test_asked_again_it_is_about_the_same_lines(till, owner, client_of):
    chosen = [Chosen("till", "till/coins.py", 6, 7)]
    first = ask("Why is this?", person=owner, repositories=[till], chosen=chosen)
    client_of(owner).post(reverse("answers:again", args=[first.pk]))
    second = Answer.objects.exclude(pk=first.pk).get()
    piece = second.evidence.get(ordinal=1)
    assert (piece.path, piece.start_line, piece.channels) == ("till/coins.py", 6, "chosen")


def test_only_who_asked_asks_again_in_the_conversation(
    conversation, owner, member, outsider, client_of
):
    (answer,) = Answer.objects.all()
    for person in (member, outsider):
        again = reverse("answers:again", args=[answer.pk])
        assert client_of(person).post(again).status_code == 404
    page = text_of(client_of(member).get(reverse("answers:answer", args=[answer.pk])))
    assert "/again" not in page
    assert f'name="question" value="{QUESTION}"' in page
    assert conversation.questions.get().answers.count() == 1
