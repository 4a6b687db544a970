"""A small repository with one thing worth asking about, and a second one."""

from collections.abc import Callable, Iterator

import pytest

from answers.answering import ask
from answers.jobs import write_answer
from answers.models import Answer
from repos.models import Repository
from tests.answers.scripted import MODEL, claimed
from tests.outbound.modelhost import ModelHost

SESSIONS = '''"""Sessions kept in cookies."""

SALT = "cookie-session"


class CookieSessions:
    """Keeps the session of a visitor in a signed cookie."""

    def open_session(self, request):
        """Load the session from the signed cookie, or begin an empty one."""
        serializer = self.signing_serializer()
        value = request.cookies.get(self.cookie_name)
        if value is None:
            return {}
        return serializer.loads(value, max_age=self.lifetime)

    def save_session(self, response, session):
        """Write the session into the response."""
        response.set_cookie(self.cookie_name, self.signing_serializer().dumps(session))
'''
FILES = {
    "README.md": "# Till\n\nTill counts coins at the market.\n",
    "till/sessions.py": SESSIONS,
    "till/coins.py": (
        "def total(coins):\n"
        '    """Sum the value of all coins."""\n'
        "    return sum(coin.value for coin in coins)\n"
        "\n\n"
        "def mint(value):\n"
        "    return {'value': value}\n"
    ),
    "till/odd name?#100%.py": "def parse_voucher(text):\n    return text.split('`' * 3)\n",
}
QUESTION = "How is the session loaded from the signed cookie?"


@pytest.fixture
def till(index_files: Callable[..., Repository]) -> Repository:
    return index_files(FILES, slug="till")


@pytest.fixture
def shop(index_files: Callable[..., Repository]) -> Repository:
    files = {"shop/basket.py": "def shipping(basket):\n    return basket.weight * 3\n"}
    return index_files(files, slug="shop")


@pytest.fixture
def host(settings) -> Iterator[ModelHost]:
    """A scripted model, set up as the model of answers."""
    with ModelHost().running() as running:
        settings.ANSWER_MODEL = MODEL
        settings.ANSWER_FALLBACK_MODEL = ""
        settings.REWRITE_MODEL = ""
        settings.MODEL_BASE_URL = running.url
        settings.MODEL_KEY = "a key of the tests"
        # Long: a machine that is busy answers late too. Tests of silence shorten it.
        settings.MODEL_TIMEOUT_SECONDS = 60
        settings.MODEL_WINDOW_TOKENS = 16_000
        yield running


@pytest.fixture
def written(till, owner, host):
    """Ask, and let the worker write; the reply is a text or made of the request."""

    def write(made, *steps, question=QUESTION):
        host.reply = made
        host.script(*steps)
        answer = ask(question, person=owner, repositories=[till])
        assert answer.state == Answer.State.RUNNING
        write_answer(claimed(answer))
        answer.refresh_from_db()
        return answer

    return write
