"""The preview: its numbers are those of the index that follows, whatever is left out."""

import pytest

from indexing.jobs import index_repository
from indexing.preview import summarise, walked_rows, with_excludes
from indexing.runs import confirm, start_run
from tests import factories

URL = "/r/lib/preview"
FILES: dict[str, str | bytes] = {
    "app/main.py": "def main():\n    return 1\n",
    "app/util.py": "x = 1\n\ny = 2\n",
    "docs/guide.md": "# Guide\n\ntext\n",
    "docs/data.csv": "a,b\n" * 50,
    "node_modules/x/index.js": "var a = 1\n",
    "logo.png": b"\x89PNG\r\n\x1a\n" + b"\0" * 2000,
    ".env": "SECRET=hush\n",
    ".footnoteignore": "*.log\n",
    "run.log": "one\n",
}


@pytest.fixture
def lib(tmp_path, owner, member):
    """A repository whose first run waits for confirmation."""
    folder = factories.write_files(tmp_path / "sources/lib", FILES)
    return factories.repository_for(owner, member, slug="lib", address=str(folder))


@pytest.fixture
def run(lib):
    return factories.index(lib, preview=True)


def numbers(rows, snapshot: int = 1):
    found = summarise(rows, snapshot)
    return (found.files, found.lines, found.bytes, found.files + found.left_out)


def finish(run, excludes: str):
    assert confirm(run, excludes)
    index_repository(run.pk)
    snapshot = run.repository.snapshots.get(number=run.snapshot)
    return (snapshot.indexed_files, snapshot.lines, snapshot.bytes, snapshot.files)


def page(browser, **query) -> str:
    return " ".join(browser.get(URL, query).content.decode().split())


def test_the_numbers_are_those_of_the_index(run):
    expected = numbers(walked_rows(run))
    assert expected[0] == 5
    assert finish(run, "") == expected


@pytest.mark.parametrize(
    "excludes", ["docs/", "*.csv\n!docs/data.csv\n", "/app/*\n!/app/main.py", "*"]
)
def test_the_live_numbers_are_those_of_the_index(run, excludes):
    expected = numbers(with_excludes(walked_rows(run), excludes))
    assert finish(run, excludes) == expected


@pytest.mark.parametrize("excludes", ["docs/", "*.py"])
def test_the_groups_are_those_of_the_index(run, excludes):
    expected = summarise(with_excludes(walked_rows(run), excludes), 1)
    finish(run, excludes)
    found = summarise(walked_rows(run), 1)
    assert [(g.classification, g.counted) for g in found.groups] == [
        (g.classification, g.counted) for g in expected.groups
    ]
    assert found.languages == expected.languages


def test_secret_files_stay_secret_whatever_the_excludes_say(run):
    rows = with_excludes(walked_rows(run), "*\n!.env\n")
    assert [row.path for row in rows if row.classification == "secret"] == [".env"]


def test_what_comes_back_in_is_counted_apart(lib):
    lib.excludes = "docs/"
    lib.save()
    run = factories.index(lib, preview=True)
    found = summarise(with_excludes(walked_rows(run), ""), 1)
    assert (found.unread_files, found.unread_bytes, found.is_exact) == (2, 214, False)


def test_a_second_run_reads_only_what_is_new(lib, tmp_path):
    factories.index(lib)
    factories.write_files(tmp_path / "sources/lib", {"app/new.py": "z = 3\n"})
    run = factories.index(lib, preview=True)
    found = summarise(walked_rows(run), run.snapshot)
    assert (found.files, found.new_files, found.new_bytes) == (6, 1, 6)


def test_the_page_shows_what_goes_in_and_what_does_not(client_of, owner, run):
    shown = page(client_of(owner))
    assert "<b>5</b> files" in shown
    assert "4 files left out" in shown
    for words in ("Vendored", "Binary", "Secret file, never opened", "Excluded by .footnoteignore"):
        assert words in shown
    assert "docs/data.csv" in shown
    assert 'name="index"' in shown


def test_excludes_are_counted_while_they_are_typed(client_of, owner, run):
    answer = client_of(owner).post(URL, {"excludes": "docs/"}, headers={"HX-Request": "true"})
    shown = answer.content.decode()
    assert answer.status_code == 200
    assert "<b>3</b> files" in shown
    assert "<html" not in shown
    assert "Excluded by settings: docs/" in shown


def test_counting_changes_nothing(client_of, owner, run):
    client_of(owner).post(URL, {"excludes": "docs/", "count": "1"})
    run.refresh_from_db()
    run.repository.refresh_from_db()
    assert (run.state, run.repository.excludes) == ("preview", "")


def test_a_pattern_that_cannot_be_used_is_named(client_of, owner, run):
    answer = client_of(owner).post(URL, {"excludes": "docs/\n***a*b*c*d*e\n", "index": "1"})
    assert answer.status_code == 422
    assert "Not a pattern that can be used: ***a*b*c*d*e" in answer.content.decode()
    run.refresh_from_db()
    assert run.state == "preview"


def test_index_goes_on_with_the_excludes(client_of, owner, run):
    answer = client_of(owner).post(URL, {"excludes": "docs/\r\n*.log", "index": "1"})
    run.refresh_from_db()
    run.repository.refresh_from_db()
    assert answer["Location"] == "/r/lib/runs/1"
    assert (run.state, run.repository.excludes) == ("queued", "docs/\n*.log")


def test_a_member_looks_but_does_not_decide(client_of, member, run):
    browser = client_of(member)
    assert "The owner of this repository decides" in page(browser)
    assert browser.post(URL, {"excludes": "", "index": "1"}).status_code == 404


def test_an_outsider_finds_nothing(client_of, outsider, run):
    assert client_of(outsider).get(URL).status_code == 404


def test_without_a_run_that_waits_it_leads_on(client_of, owner, lib):
    browser = client_of(owner)
    assert browser.get(URL)["Location"] == "/r/lib/"
    start_run(lib)
    assert browser.get(URL)["Location"] == "/r/lib/runs/1"


def test_a_long_list_comes_in_pages(client_of, owner, lib, tmp_path):
    many = {f"vendor/f{n:04}.js": "" for n in range(501)}
    factories.write_files(tmp_path / "sources/lib", many)
    factories.index(lib, preview=True)
    browser = client_of(owner)
    assert 'href="/r/lib/preview?class=vendored"' in page(browser)
    shown = page(browser, **{"class": "vendored", "page": "2"})
    assert "501 to 502 of 502" in shown
    assert "vendor/f0500.js" in shown
    assert "vendor/f0498.js" not in shown


def test_hostile_names_are_text(client_of, owner, lib, tmp_path):
    factories.write_files(tmp_path / "sources/lib", {"<img src=x>.png": b"\0" * 2000})
    factories.index(lib, preview=True)
    assert "&lt;img src=x&gt;.png" in page(client_of(owner))


def test_the_estimate_says_how_it_is_made(client_of, owner, run):
    assert "1,035 KiB a second as measured on two cores." in page(client_of(owner))


def test_the_largest_files_come_first(run):
    assert summarise(walked_rows(run), 1).largest[0].path == "docs/data.csv"
