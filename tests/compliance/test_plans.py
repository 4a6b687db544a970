"""Which index each statement of the console uses, at a size where it matters.

40,000 findings, events and calls, made as for the benchmark; the planner chooses freely.
"""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import AuditEvent, User
from compliance import activity
from compliance.activity import Asked
from compliance.calls import daily
from compliance.findings import detail, listing, tallies
from compliance.findings.filters import Filter
from tests.benchmarks import console_rows

ROWS = 40_000
EMPTY = (
    "SET LOCAL footnote.audit_prune = 'on'; TRUNCATE accounts_auditevent; "
    "TRUNCATE repos_repository, repos_file, accounts_user, outbound_modelcall, "
    "indexing_finding, indexing_content, indexing_policychange, compliance_summedday, "
    "compliance_spendday CASCADE"
)


@pytest.fixture(scope="module")
def large(django_db_setup, django_db_blocker) -> Iterator[None]:
    with django_db_blocker.unblock():
        try:
            console_rows.make(ROWS)
            tallies.recount()
            daily.add_up()
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
            yield
        finally:
            with transaction.atomic(), connection.cursor() as cursor:
                cursor.execute(EMPTY)


def plan(statement: str, **parameters: Any) -> str:
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + statement, parameters)
        return "\n".join(row[0] for row in cursor.fetchall())


def list_plan(chosen: Filter, **place: int) -> str:
    statement = listing.ROWS.format(narrowed=listing.narrowed(chosen))
    place = {"after": 0, "number": 0, "limit": listing.PAGE_ROWS + 1} | place
    return plan(statement, **chosen.parameters(), **place)


pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("large")]


@pytest.mark.parametrize(
    ("chosen", "index"),
    [
        (Filter(), "Scan Backward using finding_in_order"),
        (Filter(seen="ever"), "Scan Backward using finding_in_order"),
        (Filter(kind="kind_7"), "finding_kind"),
        (Filter(action="allow"), "finding_action"),
        (Filter(state="confirmed"), "decided_in_order"),
        (Filter(state="open"), "compliance_decidedfinding"),
        (Filter(path="module_777"), "file_path_trgm"),
        (Filter(review="7"), "finding_fingerprint"),
        (Filter(repository="service-9", kind="kind_7"), "indexing_finding"),
    ],
    ids=["all", "ever", "kind", "action", "confirmed", "open", "path", "review", "two"],
)
def test_findings_are_listed_by_an_index(chosen, index):
    found = list_plan(chosen)
    assert index in found, found
    assert "Seq Scan on indexing_finding" not in found


@pytest.mark.parametrize("days", [400, 40, 1], ids=["all", "some", "few"])
def test_findings_first_seen_lately_are_those_written_down(days):
    since = timezone.now().date() - timedelta(days=days)
    found = list_plan(Filter(since=since.isoformat()))
    assert "compliance_datedfinding" in found
    assert "finding_fingerprint" not in found  # no value is looked up among the older ones
    assert "Seq Scan on indexing_finding" not in found


def test_a_page_far_behind_is_found_by_its_number():
    found = list_plan(Filter(), after=1_000)
    assert "finding_in_order" in found
    assert "Offset" not in found


def test_counts_read_no_finding():
    found = plan(tallies.TALLIES, **Filter(kind="email").parameters())
    assert "compliance_findingtally" in found
    assert "indexing_finding" not in found


def test_marks_are_read_by_keys():
    found = plan(tallies.MARKS, repository=0)
    assert "Seq Scan on indexing_finding" not in found


def test_places_of_a_value_come_from_its_fingerprint():
    found = plan(detail.PLACES, prints=[b"x" * 32], limit=200, read=2000)
    assert "finding_fingerprint" in found
    found = plan(detail.TWINS, prints=[b"x" * 32], limit=200)
    assert "finding_fingerprint" in found
    assert "Seq Scan" not in found


def test_spend_is_read_from_the_sums():
    found = plan(
        daily.SUMS, kind="own", person=7, unit="day", since=date(2026, 1, 1),
        until=date(2026, 1, 31),
    )  # fmt: skip
    assert "spend_of_a_day" in found


@pytest.mark.parametrize(
    ("asked", "index"),
    [
        (Asked(), "accounts_auditevent_pkey"),
        (Asked(repository="service-3"), "audit_repository"),
        (Asked(action="repository.deleted"), "audit_action"),
        (Asked(text="zzzz"), "audit_words"),
    ],
    ids=["all", "repository", "action", "words"],
)
def test_events_are_listed_by_an_index(asked, index):
    found = activity.find(asked)[: activity.ROWS + 1].explain()
    assert index in found, found
    assert "Seq Scan" not in found


def test_events_of_one_person_are_listed_by_an_index():
    person = User.objects.get(username="person-150")
    found = activity.find(Asked(person=person))[: activity.ROWS + 1].explain()
    assert "audit_person" in found
    older = AuditEvent.objects.order_by("-id")[ROWS // 2].id
    assert "Index" in activity.find(Asked()).filter(id__lt=older)[: activity.ROWS + 1].explain()
