"""Which index each statement uses, at a size where it matters; the planner chooses freely.

A statement says what it uses in its tag, `/* search: holding; uses chunk_terms */`, and its plan is
compared with that. A tag that names an index and has no case fails here, as does any statement of
these apps that reads tables (the console and the audit trail: tests/compliance/test_plans.py).
"""

import re
from collections.abc import Iterator

import pytest
from django.db import connection

from tests.search.plan_cases import CASES, COMMON, NO_INDEX, Case
from tests.search.plan_rows import everything, large_database
from tests.search.tagged import tagged_statements

STATEMENTS = {
    tag: one
    for tag, one in tagged_statements().items()
    if one.app not in {"compliance", "accounts"} and (one.uses or one.reads_tables)
}
_READ_WHOLE = re.compile(r"Seq Scan on ((?:repos|indexing|outbound)_\w+)")
# Tables of few rows, which nobody asks by an index at any size.
SMALL = {
    "repos_repository", "indexing_policychange", "indexing_embedrefusal", "indexing_indexrun",
    "indexing_runstage",
}  # fmt: skip


@pytest.fixture(scope="module")
def large(django_db_setup, django_db_blocker) -> Iterator[None]:
    with django_db_blocker.unblock(), large_database():
        yield


def plan(tag: str, case: Case) -> str:
    statement = STATEMENTS[tag].text
    for place, value in case.fill.items():
        statement = statement.replace(place, value)
    with connection.cursor() as cursor:
        parameters = {**COMMON, **everything().parameters(), **case.parameters}
        cursor.execute("EXPLAIN " + statement, parameters)
        return "\n".join(row[0] for row in cursor.fetchall())


def test_every_statement_has_a_case():
    assert set(STATEMENTS) == {*CASES, *NO_INDEX}


def test_every_statement_of_search_names_its_index():
    mine = [one for one in STATEMENTS.values() if one.app == "search" and one.reads_tables]
    assert [one.tag for one in mine if not one.uses] == []


@pytest.mark.django_db
@pytest.mark.usefixtures("large")
@pytest.mark.parametrize("tag", sorted(CASES))
def test_the_plan_uses_what_the_tag_names(tag: str):
    case = CASES[tag]
    found = plan(tag, case)
    indexes = (*STATEMENTS[tag].uses, *case.also)
    assert indexes, found
    assert [name for name in indexes if not re.search(rf"\b(?:on|using) {name}\b", found)] == [], (
        found
    )
    assert set(_READ_WHOLE.findall(found)) - SMALL == set(), found
