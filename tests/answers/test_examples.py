"""Examples: of the symbols that a repository itself uses most."""

import pytest
from django.urls import reverse

from answers.examples import examples
from answers.wording import took

pytestmark = pytest.mark.django_db
FILES = {
    "README.md": "# Mill\n\nGrinds coffee.\n",
    "mill/grind.py": (
        'class Grinder:\n    """Grinds beans."""\n\n    def run(self):\n        return 1\n\n\n'
        'def _hidden():\n    """Long and not for others."""\n' + "    x = 1\n" * 20
    ),
    "mill/a.py": "from mill.grind import Grinder, _hidden\nfrom mill.taste import taste\n",
    "mill/b.py": "from mill.grind import Grinder\n",
    "mill/taste.py": 'def taste(cup):\n    """Say how it is."""\n    return cup\n',
    "mill/plain.py": "def plain():\n    return 1\n",
    "mill/c.py": "from mill.plain import plain\nfrom mill.grind import Grinder, _hidden\n",
}


@pytest.fixture
def mill(index_files):
    return index_files(FILES, slug="mill")


def test_they_name_what_is_used_most_and_says_what_it_is(mill):
    texts = [one.text for one in examples([mill])]
    assert texts == ["What is mill for?", "How does Grinder work?", "Where is taste used?"]


def test_a_repository_that_is_not_indexed_has_none(mill):
    mill.published_snapshot = None
    assert examples([mill]) == []


def test_the_empty_form_offers_them_and_one_with_a_question_does_not(mill, owner, client_of):
    client = client_of(owner)
    page = client.get(reverse("answers:ask")).content.decode()
    assert "/ask?edit=1&amp;q=How%20does%20Grinder%20work%3F&amp;r=mill" in page
    filled = client.get(reverse("answers:ask"), {"q": "How?", "edit": "1"}).content.decode()
    assert "Examples" not in filled


def test_who_may_not_see_a_repository_is_not_told_its_symbols(mill, outsider, client_of):
    page = client_of(outsider).get(reverse("answers:ask"), {"r": "mill"}).content.decode()
    assert "Grinder" not in page


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [(840, "840 ms"), (1_000, "1.0 s"), (18_080, "18.1 s"), (125_400, "2 min 5 s")],
)
def test_how_long_it_took_in_units_people_use(milliseconds, words):
    assert took(milliseconds) == words
