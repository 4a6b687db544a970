"""The list of repositories shows what one may see, how fresh it is and how its run went."""

import pytest
from django.urls import reverse

from indexing.models import IndexRun
from tests import explorer as rows
from tests.factories import repository_for

URL = reverse("repos:list")


@pytest.fixture
def hidden(owner, member):
    return repository_for(owner, member, slug="hidden-thing")


@pytest.fixture
def browser_of(request, client_of):
    return lambda who: client_of(request.getfixturevalue(who))


def page(client, **query):
    response = client.get(URL, query)
    assert response.status_code == 200
    return response.content.decode()


def test_it_says_how_to_begin(client_of, member):
    assert "No repository yet" in page(client_of(member))


@pytest.mark.parametrize(("who", "seen"), [("owner", True), ("member", True), ("outsider", False)])
def test_one_sees_what_one_may(hidden, browser_of, who, seen):
    assert ("hidden-thing" in page(browser_of(who))) is seen


def test_freshness_and_numbers(client_of, member):
    rows.published({"a.py": "x\n", "b.bin": None}, slug="lib")
    html = page(client_of(member))
    assert rows.COMMIT[:8] in html
    assert '<td class="number" data-label="Files">1</td>' in " ".join(html.split())


def test_the_newest_run_counts(client_of, member):
    repository = rows.repository_row(slug="lib")
    for number, state in [(1, "failed"), (2, "done")]:
        IndexRun.objects.create(repository=repository, number=number, snapshot=1, state=state)
    html = page(client_of(member))
    assert ">done<" in html
    assert ">failed<" not in html


def test_the_filter_needs_no_script(client_of, member):
    rows.repository_row(slug="alpha")
    rows.repository_row(slug="beta")
    html = page(client_of(member), filter="ALP")
    assert "/r/alpha/" in html
    assert "/r/beta/" not in html


def test_a_name_is_text(client_of, member):
    rows.repository_row(slug="x", name="<script>alert(1)</script>")
    assert "<script>alert" not in page(client_of(member))


def test_more_repositories_need_no_more_queries(client_of, member, django_assert_num_queries):
    for number in range(12):
        rows.published({"a.py": "x\n"}, slug=f"lib{number}")
    client = client_of(member)
    with django_assert_num_queries(4):  # session, person, list, snapshots
        client.get(URL)


def test_the_switcher_lists_names(client_of, member, outsider):
    repository_for(member, slug="mine")
    url = reverse("repos:switcher")
    assert "/r/mine/" in client_of(member).get(url).content.decode()
    assert "/r/mine/" not in client_of(outsider).get(url).content.decode()
