"""Folders: one level, badges for what was left out, a filter, odd names."""

import re
from urllib.parse import unquote

import pytest
from django.utils.html import escape

from indexing import explore
from tests import explorer as rows
from tests.repos.test_paths import ODD

FILES = {
    "README.md": "x\n",
    "src/a.py": "1\n2\n",
    "src/deep/b.py": "1\n",
    "src/deep/logo.png": None,
    "Zeta.py": "x\n",
}


@pytest.fixture
def client(client_of, member):
    return client_of(member)


def listing(client, path="", **query):
    response = client.get(f"/r/lib/tree/{path}", query)
    assert response.status_code == 200
    return response.content.decode()


def names(html):
    body = html.split("<tbody>")[1].split("</tbody>")[0]
    return [unquote(path) for path in re.findall(r'href="/r/lib/(?:tree|file)/([^"?]*)', body)]


def test_one_level_folders_first(client):
    rows.published(FILES, slug="lib")
    assert names(listing(client)) == ["src", "README.md", "Zeta.py"]


def test_a_folder_with_the_way_up(client):
    rows.published(FILES, slug="lib")
    assert names(listing(client, "src")) == ["", "src/deep", "src/a.py"]
    assert names(listing(client, "src/deep"))[0] == "src"


@pytest.mark.django_db
def test_sums_and_badges_of_a_folder():
    repository = rows.published(FILES, slug="lib")
    snapshot = repository.snapshots.get()
    [src] = [entry for entry in explore.folder(snapshot, "").entries if entry.name == "src"]
    assert (src.files, src.left_out, src.lines) == (3, 1, 3)


def test_what_was_left_out_says_why(client):
    repository = rows.repository_row(slug="lib")
    rows.add_file(repository, ".env", None, classification="secret", reason="holds credentials")
    rows.publish(repository)
    html = listing(client)
    assert '<span class="badge warn">secret file, never opened</span> holds credentials' in html


def test_a_prefix_is_not_a_folder(client):
    rows.published({"ab/x.py": "x\n", "a/y.py": "x\n", "a_/z.py": "x\n", "a%/w": "x"}, slug="lib")
    assert names(listing(client, "a")) == ["", "a/y.py"]
    assert names(listing(client, "a_")) == ["", "a_/z.py"]


def test_folders_that_differ_by_case(client):
    rows.published({"Lib/core.py": "x\n", "lib/core.py": "y\n"}, slug="lib")
    assert sorted(names(listing(client))) == ["Lib", "lib"]
    assert names(listing(client, "Lib")) == ["", "Lib/core.py"]


def test_odd_names_are_listed_and_lead_to_their_file(client):
    rows.published({f"odd/{name}": f"# {name!r}\n" for name in ODD}, slug="lib")
    html = listing(client, "odd", filter="")
    links = re.findall(r'href="(/r/lib/file/[^"]*)"', html)
    assert len(links) == len([name for name in ODD if "/" not in name])
    assert {
        client.get(link.replace("&amp;", "&").replace("&#x27;", "'")).status_code for link in links
    } == {200}


@pytest.mark.parametrize("name", ODD)
def test_odd_names_are_escaped_text(client, name):
    rows.published({name: "x\n"}, slug="lib")
    html = client.get("/r/lib/tree/", {"filter": name.split()[0]}).content.decode()
    assert f">{escape(name)}</a>" in html


def test_the_filter_holds_all_words_in_any_case(client):
    rows.published(FILES, slug="lib")
    assert names(listing(client, filter="DEEP py")) == ["src/deep/b.py"]


def test_the_filter_stays_below_the_folder(client):
    rows.published(FILES | {"deep.txt": "x"}, slug="lib")
    html = listing(client, "src", filter="deep")
    assert "deep.txt" not in html
    assert "2 paths hold" in html


@pytest.mark.parametrize("typed", ["%", "_", "\\", "'", "\x00", "(" * 500, "😀"])
def test_any_text_may_be_typed(client, typed):
    rows.published(FILES, slug="lib")
    assert "README.md" not in listing(client, filter=typed) or not typed.strip("\x00")


def test_htmx_gets_the_listing_alone(client):
    rows.published(FILES, slug="lib")
    response = client.get("/r/lib/tree/", {"filter": "a"}, headers={"HX-Request": "true"})
    assert "<html" not in response.content.decode()
    assert "HX-Request" in response.headers["Vary"]


def test_a_file_asked_for_as_a_folder(client):
    rows.published(FILES, slug="lib")
    assert client.get("/r/lib/tree/src/a.py").headers["Location"] == "/r/lib/file/src/a.py"
    assert client.get("/r/lib/file/src").headers["Location"] == "/r/lib/tree/src"
    assert client.get("/r/lib/tree/nothing").status_code == 404


def test_long_folders_come_in_pages(client, monkeypatch):
    monkeypatch.setattr(explore, "FOLDER_ROWS", 2)
    rows.published({f"f{n}": "x" for n in range(5)}, slug="lib")
    assert names(listing(client)) == ["f0", "f1"]
    assert names(listing(client, page="3")) == ["f4"]
    assert names(listing(client, page="x")) == ["f0", "f1"]


def test_only_files_of_the_snapshot(client):
    repository = rows.repository_row(slug="lib")
    rows.add_file(repository, "old.py", "x\n", last_snapshot=1)
    rows.add_file(repository, "new.py", "x\n", first_snapshot=2)
    rows.add_file(repository, "coming.py", "x\n", first_snapshot=3)
    rows.publish(repository, 1)
    rows.publish(repository, 2, commit="f" * 40)
    assert names(listing(client)) == ["new.py"]
    old = listing(client, at=rows.COMMIT[:10])
    assert names(old) == ["old.py"]
    assert "Back to the current one" in old


@pytest.mark.parametrize("commit", ["0123", "zzzzzzz", "%%%%%%%", "f" * 40, "0123456789%"])
def test_a_snapshot_that_is_not_there(client, commit):
    rows.published(FILES, slug="lib")
    assert client.get("/r/lib/tree/", {"at": commit}).status_code == 404
