"""Counts that are made beforehand: what the pages say while they are out of date."""

import pytest
from django.urls import reverse

from compliance.findings import tallies
from compliance.findings.jobs import recount_findings
from compliance.findings.models import FindingTally
from indexing import reviews
from indexing.models import Finding
from indexing.policy_models import FindingReview
from indexing.reviews import Value, Verdict

ANN, BOB = "ann.lee" + "@kitehouse.net", "bob.ray" + "@kitehouse.net"
FILES = {"a.md": f"write to {ANN}\n", "b.md": f"write to {BOB}\n"}


@pytest.fixture
def lib(index_files, here):
    return index_files(FILES)


@pytest.fixture
def nothing_at_once(monkeypatch):
    """As where there are so many findings that no page counts them itself."""
    monkeypatch.setattr(tallies, "AT_ONCE", -1)


def dismiss(person) -> None:
    one = Finding.objects.order_by("id")[0]
    verdict = Verdict(FindingReview.Decision.DISMISSED, "made up", person, None)
    reviews.review_values(verdict, [Value(one.kind, bytes(one.fingerprint), one.key_id)])


def page(client, **chosen: str):
    return client.get(reverse("compliance:findings"), chosen)


def test_few_findings_are_counted_by_the_page(lib, client_of, officer):
    client = client_of(officer)
    assert page(client).context["counted"].total == 2
    dismiss(officer)
    found = page(client, state="dismissed")
    assert found.context["counted"].total == 1
    assert [row.path for row, _ in found.context["rows"]] == ["a.md"]
    assert "newer counts" not in found.content.decode()


def test_many_are_counted_by_the_worker(lib, client_of, officer, nothing_at_once):
    client = client_of(officer)
    recount_findings()
    dismiss(officer)
    told = page(client).content.decode()
    assert "newer counts are being made" in told
    recount_findings()
    found = page(client, state="dismissed")
    assert [row.path for row, _ in found.context["rows"]] == ["a.md"]
    assert "newer counts are being made" not in found.content.decode()


def test_what_was_decided_meanwhile_is_not_listed_as_open(lib, client_of, officer, nothing_at_once):
    recount_findings()
    dismiss(officer)
    found = page(client_of(officer), state="open")
    assert [row.path for row, _ in found.context["rows"]] == ["b.md"]


def test_before_the_first_count_a_page_looks_at_the_first_of_them(
    lib, client_of, officer, nothing_at_once, monkeypatch
):
    monkeypatch.setattr("compliance.findings.listing.COUNTED", 1)
    told = page(client_of(officer)).content.decode()
    assert "More than 1 findings" in told
    assert not FindingTally.objects.exists()


def test_an_export_is_exact_while_the_counts_are_not(
    lib, client_of, auditor, officer, nothing_at_once
):
    recount_findings()
    dismiss(officer)
    url = reverse("compliance:findings_export", args=["csv"])
    told = b"".join(client_of(auditor).get(url, {"state": "dismissed"}).streaming_content).decode()
    assert "a.md" in told


def test_counting_again_changes_nothing(lib):
    recount_findings()
    before = list(FindingTally.objects.order_by("kind", "least").values_list("kind", "findings"))
    for one in tallies.marks():
        tallies.count(one)
    after = list(FindingTally.objects.order_by("kind", "least").values_list("kind", "findings"))
    assert (before, tallies.recount()) == (after, 0)


def test_too_many_to_decide_about_each_are_decided_as_a_kind(lib, client_of, officer, monkeypatch):
    for module in ("findings.listing", "views.reviewing"):
        monkeypatch.setattr(f"compliance.{module}.SELECTED_AT_ONCE", 1)
    client, url = client_of(officer), reverse("compliance:review")
    refused = client.post(url, {"all": "1"}, follow=True).content.decode()
    assert "More than 1 findings match" in refused
    asked = client.post(url, {"all": "1", "kind": "email"})
    assert [value for value, _ in asked.context["form"].fields["scope"].choices] == ["path", "kind"]
