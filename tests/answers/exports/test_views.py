"""Who may take an answer away, and what the page says meanwhile."""

import json
from hashlib import sha256

import pytest
from django.urls import reverse
from django_q.models import OrmQ

from accounts.models import User
from accounts.trail.models import AuditEvent
from answers.exports import making
from answers.exports.jobs import make_export
from answers.exports.models import Export
from answers.models import Answer, Evidence, Question

pytestmark = pytest.mark.django_db
FORMS = ("answer_pdf_page", "answer_pdf", "answer_json")
WHOLE = (
    "conversation_pdf_page", "conversation_pdf", "conversation_json", "conversation_markdown",
)  # fmt: skip


@pytest.fixture
def made(answer, member) -> Export:
    export = making.ask_for(answer, person=member)
    make_export(export.pk)
    return Export.objects.get(pk=export.pk)


def pages(answer):
    at = [reverse(f"answers:{name}", args=[answer.pk]) for name in FORMS]
    whole = answer.question.conversation_id
    return at + [reverse(f"answers:{name}", args=[whole]) for name in WHOLE]


@pytest.mark.parametrize("name", ["owner", "member", "administrator"])
def test_who_sees_the_repository_takes_it_away(name, request, answer, client_of):
    client = client_of(request.getfixturevalue(name))
    assert {client.get(page).status_code for page in pages(answer)} <= {200, 302}


@pytest.mark.parametrize("name", ["outsider", "officer", "auditor"])
def test_others_find_nothing(name, request, answer, made, client_of):
    client = client_of(request.getfixturevalue(name))
    assert [client.get(page).status_code for page in pages(answer)] == [404] * 7
    assert client.post(pages(answer)[0]).status_code == 404


def test_one_hidden_repository_hides_the_conversation(
    answer, index_files, client_of, owner, member
):
    hidden = index_files({"a.py": "x = 1\n"}, "hidden")
    hidden.groups.clear()
    other = Question.objects.create(conversation=answer.question.conversation, text="and that?")
    other.repositories.add(hidden)
    page = reverse("answers:conversation_json", args=[answer.question.conversation_id])
    assert client_of(member).get(page).status_code == 404
    assert client_of(owner).get(page).status_code == 200


def test_asked_made_taken(answer, member, client_of):
    client = client_of(member)
    page = reverse("answers:answer_pdf_page", args=[answer.pk])
    pdf = reverse("answers:answer_pdf", args=[answer.pk])
    assert b"Make the PDF" in client.get(page).content
    assert client.get(pdf).headers["Location"] == page

    asked = client.post(page)
    assert (asked.status_code, asked.headers["Location"]) == (302, page)
    waiting = client.get(page)
    assert b"The PDF is being made" in waiting.content
    assert waiting.headers["Refresh"] == "2"

    make_export(Export.objects.get().pk)
    ready = client.get(page)
    assert b"Download the PDF" in ready.content
    assert "Refresh" not in ready.headers

    file = client.get(pdf)
    assert file.headers["Content-Type"] == "application/pdf"
    assert file.headers["Content-Disposition"] == (
        f'attachment; filename="answer-{str(answer.pk)[:8]}.pdf"'
    )
    assert file.content.startswith(b"%PDF-")
    assert sha256(file.content).hexdigest().encode() in ready.content


def test_a_pdf_that_is_there_is_not_made_again(made, answer, member):
    queued = OrmQ.objects.count()
    assert making.ask_for(answer, person=member).state == Export.State.DONE
    assert OrmQ.objects.count() == queued


def test_asked_twice_it_is_queued_once(answer, member):
    making.ask_for(answer, person=member)
    making.ask_for(answer, person=member)
    assert OrmQ.objects.count() - OrmQ.objects.filter(payload__isnull=True).count() >= 1
    assert Export.objects.count() == 1


def test_made_twice_it_has_the_same_bytes(made, answer, member):
    Export.objects.all().delete()
    again = making.ask_for(answer, person=member)
    make_export(again.pk)
    assert Export.objects.get().sha256 == made.sha256


def test_an_answer_that_changed_asks_to_be_made_again(made, answer, member, client_of):
    User.objects.filter(pk=member.pk).update(username="mary")
    member.refresh_from_db()
    client = client_of(member)
    page = client.get(reverse("answers:answer_pdf_page", args=[answer.pk]))
    assert b"It has changed since the last PDF was made." in page.content
    assert client.get(reverse("answers:answer_pdf", args=[answer.pk])).status_code == 302


def test_without_pango_the_page_says_what_to_install(answer, member, client_of, monkeypatch):
    monkeypatch.setattr("answers.exports.views.has_pango", lambda: False)
    page = client_of(member).get(reverse("answers:answer_pdf_page", args=[answer.pk]))
    assert b"apt-get install libpango-1.0-0 libpangoft2-1.0-0" in page.content


def test_a_failure_is_told_and_can_be_tried_again(answer, member, client_of, monkeypatch):
    monkeypatch.setattr("answers.exports.rendering.MOST_HTML", 10)
    export = making.ask_for(answer, person=member)
    make_export(export.pk)
    page = reverse("answers:answer_pdf_page", args=[answer.pk])
    assert b"too large for a PDF" in client_of(member).get(page).content
    monkeypatch.undo()
    client_of(member).post(page)
    make_export(export.pk)
    assert Export.objects.get().state == Export.State.DONE


def test_a_job_that_comes_twice_does_nothing(made):
    before = Export.objects.get().finished
    make_export(made.pk)
    make_export(made.pk + 1)
    assert Export.objects.get().finished == before


def test_a_secret_in_a_question_stays_in(answer, member, client_of):
    key = "AKIA" + "Z7QK2M5XW3RT" + "VB4N"
    Question.objects.update(text=f"Is AWS_ACCESS_KEY_ID={key} used?")
    export = making.ask_for(Answer.objects.get(), person=member)
    make_export(export.pk)
    export = Export.objects.get()
    assert export.state == Export.State.FAILED
    assert export.error.startswith("Not made: the question or the answer seems to hold a secret (")
    assert key not in export.error


KEY = "AKIA" + "Z7QK2M5XW3RT" + "VB4N"


@pytest.mark.parametrize("name", ["answer_json", "answer_markdown", "conversation_json",
                                  "conversation_markdown"])  # fmt: skip
@pytest.mark.parametrize("place", ["question", "evidence"])
def test_a_secret_is_not_taken_away_in_any_form(answer, member, client_of, name, place):
    if place == "question":
        Question.objects.update(text=f"Is AWS_ACCESS_KEY_ID={KEY} used?")
        words = "the question or the answer seems to hold a secret ("
    else:
        first = answer.evidence.order_by("ordinal").first()
        Evidence.objects.filter(pk=first.pk).update(text=f"AWS_ACCESS_KEY_ID={KEY}")
        words = "the lines it quotes seem to hold a secret ("
    kind = name.partition("_")[0]
    subject = answer.pk if kind == "answer" else answer.question.conversation_id
    response = client_of(member).get(reverse(f"answers:{name}", args=[subject]))
    assert response.status_code == 403
    html = response.content.decode()
    assert words in html
    assert KEY not in html
    assert not AuditEvent.objects.filter(action="export.answer").exists()
    event = AuditEvent.objects.get(action="export.blocked")
    form = "json" if name.endswith("json") else "markdown"
    assert (event.person, event.subject) == (member, f"{kind}:{subject}")
    assert event.detail == {"format": form, "kinds": ["aws_access_key_id"]}


def test_a_pdf_with_a_secret_in_its_evidence_is_not_made_and_that_is_recorded(answer, member):
    Evidence.objects.filter(answer=answer, ordinal=1).update(text=f"AWS_ACCESS_KEY_ID={KEY}")
    export = making.ask_for(answer, person=member)
    make_export(export.pk)
    export = Export.objects.get()
    assert export.state == Export.State.FAILED
    assert export.error.startswith("Not made: the lines it quotes seem to hold a secret (")
    event = AuditEvent.objects.get(action="export.blocked")
    assert (event.person, event.detail["format"]) == (member, "pdf")
    assert event.link == reverse("answers:answer", args=[answer.pk])


def test_what_is_taken_is_recorded(made, answer, member, client_of):
    client_of(member).get(reverse("answers:answer_pdf", args=[answer.pk]))
    event = AuditEvent.objects.filter(action="export.answer").latest("created")
    assert (event.person_name, event.detail["format"], event.detail["sha256"]) == (
        "member", "pdf", made.sha256,
    )  # fmt: skip


def test_json_holds_statements_citations_evidence_and_the_search(answer, member, client_of):
    response = client_of(member).get(reverse("answers:answer_json", args=[answer.pk]))
    data = json.loads(response.content)
    first = data["statements"][0]["citations"][0]
    assert (first["path"], first["verdict"], first["start"], first["end"]) == (
        "coins/table.py", "ok", 7, 9,
    )  # fmt: skip
    assert first["commit"] == answer.evidence.first().commit
    assert data["asked_by"] == "member"
    assert data["searched"]["repositories"][0]["slug"] == "coins"
    assert data["evidence"][0]["text"].startswith("def coin_table")
    assert data["model_calls"] == []


def test_a_conversation_as_json_and_markdown(answer, member, client_of):
    client, pk = client_of(member), answer.question.conversation_id
    data = json.loads(client.get(reverse("answers:conversation_json", args=[pk])).content)
    assert [one["id"] for one in data["answers"]] == [str(answer.pk)]
    text = client.get(reverse("answers:conversation_markdown", args=[pk])).content.decode()
    assert "[^1]: [" in text


def test_a_conversation_is_made_and_goes_with_it(answer, member):
    conversation = answer.question.conversation
    export = making.ask_for(conversation, person=member)
    make_export(export.pk)
    assert Export.objects.get().state == Export.State.DONE
    conversation.delete()
    assert not Export.objects.exists()


def test_while_it_is_written_there_is_no_pdf_and_the_page_says_so(answer, member, client_of):
    Answer.objects.filter(pk=answer.pk).update(state="running")
    client = client_of(member)
    for name, pk in [("answer", answer.pk), ("conversation", answer.question.conversation_id)]:
        page = reverse(f"answers:{name}_pdf_page", args=[pk])
        assert client.post(page).headers["Location"] == page
        said = client.get(page).content
        assert b"A PDF can be made once it has ended." in said
        assert b"Make the PDF" not in said
    assert not Export.objects.exists()
    file = client.get(reverse("answers:answer_json", args=[answer.pk]))
    assert json.loads(file.content)["state"] == "running"
