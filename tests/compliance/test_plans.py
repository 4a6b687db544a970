"""Which index each statement of the console uses, at a size where it matters.

40,000 findings, events and calls, made as for the benchmark; the planner chooses freely. What it is
to use is in plan_cases.py; a tagged statement that reads tables and has no case there fails here.
"""

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import AuditEvent, User
from accounts.trail.chain import BATCH, SEAL_SQL
from compliance import activity
from compliance.activity import Asked
from compliance.calls import daily
from compliance.findings import listing, tallies
from compliance.findings.filters import Filter
from tests.benchmarks import console_rows
from tests.compliance.plan_cases import CASES, NO_INDEX, Case
from tests.search.tagged import tagged_statements

ROWS = 40_000
STATEMENTS = {
    tag: one
    for tag, one in tagged_statements().items()
    if one.app == "compliance" and one.reads_tables
}
_READ_WHOLE = re.compile(r"Seq Scan on ((?:repos|indexing|outbound|compliance|accounts)_\w+)")
# Tables of few rows, which nobody asks by an index at any size.
SMALL = {
    "repos_repository", "repos_snapshot", "indexing_findingreview", "indexing_policychange",
    "compliance_summedday", "compliance_talliedrepository",
}  # fmt: skip
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


def test_every_statement_has_a_case():
    assert set(STATEMENTS) == {*CASES, *NO_INDEX}


@pytest.mark.parametrize(
    ("tag", "case"),
    [
        pytest.param(tag, case, id=f"{tag}-{number}")
        for tag, cases in CASES.items()
        for number, case in enumerate(cases)
    ],
)
def test_the_plan_uses_what_the_case_names(tag: str, case: Case):
    statement = STATEMENTS[tag].text
    for place, value in case.fill.items():
        statement = statement.replace(place, value)
    found = plan(statement, **case.parameters)
    used = set(re.findall(r"\b(?:on|using) (\w+)", found))
    assert {*STATEMENTS[tag].uses, *case.uses} - used == set(), found
    assert set(_READ_WHOLE.findall(found)) - SMALL - {*case.whole} == set(), found


def test_events_are_sealed_without_reading_the_trail():
    numbers = list(AuditEvent.objects.order_by("pk").values_list("pk", flat=True)[:BATCH])
    places = range(len(numbers))
    seals = [b"x" * 32 for _ in places]
    found = plan(SEAL_SQL, ids=numbers, positions=list(places), seals=seals)
    assert "Index Scan using audit_" in found  # of those that wait, or by number: few either way
    assert "Seq Scan on accounts_auditevent" not in found


def test_dates_are_read_once_before_any_is_written():
    """Of a table that was empty when it was analysed, the planner expects no row to come."""
    found = plan(tallies.COUNT, repository=9, marks="1")
    assert len(re.findall(r"Scan.* on compliance_datedfinding", found)) == 1, found
    assert found.index("WindowAgg") < found.index("on compliance_datedfinding d")


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
