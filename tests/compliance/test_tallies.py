"""Counts that are made beforehand: what the pages say while they are out of date."""

import csv
import io
from datetime import timedelta
from pathlib import Path

import pytest
from django.db.models import Model
from django.urls import reverse
from django.utils import timezone

from compliance.findings import listing, tallies
from compliance.findings.filters import Filter
from compliance.findings.jobs import recount_findings
from compliance.findings.models import (
    DatedFinding,
    DecidedFinding,
    FindingTally,
    TalliedRepository,
)
from indexing import reviews
from indexing.models import Finding
from indexing.policy_models import FindingReview
from indexing.retention import prune
from indexing.reviews import Value, Verdict
from repos.models import File, Repository, Snapshot
from repos.removal import remove
from tests import factories

ANN, BOB, EVE = (f"{name}@kitehouse" + ".net" for name in ("ann.lee", "bob.ray", "eve.orr"))
FILES = {"a.md": f"write to {ANN}\n", "b.md": f"write to {BOB}\n"}


@pytest.fixture
def lib(index_files, here):
    return index_files(FILES)


@pytest.fixture
def nothing_at_once(monkeypatch):
    """As where there are so many findings that no page counts them itself."""
    monkeypatch.setattr(tallies, "AT_ONCE", -1)


def dismiss(person, at: int = 0) -> None:
    one = Finding.objects.order_by("id")[at]
    verdict = Verdict(FindingReview.Decision.DISMISSED, "made up", person, None)
    reviews.review_values(verdict, [Value(one.kind, bytes(one.fingerprint), one.key_id)])


def page(client, **chosen: str):
    return client.get(reverse("compliance:findings"), chosen)


def exported(client, **chosen: str) -> list[dict[str, str]]:
    url = reverse("compliance:findings_export", args=["csv"])
    told = b"".join(client.get(url, chosen).streaming_content).decode()
    return list(csv.DictReader(io.StringIO(told)))


def exported_paths(client, **chosen: str) -> list[str]:
    return [row["path"] for row in exported(client, **chosen)]


def counted_rows() -> list[list[dict[str, object]]]:
    made: tuple[tuple[type[Model], set[str]], ...] = (
        (FindingTally, {"id"}), (DecidedFinding, set()), (DatedFinding, set()),
    )  # fmt: skip
    return [
        sorted(
            (
                {k: v for k, v in row.items() if k not in left}
                for row in model._default_manager.values()
            ),
            key=str,
        )
        for model, left in made
    ]


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


def test_what_is_narrowed_by_counts_that_are_not_there_yet_says_so(
    lib, client_of, officer, nothing_at_once
):
    dismiss(officer)
    assert (
        "Not all findings are counted yet"
        in page(client_of(officer), state="dismissed").content.decode()
    )


def test_a_page_whose_findings_were_all_decided_meanwhile_leads_on(
    lib, client_of, officer, nothing_at_once, monkeypatch
):
    monkeypatch.setattr("compliance.findings.listing.PAGE_ROWS", 1)
    recount_findings()
    dismiss(officer, at=1)
    found = page(client_of(officer), state="open")
    assert not found.context["rows"]
    assert 'rel="next"' in found.content.decode()


@pytest.mark.parametrize("url", ["compliance:front", "compliance:patterns"])
def test_other_pages_say_when_it_was_counted(lib, url, client_of, officer, nothing_at_once):
    client = client_of(officer)
    recount_findings()
    assert "counted <time" not in client.get(reverse(url)).content.decode()
    dismiss(officer)
    assert "counted <time" in client.get(reverse(url)).content.decode()


def test_what_a_review_reaches_is_told_as_of_now(lib, nothing_at_once):
    recount_findings()
    factories.write_files(Path(lib.address), {"c.md": f"write to {EVE}\n"})
    factories.index(lib)
    assert listing.reached(Filter(kind="email")) == (3, False)


def test_an_export_is_exact_while_the_counts_are_not(
    lib, client_of, auditor, officer, nothing_at_once
):
    recount_findings()
    dismiss(officer)
    assert exported_paths(client_of(auditor), state="dismissed") == ["a.md"]


def test_counting_again_changes_nothing(lib):
    recount_findings()
    before = counted_rows()
    TalliedRepository.objects.update(marks="")
    assert tallies.recount() == 1
    assert (counted_rows(), tallies.recount()) == (before, 0)


def test_what_another_has_just_counted_is_left(lib):
    (one,) = tallies.marks()
    tallies.count(one)
    FindingTally.objects.all().delete()
    tallies.count(one)
    assert not FindingTally.objects.exists()


def test_a_repository_that_was_removed_meanwhile_is_not_counted(lib):
    stale = tallies.marks()
    remove(lib)
    for one in stale:
        tallies.count(one)
    assert not any(counted_rows())


def test_what_retention_is_about_to_take_is_not_counted(lib, client_of, officer, nothing_at_once):
    """Its rows go in pieces, after the snapshots: nothing tells when they are gone."""
    File.objects.filter(path="a.md").update(last_snapshot=1)
    Snapshot.objects.create(repository=lib, number=2, state="published", published=timezone.now())
    Repository.objects.update(published_snapshot=2)
    recount_findings()
    assert page(client_of(officer), seen="ever").context["counted"].total == 2
    Snapshot.objects.filter(number=1).update(state=Snapshot.State.PRUNED)
    recount_findings()
    assert page(client_of(officer), seen="ever").context["counted"].total == 1


def test_since_tells_new_values_from_old_ones_in_new_files(
    lib, client_of, officer, auditor, nothing_at_once
):
    """Before and after the count, on the page and in the export."""
    Snapshot.objects.update(published=timezone.now() - timedelta(days=30))
    factories.write_files(Path(lib.address), {"c.md": f"again {ANN}, and {EVE}\n"})
    factories.index(lib)
    chosen = {"since": f"{timezone.now() - timedelta(days=7):%Y-%m-%d}"}
    assert exported_paths(client_of(auditor), **chosen) == ["c.md"]
    recount_findings()
    found = page(client_of(officer), **chosen)
    assert [row.path for row, _ in found.context["rows"]] == ["c.md"]
    assert found.context["counted"].total == 1
    assert exported_paths(client_of(auditor), **chosen) == ["c.md"]


@pytest.mark.usefixtures("nothing_at_once")
@pytest.mark.parametrize("recounts", [True, False], ids=["counted", "not counted since"])
def test_a_value_keeps_its_date_when_retention_takes_its_first_files(
    recounts, lib, client_of, auditor, settings
):
    settings.KEEP_SNAPSHOTS = 1
    Snapshot.objects.update(published=timezone.now() - timedelta(days=30))
    factories.write_files(Path(lib.address), {"a.md": f"still {ANN}, and {EVE}\n"})
    factories.index(lib)
    recount_findings()
    assert prune(lib) == 1
    if recounts:
        recount_findings()
    chosen = {"since": f"{timezone.now() - timedelta(days=7):%Y-%m-%d}"}
    found = exported(client_of(auditor), **chosen)
    assert [int(row["start_column"]) for row in found] == [len(f"still {ANN}, and ")]


def test_too_many_to_decide_about_each_are_decided_as_a_kind(lib, client_of, officer, monkeypatch):
    for module in ("findings.listing", "views.reviewing"):
        monkeypatch.setattr(f"compliance.{module}.SELECTED_AT_ONCE", 1)
    client, url = client_of(officer), reverse("compliance:review")
    refused = client.post(url, {"all": "1"}, follow=True).content.decode()
    assert "More than 1 findings match" in refused
    asked = client.post(url, {"all": "1", "kind": "email"})
    assert [value for value, _ in asked.context["form"].fields["scope"].choices] == ["path", "kind"]


def test_pages_by_path_go_on_behind_what_was_looked_at(lib, client_of, officer, monkeypatch):
    monkeypatch.setattr(listing, "COUNTED", 2)
    monkeypatch.setattr(listing, "PAGE_ROWS", 1)
    names = [f"{letter}.txt" for letter in "pqrst"]
    factories.write_files(
        Path(lib.address), {name: f"ask {name[0]}.lee" + "@kitehouse.net\n" for name in names}
    )
    factories.index(lib)
    found, after = [], ""
    while after is not None:
        shown = page(client_of(officer), path=".txt", after=str(after)).context
        found += [row.path for row, _ in shown["rows"]]
        assert (shown["counted"].total, shown["counted"].more) == (2, True)
        after = shown["next"]
    assert sorted(found) == names


@pytest.mark.parametrize("counts_first", [True, False], ids=["counted", "out of date"])
def test_states_by_path_are_of_now(lib, client_of, officer, nothing_at_once, counts_first):
    recount_findings()
    dismiss(officer)
    if counts_first:
        recount_findings()
    counted = page(client_of(officer), path=".md").context["counted"]
    assert counted.found["state"] == [("dismissed", 1), ("open", 1)]
    assert counted.is_of_now
