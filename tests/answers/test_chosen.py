import pytest
from django.urls import reverse

from answers.answering import ask
from answers.chosen import Chosen, begun_with, read
from answers.models import Answer, Question

pytestmark = pytest.mark.django_db

WHY = "Why is this there?"


def first_piece(answer):
    row = answer.evidence.get(ordinal=1)
    return row.path, row.start_line, row.end_line, row.channels.split(",")[0]


@pytest.mark.parametrize(
    ("lines", "expected"),
    [("3-8", (3, 8)), ("3", (3, 3)), ("8-3", (8, 8)), ("", (1, 0)), ("x-y", (1, 0)), ("0", (1, 0))],
)
def test_lines_of_a_form(lines, expected):
    assert read("till", "a.py", lines) == Chosen("till", "a.py", *expected)


def test_what_names_no_file_is_nothing():
    assert read("", "a.py", "3") is None
    assert read("till", "", "3") is None
    assert read("till", "a\x00.py", "3") is None


def test_lines_that_a_question_begins_with():
    assert begun_with("till/coins.py:2-3 why?") == Chosen("", "till/coins.py", 2, 3)
    assert begun_with("till/coins.py:2 why?") == Chosen("", "till/coins.py", 2, 2)
    assert begun_with("till/coins.py:2-3") is None
    assert begun_with("Why at 10:30 today?") is None


def test_chosen_lines_are_the_first_evidence(till, owner):
    chosen = [Chosen("till", "till/coins.py", 6, 7)]
    answer = ask(WHY, person=owner, repositories=[till], chosen=chosen)
    assert first_piece(answer) == ("till/coins.py", 6, 7, "chosen")


def test_the_box_of_a_file_chooses_lines_too(till, shop, owner):
    question = f"till/coins.py:6-7 {WHY}"
    answer = ask(question, person=owner, repositories=[till, shop])
    path, start, end, channel = first_piece(answer)
    assert (path, channel) == ("till/coins.py", "chosen")
    assert start <= 6
    assert end == 7


def test_lines_that_are_not_there_are_passed_over(till, owner):
    chosen = [Chosen("till", "gone.py", 1, 2), Chosen("till", "till/coins.py", 900, 901)]
    answer = ask("total of coins", person=owner, repositories=[till], chosen=chosen)
    assert "chosen" not in ",".join(answer.evidence.values_list("channels", flat=True))


def test_lines_of_what_one_may_not_see_are_not_chosen(till, shop, outsider, owner, client_of):
    shop.groups.all()[0].user_set.add(outsider)
    chosen = [Chosen("till", "till/coins.py", 1, 2)]
    answer = ask("the shipping weight", person=outsider, repositories=[till, shop], chosen=chosen)
    assert set(answer.evidence.values_list("repository__slug", flat=True)) <= {"shop"}


def test_a_question_is_narrowed_to_a_folder(till, owner, client_of):
    fields = {"question": "coins", "repositories": ["till"], "narrowing": "path:README x <b>"}
    client_of(owner).post(reverse("answers:ask"), fields)
    assert Question.objects.get().narrowing == "path:README"
    assert set(Answer.objects.get().evidence.values_list("path", flat=True)) == {"README.md"}


def test_the_form_says_what_it_is_limited_to(till, owner, client_of):
    address = reverse("answers:ask") + "?r=till&path=till/coins.py&lines=2-3&edit=1"
    page = " ".join(client_of(owner).get(address).content.decode().split())
    assert '<span class="badge mono">till/coins.py:2-3</span>' in page
    assert 'name="lines" value="2-3"' in page
    assert "Leave this out" in page


def test_what_it_was_limited_to_can_be_left_out(till, owner, client_of):
    fields = {
        "question": "total of coins", "repositories": ["till"], "narrowing": "path:README",
        "slug": "till", "path": "till/sessions.py", "lines": "2-3", "everything": "on",
    }  # fmt: skip
    client_of(owner).post(reverse("answers:ask"), fields)
    question = Question.objects.get()
    assert (question.narrowing, question.chosen) == ("", [])


def test_what_was_left_out_stays_so_when_the_form_comes_back(till, owner, client_of):
    fields = {"question": "", "slug": "till", "path": "till/coins.py", "everything": "on"}
    response = client_of(owner).post(reverse("answers:ask"), fields)
    page = " ".join(response.content.decode().split())
    assert response.status_code == 422
    assert '<span class="badge mono">till/coins.py</span>' in page
    assert 'name="everything" id="id_everything" checked' in page


def test_a_symbol_is_asked_about_by_its_lines(till, owner, client_of):
    address = reverse("indexing:symbols", args=["till"]) + "?q=mint"
    page = client_of(owner).get(address).content.decode()
    assert "?edit=1&amp;r=till&amp;path=till%2Fcoins.py&amp;lines=6-7" in page
    assert "Ask about mint" in page
