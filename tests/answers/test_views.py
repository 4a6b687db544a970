import pytest
from django.urls import reverse

from answers.answering import ask
from answers.models import Answer, Question
from tests import factories
from tests.answers.conftest import FILES, QUESTION, SESSIONS

pytestmark = pytest.mark.django_db


@pytest.fixture
def answer(till, owner):
    return ask(QUESTION, person=owner, repositories=[till])


def page_of(client, answer):
    return client.get(reverse("answers:answer", args=[answer.pk]))


def text_of(response):
    """The page with its white space folded, so that templates may be laid out."""
    return " ".join(response.content.decode().split())


def post(client, question=QUESTION, *slugs):
    return client.post(reverse("answers:ask"), {"question": question, "repositories": slugs})


def test_form_offers_what_the_person_may_see(till, owner, member, outsider, client_of):
    for person, seen in ((owner, True), (member, True), (outsider, False)):
        page = text_of(client_of(person).get(reverse("answers:ask")))
        assert ('value="till"' in page) is seen
        assert ("Nothing to ask yet" in page) is not seen


def test_the_question_is_not_optional(till, owner, client_of):
    page = text_of(client_of(owner).get(reverse("answers:ask")))
    assert '<label for="id_question">Question</label>' in page


def test_without_a_hit_nothing_is_counted(till, owner, client_of):
    page = text_of(page_of(client_of(owner), ask("Kubernetes?", person=owner, repositories=[till])))
    assert "Searched, nothing found" in page
    assert "0 hits" not in page


def test_form_is_filled_from_the_address(till, shop, owner, client_of):
    address = reverse("answers:ask") + "?q=why+%3Cb%3E&r=till&repository=shop&r=unknown"
    page = text_of(client_of(owner).get(address))
    assert "why &lt;b&gt;</textarea>" in page
    assert page.count(" checked") == 2


def test_text_from_the_box_is_asked_at_once_but_not_from_elsewhere(till, owner, client_of):
    client, address = client_of(owner), reverse("answers:ask") + "?q=why"
    assert "data-ask-now" in text_of(client.get(address, headers={"sec-fetch-site": "same-origin"}))
    edited = client.get(address + "&edit=1", headers={"sec-fetch-site": "same-origin"})
    assert "data-ask-now" not in text_of(edited)
    for site in ("cross-site", "none"):
        page = client.get(address, headers={"sec-fetch-site": site})
        assert "data-ask-now" not in text_of(page)
    assert not Question.objects.exists()


def test_asking_leads_to_the_answer(till, member, client_of):
    response = post(client_of(member), QUESTION, "till")
    answer = Answer.objects.get()
    assert response.headers["Location"] == f"/answers/{answer.pk}"
    assert answer.question.conversation.person == member


def test_no_choice_asks_all_that_may_be_seen(till, shop, member, client_of):
    post(client_of(member))
    assert set(Question.objects.get().repositories.all()) == {till, shop}


def test_outsider_cannot_ask_what_they_cannot_see(till, outsider, client_of):
    response = post(client_of(outsider), QUESTION, "till")
    assert response.status_code == 422
    assert "There is no repository “till” that you may see." in text_of(response)
    assert "Nothing that you may ask about" in text_of(post(client_of(outsider)))
    assert not Question.objects.exists()


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ("", "Type a question."),
        ("?!", "There is no word in this."),
        ("\x00", "Type a question."),
        ("y" * 10_001, "The question has 10001 characters; 10000 are the most."),
    ],
)
def test_what_is_no_question_comes_back_with_a_message(till, owner, client_of, question, message):
    response = post(client_of(owner), question, "till")
    assert response.status_code == 422
    assert message in text_of(response)


@pytest.mark.parametrize("question", ["x" * 10_000, "日本語 🦄", "%' OR 1=1 _", "sessão do cookie"])
def test_odd_questions_get_an_answer_page(till, owner, client_of, question):
    client = client_of(owner)
    response = client.get(post(client, question, "till").headers["Location"])
    assert response.status_code == 200


def test_readers_of_the_repository_read_the_answer(answer, owner, member, outsider, client_of):
    assert page_of(client_of(owner), answer).status_code == 200
    assert page_of(client_of(member), answer).status_code == 200
    assert page_of(client_of(outsider), answer).status_code == 404


def test_who_may_see_one_of_two_repositories_gets_404(till, shop, owner, outsider, client_of):
    answer = ask(QUESTION, person=owner, repositories=[till, shop])
    shop.groups.all()[0].user_set.add(outsider)
    assert page_of(client_of(outsider), answer).status_code == 404


def test_answer_ends_for_who_loses_the_repository(answer, member, client_of):
    client = client_of(member)
    assert page_of(client, answer).status_code == 200
    member.groups.clear()
    assert page_of(client, answer).status_code == 404
    assert client.get(reverse("answers:answer_markdown", args=[answer.pk])).status_code == 404


def test_page_says_what_it_is_and_where_it_is_from(answer, till, owner, client_of):
    page = text_of(page_of(client_of(owner), answer))
    assert "Extract, no model configured" in page
    assert '#L15">15</a>' in page
    assert "CookieSessions.open_session" in page
    assert till.snapshots.get().commit[:8] in page
    assert f"{answer.milliseconds} ms" in page
    assert "Searched" in page


def test_footnote_opens_exactly_its_lines(answer, till, owner, client_of):
    client = client_of(owner)
    page = text_of(page_of(client, answer))
    commit = till.snapshots.get().commit
    address = f"/r/till/file/till/sessions.py?at={commit}"
    assert f'href="{address}#L9-L15" data-cite="1"' in page
    assert client.get(address).status_code == 200


def test_odd_paths_are_encoded_once(till, owner, client_of):
    client = client_of(owner)
    location = post(client, "parse_voucher", "till").headers["Location"]
    page = text_of(client.get(location))
    address = "/r/till/file/till/odd%20name%3F%23100%25.py?at="
    assert f'href="{address}' in page
    assert client.get(address + till.snapshots.get().commit).status_code == 200


def test_evidence_names_the_channels_that_found_it(answer, owner, client_of):
    page = text_of(page_of(client_of(owner), answer))
    assert '<span class="badge">words</span>' in page


def test_repository_text_is_escaped(index_files, owner, client_of):
    source = "def render(page):\n    return '<script>alert(1)</script>' + page\n"
    repository = index_files({"a<b>.py": source}, slug="evil")
    answer = ask("render the page <i>", person=owner, repositories=[repository])
    page = text_of(page_of(client_of(owner), answer))
    assert "<script>alert" not in page
    assert "a&lt;b&gt;.py" in page
    assert "<i>" not in page.split("<h1>")[1].split("</h1>")[0]


def test_abstention_says_why_and_how_to_ask_better(till, owner, client_of):
    answer = ask("How are kubernetes pods evicted?", person=owner, repositories=[till])
    page = text_of(page_of(client_of(owner), answer))
    assert "Nothing found that answers this" in page
    assert "These words of the question occur nowhere: kubernetes, pods, evicted." in page
    assert "Name a symbol, a file or a message as it stands in the code." in page
    assert "data-cite" not in page


def test_page_says_how_many_cited_ranges_have_changed(answer, till, owner, tmp_path, client_of):
    client = client_of(owner)
    assert "changed since" not in text_of(page_of(client, answer))
    changed = SESSIONS.replace("signed cookie, or", "signed cookie or")
    factories.write_files(tmp_path / "sources" / "till", {**FILES, "till/sessions.py": changed})
    factories.index(till)
    page = text_of(page_of(client, answer))
    assert "1 of " in page
    assert "cited ranges have changed since." in page


def test_asking_again_is_one_button(answer, owner, client_of):
    """Who asked goes on in the same conversation, somebody else in one of their own."""
    page = text_of(page_of(client_of(owner), answer))
    assert f'action="/answers/{answer.pk}/again"' in page
    assert f'name="question" value="{QUESTION}"' not in page


def test_who_only_reads_it_asks_the_same_anew(answer, member, client_of):
    page = text_of(page_of(client_of(member), answer))
    assert f"/answers/{answer.pk}/again" not in page
    assert f'name="question" value="{QUESTION}"' in page
    assert '<input type="hidden" name="repositories" value="till">' in page


def test_markdown_is_for_readers_only(answer, member, outsider, client_of):
    address = reverse("answers:answer_markdown", args=[answer.pk])
    response = client_of(member).get(address)
    assert response.headers["Content-Type"] == "text/markdown; charset=utf-8"
    assert f"<http://testserver/answers/{answer.pk}>" in text_of(response)
    assert client_of(outsider).get(address).status_code == 404


def test_recent_answers_are_a_page_and_a_fragment(answer, owner, member, client_of):
    address = reverse("answers:recent")
    whole = text_of(client_of(owner).get(address))
    part = text_of(client_of(owner).get(address, headers={"hx-request": "true"}))
    assert "<html" in whole
    assert "<html" not in part
    assert all(f'href="/answers/{answer.pk}"' in text for text in (whole, part))
    assert f"/answers/{answer.pk}" not in text_of(client_of(member).get(address))


def test_nobody_reads_without_signing_in(answer, client):
    for response in (page_of(client, answer), client.get(reverse("answers:ask"))):
        assert response.status_code == 302
        assert response.headers["Location"].startswith("/sign-in")


def test_page_is_light(answer, owner, client_of, django_assert_max_num_queries):
    client = client_of(owner)
    with django_assert_max_num_queries(16):
        response = page_of(client, answer)
    assert len(response.content) < 150_000


def test_extracts_say_which_words_were_found_nowhere(till, owner, member, outsider, client_of):
    question = "How is the session loaded from the signed cookie by kubelet?"
    location = post(client_of(owner), question, "till").headers["Location"]
    for person in (owner, member):
        page = text_of(client_of(person).get(location))
        assert "These words of the question occur nowhere: kubelet." in page
    assert client_of(outsider).get(location).status_code == 404
