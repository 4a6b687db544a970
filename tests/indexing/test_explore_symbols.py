"""The list of symbols: by name and kind, in pages, of one snapshot."""

import re

import pytest
from django.urls import reverse

from indexing import explore
from tests import explorer as rows


@pytest.fixture
def lib(db):
    repository = rows.repository_row(slug="lib")
    file = rows.add_file(repository, "a b.py", "x\n" * 50)
    rows.add_symbol(file, "get_user", 3, 5, doc="Find one <user>.")
    rows.add_symbol(file, "getXuser", 7, 8, kind="method", qualified_name="A.getXuser")
    rows.add_symbol(file, "Usage", 9, 9, kind="heading")
    rows.publish(repository)
    return repository


@pytest.fixture
def names(client_of, member):
    client = client_of(member)

    def listed(**query):
        response = client.get(reverse("indexing:symbols", args=["lib"]), query)
        return re.findall(r'<a class="mono"[^>]*>([^<]*)</a>', response.content.decode())

    return listed


def test_code_symbols_by_name(lib, names):
    assert names() == ["get_user", "A.getXuser"] or names() == ["A.getXuser", "get_user"]


def test_the_very_name_comes_first(lib, names):
    file = rows.add_file(lib, "c.py", "x\n" * 9)
    for line, name in enumerate(["a_user", "USER", "user"], 1):
        rows.add_symbol(file, name, line, line)
    assert names(q="user")[:3] == ["user", "USER", "a_user"]


def test_the_name_holds_what_is_typed_literally(lib, names):
    assert names(q="T_U") == ["get_user"]
    assert names(q="%") == []
    assert names(q="\\") == []


def test_headings_are_a_kind_of_their_own(lib, names):
    assert names(kind="heading") == ["Usage"]
    assert names(kind="method") == ["A.getXuser"]
    assert len(names(kind="nonsense")) == 2


def test_a_symbol_leads_to_its_line(lib, client_of, member):
    html = client_of(member).get("/r/lib/symbols?q=get_user").content.decode()
    assert 'href="/r/lib/file/a%20b.py#L3"' in html
    assert "Find one &lt;user&gt;." in html


def test_pages(lib, names, monkeypatch):
    monkeypatch.setattr(explore, "SYMBOL_ROWS", 1)
    assert len(names()) == len(names(page=2)) == 1
    assert names() != names(page=2)
    assert names(page=3) == []


def test_symbols_of_files_that_are_gone_are_not_listed(lib, names):
    gone = rows.add_file(lib, "gone.py", "x\n", first_snapshot=1, last_snapshot=1)
    rows.add_symbol(gone, "vanished", 1, 1)
    assert names(q="vanished") == ["vanished"]
    rows.publish(lib, 2, commit="f" * 40)
    assert names(q="vanished") == []


def test_htmx_gets_the_rows_alone(lib, client_of, member):
    response = client_of(member).get("/r/lib/symbols", headers={"HX-Request": "true"})
    assert "<html" not in response.content.decode()


def test_nothing_found_says_how_to_go_on(lib, client_of, member):
    html = client_of(member).get("/r/lib/symbols?q=zzz").content.decode()
    assert "Fewer letters find more" in html
