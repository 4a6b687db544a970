"""The page of a file: its lines as they are, redactions, pages of lines, raw text."""

import re
from html import unescape

import pytest

from indexing import filepage
from indexing.guarded import TookTooLong
from repos.paths import PAGE_LINES
from tests import explorer as rows

LINE = re.compile(r"<div id=L(\d+)><a href=#L\1>\1</a><span>(.*?)</span></div>", re.DOTALL)
TOKEN = "[REDACTED:AWS_ACCESS_KEY]__"


@pytest.fixture
def client(client_of, member):
    return client_of(member)


def page(client, path="a.py", **query):
    response = client.get(f"/r/lib/file/{path}", query)
    assert response.status_code == 200
    return response.content.decode()


def lines_of(html):
    found = LINE.findall(html)
    return {int(n): unescape(re.sub("<[^>]*>", "", text)).rstrip("\n") for n, text in found}


def test_every_line_with_its_number(client):
    rows.published({"a.py": "def f():\n\n    return '<b>&amp;'\n"}, slug="lib")
    assert lines_of(page(client)) == {1: "def f():", 2: "", 3: "    return '<b>&amp;'"}


def test_only_line_feeds_end_a_line(client):
    text = "one\x0cstill\u2028still\x85still\r\ntwo\rstill\nthree"
    rows.published({"a.py": text}, slug="lib")
    shown = lines_of(page(client))
    assert shown == {1: "one\x0cstill\u2028still\x85still", 2: "two\rstill", 3: "three"}


def test_hostile_text_is_text(client):
    rows.published({"a.html": "<script>window.PROBE=1</script>\n{{ 7*7 }}\n"}, slug="lib")
    html = page(client, "a.html")
    assert "<script>window" not in html
    assert "{{ 7*7 }}" in html


def test_a_redaction_is_set_off_and_says_its_kind(client):
    repository = rows.repository_row(slug="lib")
    file = rows.add_file(repository, "a.py", f"key = '{TOKEN}'\n", language="python")
    rows.add_redaction(file, 1, 7, 7 + len(TOKEN), "AWS_ACCESS_KEY")
    rows.publish(repository)
    html = page(client)
    assert f'title="Redacted before it was stored: aws access key">{TOKEN}</span>' in html
    assert "1 redaction<" in html
    assert lines_of(html)[1] == f"key = '{TOKEN}'"


def test_a_long_line_is_cut_with_a_mark(client):
    rows.published({"a.py": "x" * 5000 + "\nshort\n"}, slug="lib")
    html = page(client)
    assert "x" * 1000 + "<span class=cut> … 4,000 more characters</span>" in html
    assert "x" * 1001 not in html


@pytest.fixture
def big(client):
    text = "".join(f"x = {n}\n" for n in range(1, 2 * PAGE_LINES + 51))
    return rows.published({"a.py": text}, slug="lib")


def test_a_big_file_comes_in_pages_of_lines(client, big):
    assert list(lines_of(page(client))) == list(range(1, PAGE_LINES + 1))
    last = lines_of(page(client, line=2 * PAGE_LINES + 7))
    assert list(last) == list(range(2 * PAGE_LINES + 1, 2 * PAGE_LINES + 51))
    assert last[2 * PAGE_LINES + 7] == f"x = {2 * PAGE_LINES + 7}"


def test_pages_lead_to_each_other_without_script(client, big):
    html = " ".join(page(client, line=PAGE_LINES + 1).split())
    assert 'rel="prev" href="?line=1"' in html
    assert f'rel="next" href="?line={2 * PAGE_LINES + 1}"' in html


@pytest.mark.parametrize("line", ["0", "-1", "x", "99999999", "9" * 30, "٣"])
def test_any_line_may_be_asked_for(client, big, line):
    assert lines_of(page(client, line=line))


def test_a_page_that_begins_inside_a_string_is_coloured_as_one(client):
    before = "x = 1\n" * (PAGE_LINES - 10)
    text = before + 'def f():\n    """\n' + "words if only\n" * 30 + '    """\n'
    repository = rows.repository_row(slug="lib")
    file = rows.add_file(repository, "a.py", text, language="python")
    rows.add_symbol(file, "f", PAGE_LINES - 9, PAGE_LINES + 23)
    rows.publish(repository)
    html = page(client, line=PAGE_LINES + 1)
    assert (
        f"<div id=L{PAGE_LINES + 1}><a href=#L{PAGE_LINES + 1}>{PAGE_LINES + 1}</a><span>" in html
    )
    assert "<i class=s>words if only</i>" in html


def test_without_colours_when_they_take_too_long(client, monkeypatch):
    def hang(*_args):
        raise TookTooLong

    monkeypatch.setattr(filepage, "guarded", hang)
    rows.published({"slow.py": "def f(): pass\n"}, slug="lib")
    html = page(client, "slow.py")
    assert lines_of(html) == {1: "def f(): pass"}
    assert "shown without colours" in html


def test_the_outline_leads_to_the_names(client):
    repository = rows.repository_row(slug="lib")
    file = rows.add_file(repository, "a.py", "\nclass A:\n    def b(self): ...\n")
    rows.add_symbol(file, "A", 2, 3, kind="class")
    rows.add_symbol(file, "b", 3, 3, kind="method", parent="A")
    rows.publish(repository)
    found = re.findall(r'<li class="(o\d)"><a href="(#L\d+)"', page(client))
    assert found == [
        ("o0", "#L2"),
        ("o1", "#L3"),
    ]


def test_the_code_host_at_the_commit_with_the_same_lines(client):
    rows.published({"a b.py": "x\n"}, slug="lib")
    html = page(client, "a b.py")
    base = f"https://github.com/us/lib/blob/{rows.COMMIT}/a%20b.py"
    assert f'href="{base}"' in html
    assert f'data-lines="{base}#L1111111111-L2222222222"' in html


def test_an_archive_has_no_host(client):
    rows.published({"a.py": "x\n"}, slug="lib", source="archive", address="lib.zip", provider="")
    assert "host-link" not in page(client)


def test_encoding_and_remarks_are_said(client):
    repository = rows.published({"a.py": "x\n"}, slug="lib")
    content = repository.content_set.get()
    content.encoding, content.remarks = "cp1252", "2 bytes replaced"
    content.save()
    html = page(client)
    assert '<span class="badge">cp1252</span>' in html
    assert '<span class="badge warn">2 bytes replaced</span>' in html


def test_what_is_not_indexed_says_why(client):
    repository = rows.repository_row(slug="lib")
    rows.add_file(repository, "l", None, classification="symlink", reason="leads to ../x")
    rows.publish(repository)
    html = page(client, "l")
    assert "Left out: symbolic link" in html
    assert "Leads to ../x." in html


def test_an_empty_file(client):
    rows.published({"a.py": ""}, slug="lib")
    assert "Empty." in page(client)


def test_paths_are_matched_exactly(client):
    rows.published({"src/Util.py": "upper\n", "src/util.py": "lower\n"}, slug="lib")
    assert lines_of(page(client, "src/Util.py")) == {1: "upper"}
    assert client.get("/r/lib/file/SRC/util.py").status_code == 404


def test_a_file_of_an_older_snapshot(client):
    repository = rows.repository_row(slug="lib")
    rows.add_file(repository, "a.py", "old\n", last_snapshot=1)
    rows.add_file(repository, "a.py", "new\n", first_snapshot=2)
    rows.publish(repository, 1)
    rows.publish(repository, 2, commit="f" * 40)
    assert lines_of(page(client)) == {1: "new"}
    html = page(client, at=rows.COMMIT)
    assert lines_of(html) == {1: "old"}
    assert f'href="/r/lib/raw/a.py?at={rows.COMMIT}"' in html


@pytest.mark.parametrize("path", ["a.html", "pic.svg", "x.js"])
def test_raw_text_cannot_run(client, path):
    rows.published({path: "<script>1</script>\n"}, slug="lib")
    response = client.get(f"/r/lib/raw/{path}")
    assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in response.headers["Content-Security-Policy"]
    assert response.content == b"<script>1</script>\n"


def test_raw_text_of_what_was_left_out_is_not_there(client):
    rows.published({"a.bin": None}, slug="lib")
    assert client.get("/r/lib/raw/a.bin").status_code == 404


def test_the_queries_of_a_file(client, django_assert_num_queries):
    repository = rows.repository_row(slug="lib")
    file = rows.add_file(repository, "a.py", "x\n" * 90)
    for n in range(1, 80):
        rows.add_symbol(file, f"s{n}", n, n)
        rows.add_redaction(file, n, 0, 1, "KEY")
    rows.publish(repository)
    with django_assert_num_queries(9):
        page(client)


def test_a_page_of_lines_stays_small(client):
    repository = rows.repository_row(slug="lib")
    text = 'def function_name(self, argument): return "string" + 1  # why\n' * PAGE_LINES
    rows.add_file(repository, "a.py", text, language="python")
    rows.publish(repository)
    response = client.get("/r/lib/file/a.py", headers={"Accept-Encoding": "gzip"})
    assert response.headers["Content-Encoding"] == "gzip"
    assert len(response.content) < 150_000
