"""Filters that are kept under a name: of which page, whose, and what is not kept."""

import pytest
from django.urls import reverse

from compliance.models import SavedFilter
from compliance.saved import QUERIES

pytestmark = pytest.mark.django_db
SAVE = "compliance:filter_save"
FILTERS = {
    "findings": ({"kind": "email", "x": "y"}, "kind=email"),
    "calls": ({"state": "blocked", "before": "7"}, "state=blocked"),
    "activity": (
        {"action": "view.file", "since": "2026-05-01"},
        "action=view.file&amp;since=2026-05-01",
    ),
}


def shown(client, page: str) -> str:
    text: str = client.get(reverse(f"compliance:{page}")).content.decode()
    return text


def test_each_page_that_keeps_filters_is_tried():
    assert set(FILTERS) == set(SavedFilter.Page.values) == set(QUERIES)


@pytest.mark.parametrize("page", FILTERS)
def test_they_are_a_persons_own_and_of_one_page(page, client_of, auditor, officer):
    mine, other = client_of(auditor), client_of(officer)
    given, query = FILTERS[page]
    mine.post(reverse(SAVE), {"page": page, "name": "this one", **given})
    link = f'href="?{query}">this one</a>'
    assert [name for name in FILTERS if link in shown(mine, name)] == [page]
    assert link not in shown(other, page)
    pk = auditor.saved_filters.get().pk
    assert other.post(reverse("compliance:filter_forget", args=[pk])).status_code == 404
    answer = mine.post(reverse("compliance:filter_forget", args=[pk]))
    assert answer["Location"] == reverse(f"compliance:{page}")
    assert link not in shown(mine, page)


def test_the_same_name_again_is_another_filter_of_the_same_page(client_of, auditor):
    client = client_of(auditor)
    for page, given in (
        ("calls", {"state": "done"}),
        ("calls", {"state": "failed"}),
        ("findings", {}),
    ):
        client.post(reverse(SAVE), {"page": page, "name": "mine", **given})
    kept = auditor.saved_filters.values_list("page", "query")
    assert sorted(kept) == [("calls", "state=failed"), ("findings", "")]


@pytest.mark.parametrize(
    "given",
    [
        {"page": "calls", "name": "x", "person": "nobody.is.called.so"},
        {"page": "activity", "name": "x", "since": "2026-13-01"},
        {"page": "calls", "name": "x" * 61},
        {"page": "calls", "name": ""},
        {"page": "people", "name": "x"},
    ],
    ids=["unknown person", "no day", "long name", "no name", "no such page"],
)
def test_what_a_page_would_refuse_is_not_kept(given, client_of, auditor):
    client = client_of(auditor)
    answer = client.post(reverse(SAVE), given, follow=True)
    assert "A filter" in answer.content.decode()
    assert not SavedFilter.objects.exists()
