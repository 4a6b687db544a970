"""From an answer to the calls that were made for it, and back; and for whom."""

import pytest

from answers.answering import ask
from answers.models import Answer, Citation, Reply
from outbound.models import ModelCall
from repos.models import Repository
from tests.compliance.call_rows import call, listed, sent

pytestmark = pytest.mark.django_db
PAGE = "/console/calls"


@pytest.fixture
def lib(here, index_files) -> Repository:
    found: Repository = index_files({"src/app.py": "def main():\n    return 1\n"})
    return found


@pytest.fixture
def answer(lib, owner, member) -> Answer:
    found = ask("Where is main?", person=owner, repositories=Repository.objects.all())
    made = call(owner, repositories=[lib.pk], subject=found.subject)
    sent(made, lib, "src/app.py", 1, 2)
    return found


def test_a_call_shows_its_answer_and_the_verdicts(answer, administrator, officer, client_of):
    [made] = ModelCall.objects.filter(subject=answer.subject)
    first = Citation.objects.filter(statement__answer=answer).first()
    assert first is not None
    Citation.objects.filter(pk=first.pk).update(verdict="reanchored")
    number = Citation.objects.filter(statement__answer=answer).count()
    page = client_of(administrator).get(f"{PAGE}/{made.pk}")
    html = page.content.decode()
    assert f'href="/answers/{answer.pk}"' in html
    verdicts = {verdict: n for verdict, _words, n in page.context["about"].verdicts}
    assert (verdicts["reanchored"], sum(verdicts.values())) == (1, number)
    # An officer sees no more answers than a member: verdicts, and not the question.
    html = client_of(officer).get(f"{PAGE}/{made.pk}").content.decode()
    assert "Where is main?" not in html
    assert "re-anchored" in html


def test_a_call_shows_its_own_verdicts_and_the_other_call_of_its_answer_others(
    answer, owner, administrator, client_of
):
    [first] = ModelCall.objects.filter(subject=answer.subject)
    repair = call(owner, purpose="repair", parent=first, subject=answer.subject)
    counts = {"ok": 1, "reanchored": 0, "rejected": 2, "left_out": {"quotes": 2}}
    Reply.objects.create(answer=answer, call=first, proposed=3, kept=1, **counts)
    one = answer.statements.first()
    answer.statements.filter(pk=one.pk).update(call=first)
    client = client_of(administrator)
    html = " ".join(client.get(f"{PAGE}/{first.pk}").content.decode().split())
    assert "3 statements came back, 1 kept. 3 citations came back: 1 checked" in html
    assert "Left out: 2 quotes that stand nowhere in what was sent" in html
    assert f'href="/answers/{answer.pk}#statement-{one.ordinal}"' in html
    assert f'href="{PAGE}/{repair.pk}"' in html
    html = client.get(f"{PAGE}/{repair.pk}").content.decode()
    assert "No citation of this call is shown." in html
    html = " ".join(client_of(owner).get(f"/answers/{answer.pk}/calls").content.decode().split())
    assert "3 statements came back, 1 kept." in html


@pytest.mark.parametrize("who", ["officer", "auditor", "administrator"])
def test_from_an_answer_into_the_console(answer, who, request, client_of):
    client = client_of(request.getfixturevalue(who))
    there = client.get(f"/answers/{answer.pk}/calls")
    assert there["Location"] == f"{PAGE}?subject={answer.subject}"
    assert len(listed(client.get(there["Location"]))) == 1


def test_who_asked_sees_the_calls_of_the_answer(answer, owner, client_of):
    client = client_of(owner)
    assert f"/answers/{answer.pk}/calls" in client.get(f"/answers/{answer.pk}").content.decode()
    html = client.get(f"/answers/{answer.pk}/calls").content.decode()
    assert "openai/gpt-x" in html
    assert "/r/lib/file/src/app.py?at=" in html


@pytest.mark.parametrize("who", ["member", "outsider"])
def test_nobody_else_sees_them(answer, who, request, client_of):
    client = client_of(request.getfixturevalue(who))
    assert client.get(f"/answers/{answer.pk}/calls").status_code == 404
    page = client.get(f"/answers/{answer.pk}")
    assert f"/answers/{answer.pk}/calls" not in page.content.decode()
