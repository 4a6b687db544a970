import pytest

from answers.answering import ask, ask_in
from answers.queries import changed_since, readable_by, recent_answers
from answers.reading import show
from repos.models import Repository
from tests import factories
from tests.answers.conftest import FILES, QUESTION, SESSIONS

pytestmark = pytest.mark.django_db


@pytest.fixture
def answer(till, owner):
    return ask(QUESTION, person=owner, repositories=[till])


def test_who_sees_the_repository_reads_the_answer(answer, owner, member, outsider):
    assert list(readable_by(owner)) == [answer]
    assert list(readable_by(member)) == [answer]
    assert list(readable_by(outsider)) == []


def test_who_sees_one_of_two_repositories_does_not(till, shop, owner, outsider):
    shop.groups.all()[0].user_set.add(outsider)
    both = ask("session cookie signed", person=owner, repositories=[till, shop])
    one = ask("basket shipping weight", person=owner, repositories=[shop])
    assert list(readable_by(outsider)) == [one]
    assert set(readable_by(owner)) == {both, one}


def test_reading_ends_with_the_membership(answer, member):
    member.groups.clear()
    assert list(readable_by(member)) == []


def test_answer_about_a_deleted_repository_is_nobodys(answer, till, administrator):
    answer.question.repositories.clear()
    assert list(readable_by(administrator)) == []


def test_what_was_quoted_from_a_deleted_repository_is_gone(till, shop, owner):
    answer = ask_in(Repository.objects.all(), QUESTION, person=owner)
    answer.evidence.filter(repository=till).delete()
    answer.question.repositories.remove(till)
    shown = show(answer)
    assert shown.deleted == 1
    assert all(one.citations for one in shown.statements)
    assert "open_session" not in " ".join(one.text for one in shown.statements)


def test_recent_are_ones_own_and_those_of_the_command_line(answer, till, owner, member):
    by_command = ask_in(Repository.objects.all(), "coins total")
    assert recent_answers(owner) == [by_command, answer]
    assert recent_answers(member) == [by_command]


def cited(answer):
    return [one.row for statement in show(answer).statements for one in statement.citations]


def reindexed(till, tmp_path, text):
    factories.write_files(tmp_path / "sources" / "till", {**FILES, "till/sessions.py": text})
    factories.index(till)


def test_nothing_has_changed_at_first(answer):
    found = changed_since(cited(answer))
    assert (found.count, found.is_behind) == (0, False)


def test_lines_that_only_moved_have_not_changed(answer, till, tmp_path):
    reindexed(till, tmp_path, "# A new first line.\n\n\n" + SESSIONS)
    found = changed_since(cited(answer))
    assert (found.count, found.is_behind) == (0, True)


def test_ranges_whose_lines_are_gone_have_changed(answer, till, tmp_path):
    reindexed(till, tmp_path, SESSIONS.replace("signed cookie, or", "signed cookie or"))
    found = changed_since(cited(answer))
    assert found.count == 1
    assert found.total == len(cited(answer)) > 1


def test_a_deleted_file_changes_all_its_ranges(answer, till, tmp_path):
    (tmp_path / "sources" / "till" / "till" / "sessions.py").unlink()
    factories.index(till)
    found = changed_since(cited(answer))
    assert found.count == found.total
