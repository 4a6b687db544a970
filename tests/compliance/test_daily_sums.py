"""Days that are over are added up once; pages say the same with the sums and without."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from compliance.calls import daily
from compliance.calls.jobs import add_up_days
from compliance.calls.models import SpendDay, SummedDay
from outbound.ledger import Spend
from outbound.models import ModelCall
from tests.compliance.call_rows import call
from tests.factories import repository_for

pytestmark = pytest.mark.django_db
SINCE, UNTIL = date(2026, 3, 1), date(2026, 6, 30)
PAGE = "/console/calls/spend"


@pytest.fixture
def calls(owner, member) -> None:
    """Of two people and of nobody, of two repositories and of none, one of unknown price."""
    lib, other = (repository_for(owner, slug=slug).pk for slug in ("lib", "other"))
    for month, day, person, cost, repositories in (
        (3, 2, owner, Decimal("0.5"), [lib]), (3, 2, member, None, [lib, other]),
        (3, 31, owner, Decimal("0.25"), []), (5, 4, None, Decimal("0.125"), [other]),
    ):  # fmt: skip
        call(
            person, cost=cost, repositories=repositories, model=f"openai/{month}",
            created=datetime(2026, month, day, 23, 59, 59, tzinfo=UTC),
        )  # fmt: skip


def told(span: daily.Span) -> tuple[list[Spend], dict[date, Spend], daily.Periods]:
    found = daily.sums(span)
    return found.keys, found.periods, daily.shares(found, [one.key for one in found.keys[:2]])


@pytest.mark.parametrize("by", ["model", "person", "repository"])
@pytest.mark.parametrize("until", [date(2026, 3, 31), date(2026, 5, 31), date(2026, 9, 30)])
def test_with_the_sums_and_without_it_is_the_same(calls, by, until):
    """By day, by week and by month."""
    span = daily.Span(SINCE, until, by)
    keys, periods, shares = before = told(span)
    assert sum(one.calls for one in keys) >= 3
    assert sum(one.calls for one in periods.values()) == sum(one.calls for one in keys)
    assert {one.key for here in shares.values() for one in here} == {one.key for one in keys[:2]}
    add_up_days()
    assert not daily._not_yet(span)
    assert told(span) == before


def test_of_one_person_too(calls, owner):
    span = daily.Span(SINCE, date(2026, 3, 31), "model", owner)
    before = told(span)
    add_up_days()
    assert told(span) == before
    assert [one.calls for one in before[1].values()] == [1, 1]


def test_a_day_that_is_half_added_up_counts_once(calls):
    """As on a day between the last one that is over and today."""
    span = daily.Span(SINCE, date(2026, 5, 31), "person")
    before = told(span)
    ModelCall.objects.filter(model="openai/5").update(state="running")
    add_up_days()
    assert list(daily._not_yet(span)) == [date(2026, 5, 4)]
    assert told(span) == before


def test_a_second_time_adds_nothing(calls):
    add_up_days()
    rows = SpendDay.objects.count()
    assert daily.add_up() == 0
    SummedDay.objects.filter(day=date(2026, 3, 2)).delete()
    SpendDay.objects.filter(day=date(2026, 3, 2)).delete()
    assert daily.add_up() == 1
    assert SpendDay.objects.count() == rows


def test_today_and_days_with_a_running_call_wait(calls, owner):
    ModelCall.objects.filter(model="openai/5").update(state="running")
    call(owner)
    add_up_days()
    summed = set(SummedDay.objects.values_list("day", flat=True))
    assert date(2026, 3, 2) in summed
    assert not summed & {date(2026, 5, 4), timezone.now().date()}


def test_the_first_hour_waits_for_calls_that_are_stored_late(calls, monkeypatch):
    """A call has its time before its row is there: one of 23:59:59 may come after midnight."""
    for minutes, days in ((59, 90), (61, 91)):
        now = datetime(2026, 6, 1, tzinfo=UTC) + timedelta(minutes=minutes)
        monkeypatch.setattr(timezone, "now", lambda now=now: now)
        add_up_days()
        assert SummedDay.objects.count() == days


def test_a_person_who_was_deleted_is_nobody(calls, member):
    add_up_days()
    member.delete()
    keys, _, shares = told(daily.Span(SINCE, UNTIL, "person"))
    assert {one.key: one.calls for one in keys} == {"owner": 2, "": 2}
    assert {one.key for one in shares[date(2026, 3, 2)]} == {"owner", ""}


def test_a_long_time_is_shown_by_month(calls, client_of, auditor):
    add_up_days()
    page = client_of(auditor).get(PAGE, {"since": f"{SINCE}", "until": "2026-09-30"})
    table = page.context["table"]
    assert [(f"{one.day} {one.last}", one.calls) for one in table.days] == [
        ("2026-05-01 2026-05-31", 1), ("2026-03-01 2026-03-31", 3),
    ]  # fmt: skip
    assert "?since=2026-03-01&amp;until=2026-03-31" in page.content.decode()
