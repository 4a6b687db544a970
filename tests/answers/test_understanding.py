import json

import pytest

from answers import claims
from answers.answering import ask
from answers.jobs import write_answer
from answers.understanding import Rewritten, points_back, read
from outbound.models import ModelCall
from tests.answers.conftest import QUESTION
from tests.answers.scripted import claimed, perfect
from tests.outbound.modelhost import Step

QUESTION_PT = "Como é que o cookie da sessão é assinado?"


@pytest.mark.parametrize("text", ["And when is it empty?", "Why?", "E quando é que isso falha?"])
def test_what_points_back(text):
    assert points_back(text)


@pytest.mark.parametrize("text", [QUESTION, "How are coins summed by the total function?"])
def test_what_stands_alone(text):
    assert not points_back(text)


def reply(**fields):
    return json.dumps({"question": "Why?", "terms": [], "parts": [], **fields})


def test_a_reply_is_read_as_far_as_it_has_the_form():
    found = read(f"Sure:\n{reply(question='Why is the salt fixed?', terms=['salt', 3])}", "Why?")
    assert found == Rewritten("Why is the salt fixed?", ("salt",))
    assert read("nonsense", "Why?") is None
    assert read("[1]", "Why?") is None
    assert read(reply(), "Why?") is None


def test_what_is_too_long_or_too_much_is_cut():
    found = read(reply(terms=["t" * 99] * 20, parts=["p"] * 9), "Why?")
    assert found == Rewritten("", ("t" * 60,) * 8, ("p",) * 3)


def test_a_model_sets_no_filter():
    found = read(reply(terms=["repo:secret", "path:etc"], parts=["lang:py x"]), "Why?")
    assert found == Rewritten("", ("repo secret", "path etc"), ("lang py x",))
    assert found.searches("Why?") == ["Why? repo secret path etc", "lang py x"]


def test_names_that_a_person_wrote_stay():
    question = "Why does open_session read till/sessions.py?"
    lost = read(reply(question="Why does the session read the file?", terms=["a"]), question)
    assert lost == Rewritten("", ("a",))
    kept = "In Till, why does open_session read till/sessions.py?"
    assert read(reply(question=kept), question) == Rewritten(kept)


@pytest.fixture
def rewriting(host, settings):
    settings.REWRITE_MODEL = "openai/cheap"

    def replies(body):
        if "You prepare questions" in body["messages"][0]["content"]:
            asked = "How is the cookie of the session signed?"
            return reply(question=asked, terms=["coin", "total"], parts=["sum of coins"])
        return perfect(body)

    host.reply = replies
    return host


@pytest.mark.django_db
def test_a_rewrite_adds_evidence_and_is_shown(till, owner, rewriting):
    answer = ask(QUESTION_PT, person=owner, repositories=[till])
    before = answer.evidence.count()
    write_answer(claimed(answer))
    answer.refresh_from_db()
    assert answer.searched["rewritten"]["terms"] == ["coin", "total"]
    assert answer.evidence.count() > before
    assert "till/coins.py" in answer.evidence.values_list("path", flat=True)
    assert answer.question.__class__.objects.get().standalone.startswith("How is the cookie")
    assert list(ModelCall.objects.values_list("purpose", flat=True).order_by("pk")) == [
        "rewrite",
        "answer",
    ]


@pytest.mark.django_db
def test_the_same_path_in_two_repositories_is_two_places(till, index_files, owner, rewriting):
    files = {"till/coins.py": "def total(coins):\n    return sum(coins)\n"}
    other = index_files(files, slug="other")
    answer = ask(QUESTION_PT, person=owner, repositories=[till, other])
    write_answer(claimed(answer))
    found = answer.evidence.filter(path="till/coins.py").values_list("repository__slug", flat=True)
    assert sorted(set(found)) == ["other", "till"]


@pytest.mark.django_db
def test_a_wider_search_sees_what_who_asked_may_see_now(till, owner, member, rewriting):
    answer = ask(QUESTION_PT, person=member, repositories=[till])
    before = answer.evidence.count()
    till.groups.clear()
    write_answer(claimed(answer))
    assert answer.evidence.count() == before


@pytest.mark.django_db
def test_a_rewrite_that_fails_changes_nothing(till, owner, rewriting):
    answer = ask(
        "How is the session cookie loaded through all layers?", person=owner, repositories=[till]
    )
    rewriting.script(Step(status=401))
    write_answer(claimed(answer))
    answer.refresh_from_db()
    assert answer.state == "done"
    assert "rewritten" not in answer.searched


@pytest.mark.django_db
def test_a_plain_question_asks_no_cheap_model(till, owner, rewriting):
    write_answer(claimed(ask(QUESTION, person=owner, repositories=[till])))
    assert list(ModelCall.objects.values_list("purpose", flat=True)) == ["answer"]
    assert claims.claim_next() is None
