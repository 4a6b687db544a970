"""A question in Portuguese is answered from English code, and abstains where nothing is."""

import pytest

from answers.answering import ask
from answers.models import Answer
from repos.models import Repository

pytestmark = pytest.mark.django_db(transaction=True)
FILES = {
    "session.py": (
        "class SessionStore:\n"
        '    """Keep the session of a user in a signed cookie."""\n\n'
        "    def open_session(self, request):\n"
        '        """Read the cookie and check its signature."""\n'
        "        return self.serializer.loads(request.cookies)\n"
    ),
    "mail.py": 'def send_mail(to):\n    """Send a message."""\n    return to\n',
}


def answer(index_files, owner, question: str) -> Answer:
    index_files(FILES)
    return ask(question, person=owner, repositories=Repository.objects.all())


def test_a_question_in_portuguese_is_answered(index_files, owner):
    got = answer(index_files, owner, "Como a sessão do usuário é lida do cookie assinado?")
    assert got.state == Answer.State.DONE
    assert got.evidence.all()[0].path == "session.py"


def test_a_question_in_portuguese_about_nothing_here_abstains(index_files, owner):
    got = answer(index_files, owner, "Qual é a receita de bolo de chocolate com nozes?")
    assert got.state == Answer.State.ABSTAINED
