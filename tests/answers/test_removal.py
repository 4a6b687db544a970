"""Deleting a repository takes along what was asked of it."""

import pytest

from answers.answering import ask
from answers.models import Answer, Conversation, Question, Statement
from repos.models import Repository
from repos.removal import remove

pytestmark = pytest.mark.django_db(transaction=True)
FILES = {"greet.py": 'def greet(name):\n    """Say hello to a person."""\n    return name\n'}


def asked(index_files, owner, *slugs: str) -> Answer:
    for slug in slugs:
        index_files(FILES, slug=slug)
    chosen = Repository.objects.filter(slug__in=slugs)
    return ask("Who says hello to a person?", person=owner, repositories=chosen)


def test_questions_answers_and_quotes_go_with_the_repository(index_files, owner):
    answer = asked(index_files, owner, "lib")
    assert answer.statements.exists()
    remove(Repository.objects.get())
    for model in (Conversation, Question, Answer, Statement):
        assert not model.objects.exists()


def test_a_question_to_two_repositories_goes_with_either(index_files, owner):
    asked(index_files, owner, "lib", "other")
    remove(Repository.objects.get(slug="other"))
    assert not Question.objects.exists()


def test_what_was_asked_of_others_stays(index_files, owner):
    kept = asked(index_files, owner, "lib")
    asked(index_files, owner, "other")
    remove(Repository.objects.get(slug="other"))
    assert list(Answer.objects.all()) == [kept]
