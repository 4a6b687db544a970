"""What an answer without a model quotes: seen by who reads it, over real searches."""

import pytest

from answers.answering import ask_in
from repos.models import Repository

pytestmark = pytest.mark.django_db

LONG = '''from vault.crypto import rotate_sealing_key, seal
from vault.store import Store


class Vault(Store):
    """Seals envelopes with the current key.

    The sealing key is rotated by :meth:`rotate`; envelopes that were sealed
    before keep the sealing key they were sealed with.
    """

    def rotate(self, when):
        """Rotate the sealing key of the vault.

        :param when: the moment from which the new sealing key of the vault counts.
        :type when: datetime
        :return: the sealing key that was in the vault before.
        """
        before = self.current
        fresh = self.generator()
        self.log("a")
        self.log("b")
        self.log("c")
        self.log("d")
        self.log("e")
        self.log("f")
        for envelope in self.envelopes():
            envelope.sealing_key = before
        self.current = rotate_sealing_key(self, fresh, when)
        return before
'''
SHORT = '''def open_vault(name):
    """Open the vault of this name."""
    if name not in VAULTS:
        raise KeyError(name)
    return VAULTS[name]
'''


def quotes(question: str) -> list[tuple[str, int, int, str]]:
    answer = ask_in(Repository.objects.all(), question)
    return [
        (statement.text, one.start_line, one.end_line, one.quote)
        for statement in answer.statements.order_by("ordinal")
        for one in statement.citations.all()
    ]


def test_a_short_function_is_whole_and_once(index_files):
    index_files({"vault/opening.py": SHORT})
    assert quotes("How is a vault opened by its name?") == [("", 1, 5, SHORT.rstrip("\n"))]


def test_the_doc_sentence_comes_with_the_line_that_names_its_symbol(index_files):
    index_files({"vault/vault.py": LONG})
    (text, start, end, _quote), *_rest = quotes("How is the sealing key of the vault rotated?")
    assert (text, start, end) == ("Rotate the sealing key of the vault.", 12, 13)


def test_code_is_quoted_rather_than_the_comment_about_it(index_files):
    index_files({"vault/vault.py": LONG})
    _doc, (text, _start, _end, quote), *_rest = quotes("How is the sealing key rotated?")
    assert text == ""
    assert "self.current = rotate_sealing_key(self, fresh, when)" in quote
    assert ":param when" not in quote


def test_what_is_imported_is_not_what_is_done(index_files):
    index_files({"vault/vault.py": LONG})
    assert not any("import" in quote for *_, quote in quotes("rotate the sealing key"))


def test_no_line_is_quoted_twice(index_files):
    index_files({"vault/vault.py": LONG, "vault/opening.py": SHORT})
    for question in ("Who seals envelopes with the current key?", "rotate the sealing key"):
        lines = [
            (quote, line)
            for _text, start, end, quote in quotes(question)
            for line in range(start, end + 1)
        ]
        places = [line for _quote, line in lines]
        assert len(set(places)) == len(places)


def test_prose_is_quoted_as_it_stands(index_files):
    index_files({"docs/vault.md": "# Vault\n\n* The sealing key is rotated each night.\n"})
    ((_text, _start, _end, quote),) = quotes("When is the sealing key rotated?")
    assert "* The sealing key is rotated each night." in quote


def test_imports_are_quoted_where_there_is_nothing_else(index_files):
    index_files({"vault/__init__.py": "from vault.crypto import rotate_sealing_key\n"})
    ((_text, start, end, _quote),) = quotes("rotate_sealing_key")
    assert (start, end) == (1, 1)
