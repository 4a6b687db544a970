"""Sums of model calls by period: days that are over are added up once, by the worker.

A day is over when it is past (UTC) by an hour and none of its calls runs any more. What is not
added up yet is read from the calls themselves, so a page is right without the sums, only slower.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from compliance.calls.models import SummedDay
from outbound.ledger import CallFilter, Spend, dearest, slugs_of, spend_by_day

# A call has its time before it is stored, and clocks of hosts differ: what is stored later would be
# in no sum, ever.
LATE = timedelta(hours=1)
DAY, WEEK, MONTH = "day", "week", "month"

OPEN_DAYS = """
/* days_to_add_up */
SELECT d::date
FROM generate_series(
       (SELECT (min(created) AT TIME ZONE 'UTC')::date FROM outbound_modelcall),
       %(today)s::date - 1, interval '1 day') AS d
WHERE NOT EXISTS (SELECT FROM compliance_summedday AS s WHERE s.day = d::date)
  AND NOT EXISTS (SELECT FROM outbound_modelcall AS c WHERE c.state = 'running'
                  AND c.created < d AT TIME ZONE 'UTC' + interval '1 day')
ORDER BY d
"""

# In the order in which they are read: a year of people is thousands of pages otherwise.
ADD_UP = """
/* add_up_day */
WITH calls AS (
  SELECT * FROM outbound_modelcall
  WHERE created >= %(day)s::timestamp AT TIME ZONE 'UTC'
    AND created < (%(day)s::timestamp + interval '1 day') AT TIME ZONE 'UTC'
), keyed AS (
  SELECT 'model' AS kind, 0 AS person, model AS key, c.* FROM calls AS c
  UNION ALL
  SELECT 'person', 0, COALESCE(person_id::text, ''), c.* FROM calls AS c
  UNION ALL
  SELECT 'own', person_id, model, c.* FROM calls AS c WHERE person_id IS NOT NULL
  UNION ALL
  SELECT 'repository', 0, COALESCE(r::text, ''), c.*
  FROM calls AS c LEFT JOIN LATERAL unnest(c.repositories) AS r ON true
)
INSERT INTO compliance_spendday (day, kind, person, key, calls, prompt_tokens, completion_tokens,
    cost, unpriced)
SELECT %(day)s, kind, person, key, count(*), sum(prompt_tokens), sum(completion_tokens),
    COALESCE(sum(cost), 0), count(*) FILTER (WHERE cost IS NULL)
FROM keyed GROUP BY kind, person, key ORDER BY kind, person, key
"""

_SUMS = """
SELECT date_trunc(%(unit)s, s.day::timestamp)::date, s.key, sum(s.calls)::bigint,
       sum(s.prompt_tokens)::bigint, sum(s.completion_tokens)::bigint, sum(s.cost),
       sum(s.unpriced)::bigint
FROM compliance_spendday AS s
WHERE s.kind = %(kind)s AND s.person = %(person)s AND s.day BETWEEN %(since)s AND %(until)s
"""
# Of periods and of keys, not of each key in each period: there may be as many as days and people.
SUMS = f"""
/* sums_by_period; uses spend_of_a_day */{_SUMS}GROUP BY GROUPING SETS ((1), (2))
"""
SHARES = f"""
/* shares_of_keys; uses spend_of_a_day */{_SUMS}  AND s.key = ANY(%(keys)s) GROUP BY 1, 2
"""

Periods = dict[date, list[Spend]]


@dataclass(frozen=True, slots=True)
class Span:
    """Days, both included, by "model", "person" or "repository". Of one `person`: by "model"."""

    since: date
    until: date
    by: str
    person: User | None = None

    @property
    def unit(self) -> str:
        """So that there are some ten to thirty bars."""
        days = (self.until - self.since).days + 1
        return DAY if days <= 31 else WEEK if days <= 182 else MONTH


@dataclass(frozen=True, slots=True)
class Sums:
    """Of a span: by user name, slug or model, dearest first; and by the first days of periods that
    have calls, oldest first. `names` are what the stored keys are called; `late` is what is not
    added up yet, by day, and part of both."""

    span: Span
    keys: list[Spend]
    periods: dict[date, Spend]
    names: dict[str, str]
    late: Periods


def add_up() -> int:
    """Scheduled every hour. Returns how many days were added up."""
    with connection.cursor() as cursor:
        cursor.execute(OPEN_DAYS, {"today": (timezone.now() - LATE).date()})
        days = [day for (day,) in cursor.fetchall()]
    for day in days:
        with transaction.atomic(), connection.cursor() as cursor:
            if SummedDay.objects.get_or_create(day=day)[1]:
                cursor.execute(ADD_UP, {"day": day})
    return len(days)


def begin_of(day: date, unit: str) -> date:
    if unit == WEEK:
        return day - timedelta(days=day.weekday())
    return day.replace(day=1) if unit == MONTH else day


def end_of(begin: date, unit: str) -> date:
    """The last day of the period that begins then."""
    if unit == WEEK:
        return begin + timedelta(days=6)
    if unit == MONTH:
        return (begin + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    return begin


def sums(span: Span) -> Sums:
    late = _not_yet(span)
    rows = _asked(SUMS, span)
    names = _names(span.by, {key for begin, key, *_ in rows if begin is None})
    keys = [Spend(names[key], *rest) for begin, key, *rest in rows if begin is None]
    keys += [one for spends in late.values() for one in spends]
    periods = {begin: [Spend("", *rest)] for begin, _, *rest in rows if begin is not None}
    for day, spends in late.items():
        here = periods.setdefault(begin_of(day, span.unit), [])
        here += (replace(one, key="") for one in spends)
    totals = {begin: added(periods[begin])[0] for begin in sorted(periods)}
    return Sums(span, added(keys), totals, names, late)


def shares(found: Sums, wanted: Collection[str]) -> Periods:
    """What these of `found.keys` took in each of its periods, dearest first."""
    span, parts = found.span, defaultdict(list)
    keys = [key for key, name in found.names.items() if name in wanted]
    for begin, key, *rest in _asked(SHARES, span, keys):
        parts[begin].append(Spend(found.names[key], *rest))
    for day, spends in found.late.items():
        parts[begin_of(day, span.unit)] += (one for one in spends if one.key in wanted)
    return {begin: added(parts[begin]) for begin in found.periods}


def _asked(statement: str, span: Span, keys: Sequence[str] = ()) -> list[tuple[Any, ...]]:
    parameters: dict[str, Any] = {
        "kind": "own" if span.person else span.by,
        "person": span.person.pk if span.person else 0,
        "unit": span.unit, "since": span.since, "until": span.until, "keys": list(keys),
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    return rows


def _names(by: str, keys: set[str]) -> dict[str, str]:
    """What the keys are called; a person who was deleted is nobody, as with the calls."""
    numbers = [int(key) for key in keys if key and by != "model"]
    if by == "repository":
        slugs = slugs_of(numbers)
        return {key: slugs.get(int(key), f"#{key}") if key else "" for key in keys}
    if by == "person":
        people = dict(User.objects.filter(pk__in=numbers).values_list("pk", "username"))
        return {key: people.get(int(key), "") if key else "" for key in keys}
    return {key: key for key in keys}


def _not_yet(span: Span) -> Periods:
    """By day, what is not added up yet: today, most of the time."""
    stored = SummedDay.objects.filter(day__range=(span.since, span.until))
    summed = set(stored.values_list("day", flat=True))
    days = [span.since + timedelta(days=n) for n in range((span.until - span.since).days + 1)]
    missing = [day for day in days if day not in summed]
    if not missing:
        return {}
    chosen = CallFilter(person=span.person, since=missing[0], until=missing[-1])
    found = spend_by_day(chosen, span.by)
    return {day: spends for day, spends in found.items() if day not in summed}


def added(found: Iterable[Spend]) -> list[Spend]:
    """By key, dearest first."""
    sums: dict[str, list[Spend]] = defaultdict(list)
    for one in found:
        sums[one.key].append(one)
    return dearest(
        Spend(
            key,
            calls=sum(one.calls for one in some),
            prompt_tokens=sum(one.prompt_tokens for one in some),
            completion_tokens=sum(one.completion_tokens for one in some),
            cost=sum((one.cost for one in some), Decimal(0)),
            unpriced=sum(one.unpriced for one in some),
        )
        for key, some in sums.items()
    )
