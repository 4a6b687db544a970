"""Sums of model calls by period: days that are over are added up once, by the worker.

A day is over when it is past (UTC) by an hour and none of its calls runs any more. What is not
added up yet is read from the calls themselves, so a page is right without the sums, only slower.
"""

from collections import defaultdict
from collections.abc import Iterable
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
FROM keyed GROUP BY kind, person, key
"""

SUMS = """
/* sums_by_period */
SELECT date_trunc(%(unit)s, s.day)::date, s.key, sum(s.calls)::bigint,
       sum(s.prompt_tokens)::bigint, sum(s.completion_tokens)::bigint, sum(s.cost),
       sum(s.unpriced)::bigint
FROM compliance_spendday AS s
WHERE s.kind = %(kind)s AND s.person = %(person)s AND s.day BETWEEN %(since)s AND %(until)s
GROUP BY 1, 2
"""

Periods = dict[date, list[Spend]]


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


def unit_of(since: date, until: date) -> str:
    """So that there are some ten to thirty bars."""
    days = (until - since).days + 1
    return DAY if days <= 31 else WEEK if days <= 182 else MONTH


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


def spend_by_period(
    since: date, until: date, by: str, unit: str, person: User | None = None
) -> Periods:
    """Periods that have calls, oldest first, each with its totals by "model", "person" (user
    name) or "repository" (slug), dearest first. Of one `person`: by "model" alone."""
    found: dict[date, list[Spend]] = defaultdict(list)
    for begin, one in _stored(since, until, by, unit, person):
        found[begin].append(one)
    both = set()
    for day, spends in _not_yet(since, until, by, person).items():
        both.add(begin_of(day, unit))
        found[begin_of(day, unit)] += spends
    return {
        begin: added(found[begin]) if begin in both else dearest(found[begin])
        for begin in sorted(found)
    }


def _stored(
    since: date, until: date, by: str, unit: str, person: User | None
) -> list[tuple[date, Spend]]:
    parameters: dict[str, Any] = {
        "kind": "own" if person else by, "person": person.pk if person else 0, "unit": unit,
        "since": since, "until": until,
    }  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(SUMS, parameters)
        rows = cursor.fetchall()
    names = _names(by, {key for _, key, *_ in rows if key})
    return [(begin, Spend(names.get(key, ""), *sums)) for begin, key, *sums in rows]


def _names(by: str, keys: set[str]) -> dict[str, str]:
    """What the keys are called; a person who was deleted is nobody, as with the calls."""
    if by == "repository":
        slugs = slugs_of(map(int, keys))
        return {key: slugs.get(int(key), f"#{key}") for key in keys}
    if by == "person":
        people = User.objects.filter(pk__in=map(int, keys)).values_list("pk", "username")
        return {str(pk): name for pk, name in people}
    return {key: key for key in keys}


def _not_yet(since: date, until: date, by: str, person: User | None) -> Periods:
    """By day, what is not added up yet: today, most of the time."""
    summed = set(SummedDay.objects.filter(day__range=(since, until)).values_list("day", flat=True))
    days = [since + timedelta(days=n) for n in range((until - since).days + 1)]
    missing = [day for day in days if day not in summed]
    if not missing:
        return {}
    chosen = CallFilter(person=person, since=missing[0], until=missing[-1])
    found = spend_by_day(chosen, by)
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
