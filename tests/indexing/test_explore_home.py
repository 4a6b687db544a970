"""The home page of a repository."""

import pytest
from django.urls import reverse

from indexing.models import IndexRun
from tests import explorer as rows
from tests.factories import repository_for

README = "# Lib\n\nSee [the guide](docs/guide.md) and [code](src/a.py#L2).\n"


@pytest.fixture
def lib(owner, member):
    repository = repository_for(owner, member)
    rows.add_file(repository, "src/a.py", "x = 1\n")
    rows.publish(repository)


@pytest.fixture
def browser_of(request, client_of):
    return lambda who: client_of(request.getfixturevalue(who))


def page(client, slug="lib", **query):
    response = client.get(reverse("indexing:home", args=[slug]), query)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize(
    ("who", "status"), [("owner", 200), ("member", 200), ("administrator", 200), ("outsider", 404)]
)
@pytest.mark.parametrize(
    "path", ["", "tree/", "tree/src", "file/src/a.py", "raw/src/a.py", "symbols"]
)
def test_who_may_see_the_explorer(lib, browser_of, who, status, path):
    assert browser_of(who).get(f"/r/lib/{path}").status_code == status


def test_the_readme_leads_to_our_own_pages(client_of, member):
    rows.published({"README.md": README, "docs/guide.md": "x"}, slug="lib")
    html = page(client_of(member))
    assert '<h2 id="readme-lib">Lib</h2>' in html
    assert 'href="/r/lib/file/docs/guide.md"' in html
    assert 'href="/r/lib/file/src/a.py#L2"' in html


def test_the_readme_of_an_older_snapshot_stays_there(client_of, member):
    repository = rows.published({"README.md": README}, slug="lib")
    rows.publish(repository, 2, commit="f" * 40)
    assert f'docs/guide.md?at={rows.COMMIT}"' in page(client_of(member), at=rows.COMMIT[:8])


def test_only_a_readme_at_the_top_is_shown(client_of, member):
    rows.published({"docs/README.md": "# Inner\n", "a.py": "x\n"}, slug="lib")
    assert "Inner" not in page(client_of(member))


def test_hostile_names_and_readme(client_of, member):
    files = {
        "README.md": "<script>window.PROBE=1</script>",
        "<img src=x onerror=alert(1)>.py": "x\n",
    }
    rows.published(files, slug="lib", name="<b>lib</b>")
    html = page(client_of(member))
    assert "<script>window" not in html
    assert "<img src=x" not in html
    assert "<b>lib" not in html


def test_languages_by_lines_with_counts(client_of, member):
    repository = rows.repository_row(slug="lib")
    rows.add_file(repository, "a.py", "x\n" * 3, language="python")
    rows.add_file(repository, "b.js", "x\n", language="javascript")
    rows.publish(repository)
    html = page(client_of(member))
    assert '<rect class="share-1" x="0.0" width="75.0" height="1" />' in html
    assert 'Python <span class="quiet">75.0% · 1 file</span>' in html


def test_what_was_left_out_is_counted(client_of, member):
    rows.published({"a.py": "x\n", "b.png": None, "c.png": None}, slug="lib")
    assert "<dt>binary</dt><dd>2</dd>" in page(client_of(member))


def test_where_to_begin(client_of, member):
    rows.published(
        {"src/lib/__main__.py": "x\n", "pyproject.toml": "x\n", "z.py": "x\n"}, slug="lib"
    )
    html = page(client_of(member))
    assert 'href="/r/lib/file/src/lib/__main__.py"' in html
    assert 'href="/r/lib/file/z.py"' not in html.split('class="aside"')[1]


def test_reading_does_not_begin_in_fixtures(client_of, member):
    rows.published({"Makefile": "x\n", "tests/certs/Makefile": "x\n"}, slug="lib")
    aside = page(client_of(member)).split('class="aside"')[1]
    assert 'href="/r/lib/file/Makefile"' in aside
    assert "tests/certs/Makefile" not in aside


def test_before_the_first_run(client_of, member):
    repository = rows.repository_row(slug="lib")
    IndexRun.objects.create(
        repository=repository, number=1, snapshot=1, state="failed", error="No such branch."
    )
    html = page(client_of(member))
    assert "Nothing is indexed yet" in html
    assert "No such branch." in html


def test_without_anything_published_there_are_no_files(client_of, member):
    rows.repository_row(slug="lib")
    assert client_of(member).get("/r/lib/tree/").status_code == 404


def test_the_queries_do_not_grow(client_of, member, django_assert_max_num_queries):
    rows.published({f"d{n}/f{n}.py": "x\n" for n in range(60)} | {"README.md": "x"}, slug="lib")
    client = client_of(member)
    with django_assert_max_num_queries(13):
        page(client)
