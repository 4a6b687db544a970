"""A model that puts the first files in order: by a known rule, badly, and not at all."""

import json
import re

import pytest
from django.core.cache import cache

from outbound.models import ModelCall
from search.engine import search
from search.rerank import NoOrder, order_of
from tests.outbound.conftest import host, waits  # noqa: F401 - fixtures
from tests.outbound.modelhost import Step

FILES = {
    "a.py": "def parse():\n    '''Parse the settings file of a project, parse parse.'''\n",
    "b.py": "def load():\n    '''Load the settings file of a project, kiwi kiwi kiwi.'''\n",
    "c.py": "def read():\n    '''Read the settings file of a project, kiwi.'''\n",
}
QUESTION = "how are the settings of a project loaded from the file"
PIECE = re.compile(r"^(\w{32}) (\w{8})\n(.*?)\n\1$", re.MULTILINE | re.DOTALL)


def by_kiwis(body):
    """The rule: the most kiwis first."""
    pieces = PIECE.findall(body["messages"][-1]["content"])
    ranked = sorted(pieces, key=lambda piece: -piece[2].count("kiwi"))
    return json.dumps({"order": [label for _mark, label, _text in ranked]})


@pytest.fixture
def lib(index_files, here, settings):
    settings.RERANK_MODEL = "openai/ranker"
    cache.clear()
    return index_files(FILES)


def paths(result):
    return [hit.path for hit in result.hits]


def test_the_model_orders_the_files_and_is_recorded(lib, host, owner):  # noqa: F811
    host.reply = by_kiwis
    found = search(QUESTION, user=owner)
    assert paths(found) == ["b.py", "c.py", "a.py"]
    assert found.remarks == ()
    call = ModelCall.objects.get()
    assert (call.purpose, call.person, call.subject) == ("rerank", owner, "search")
    assert {str(line).partition(" @")[0] for line in call.sent.all()} == {
        "lib a.py:1-2", "lib b.py:1-2", "lib c.py:1-2",
    }  # fmt: skip


def test_the_next_page_goes_on_with_the_same_order(lib, host, owner):  # noqa: F811
    host.reply = by_kiwis
    first = search(QUESTION, user=owner, limit=2)
    second = search(QUESTION, user=owner, limit=2, offset=2)
    assert paths(first) + paths(second) == ["b.py", "c.py", "a.py"]
    assert len(host.requests) == 1


def test_a_failure_leaves_the_order_and_says_so(lib, host, owner, settings):  # noqa: F811
    settings.RERANK_MODEL = ""
    before = paths(search(QUESTION, user=owner))
    settings.RERANK_MODEL = "openai/ranker"
    host.script(Step(status=404), Step(reply="I would rather not."))
    found = search(QUESTION, user=owner)
    assert paths(found) == before
    assert found.remarks == (
        f"Not put in order by the model: {host.address} knows no model openai/ranker.",
    )
    found = search(QUESTION, user=owner)
    assert found.remarks == ("Not put in order by the model: its reply names no order.",)
    assert paths(found) == before


@pytest.mark.parametrize("query", ["settings", '"settings file"', "lang:python project"])
def test_only_sentences_are_sent(lib, host, owner, query):  # noqa: F811
    search(query, user=owner)
    assert host.requests == []


def test_off_is_off(lib, host, owner, settings):  # noqa: F811
    settings.RERANK_MODEL = ""
    search(QUESTION, user=owner)
    assert host.requests == []


@pytest.mark.parametrize(
    ("reply", "order"),
    [
        ('{"order": ["c", "a", "b"]}', [2, 0, 1]),
        ('Sure:\n```json\n{"order": ["b"]}\n```', [1, 0, 2]),
        ('{"order": ["b", "b", "x", 7, "a"]}', [1, 0, 2]),
    ],
)
def test_whatever_is_named_no_hit_is_added_or_lost(reply, order):
    assert order_of(reply, ["a", "b", "c"]) == order


@pytest.mark.parametrize("reply", ["", "{", '{"order": 3}', '{"order": ["x"]}', "[]", '{"o": []}'])
def test_a_reply_without_an_order(reply):
    with pytest.raises(NoOrder):
        order_of(reply, ["a", "b"])
