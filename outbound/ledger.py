"""What was sent and what it cost: queries for pages, exports and charts.

Nothing here asks who may see it: the console does, and an answer's own page shows the calls of
that answer (`of_subject`) to those who may see the answer.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import BigIntegerField, Count, F, Func, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, TruncDate

from accounts.models import User
from outbound.models import ModelCall
from repos.models import DeletionRecord, Repository

ROWS_AT_ONCE = 500

MODELS_CALLED = """
/* models_called */
WITH RECURSIVE seen AS (
  SELECT min(model) AS model FROM outbound_modelcall
  UNION ALL
  SELECT (SELECT min(c.model) FROM outbound_modelcall AS c WHERE c.model > seen.model)
  FROM seen WHERE seen.model IS NOT NULL
)
SELECT model FROM seen WHERE model IS NOT NULL
"""


@dataclass(frozen=True, slots=True)
class CallFilter:
    """Empty fields do not filter. `since` and `until` are days (UTC), both included."""

    person: User | None = None
    # Calls with lines of any of these; () does not filter, (0,) finds nothing.
    repository_ids: tuple[int, ...] = ()
    model: str = ""
    provider: str = ""
    purpose: str = ""
    state: str = ""
    subject: str = ""
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Spend:
    """`unpriced` calls are those whose price nobody knows; they are not in `cost`."""

    key: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: Decimal
    unpriced: int

    @property
    def tokens(self) -> int:
        return self.prompt_tokens + self.completion_tokens


def calls(chosen: CallFilter) -> QuerySet[ModelCall]:
    """Newest first, with person and parent."""
    rows = ModelCall.objects.select_related("person", "parent").filter(**_equal(chosen))
    if chosen.repository_ids:
        rows = rows.filter(repositories__overlap=list(chosen.repository_ids))
    return rows.order_by("-created", "-pk")


def _equal(chosen: CallFilter) -> dict[str, Any]:
    names = ("person", "model", "provider", "purpose", "state", "subject")
    found: dict[str, Any] = {name: getattr(chosen, name) for name in names}
    if chosen.since:
        found["created__gte"] = _midnight(chosen.since)
    if chosen.until:
        found["created__lt"] = _midnight(chosen.until + timedelta(days=1))
    return {name: value for name, value in found.items() if value}


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, tzinfo=UTC)


def older_than(call: ModelCall, rows: QuerySet[ModelCall]) -> QuerySet[ModelCall]:
    """Those behind `call` in the order of `calls`; the next page begins with them."""
    rows = rows.filter(created__lte=call.created)
    return rows.filter(Q(created__lt=call.created) | Q(pk__lt=call.pk))


def each_call(rows: QuerySet[ModelCall]) -> Iterator[list[ModelCall]]:
    """All of them for an export, some hundred at a time."""
    some = list(rows[:ROWS_AT_ONCE])
    while some:
        yield some
        some = list(older_than(some[-1], rows)[:ROWS_AT_ONCE])


def models_called() -> list[str]:
    """The names of all models that were ever asked, by as many looks into the index."""
    with connection.cursor() as cursor:
        cursor.execute(MODELS_CALLED)
        return [name for (name,) in cursor.fetchall()]


def slugs_of(numbers: Iterable[int]) -> dict[int, str]:
    """Names of repositories by number, also of those that were removed."""
    wanted = set(numbers)
    gone = DeletionRecord.objects.filter(repository_number__in=wanted)
    found = dict(gone.values_list("repository_number", "slug"))
    return found | dict(Repository.objects.filter(pk__in=wanted).values_list("pk", "slug"))


def numbers_of(slug: str) -> tuple[int, ...]:
    """The repositories that have or had this name."""
    here = Repository.objects.filter(slug=slug).values_list("pk", flat=True)
    gone = DeletionRecord.objects.filter(slug=slug).values_list("repository_number", flat=True)
    return tuple(sorted({*here, *gone}))


def of_subject(subject: str) -> QuerySet[ModelCall]:
    """The calls of one answer or run, in the order in which they were made."""
    return ModelCall.objects.filter(subject=subject).order_by("created", "pk")


def spend_by_day(chosen: CallFilter, field: str) -> dict[date, list[Spend]]:
    """Days (UTC), oldest first, each with its totals by `field`; a day without calls is not there.

    `field` is as in `spend_by`.
    """
    rows = _by(field, calls(chosen)).annotate(day=TruncDate("created", tzinfo=UTC))
    found: dict[date, list[dict[str, Any]]] = defaultdict(list)
    for row in _sums(rows.values("day", "key")):
        found[row.pop("day")].append(row)
    names = _names(field, [row["key"] for rows_of_day in found.values() for row in rows_of_day])
    return {day: dearest(_spend(row, names) for row in found[day]) for day in sorted(found)}


def spend_by(field: str, chosen: CallFilter) -> list[Spend]:
    """Totals by "model", "provider", "purpose", "person" (user name) or "repository" (slug),
    dearest first. A call with lines of several repositories counts for each; "" is nobody, or
    no repository.
    """
    found = list(_sums(_by(field, calls(chosen)).values("key")))
    names = _names(field, [row["key"] for row in found])
    return dearest(_spend(row, names) for row in found)


def _by(field: str, rows: QuerySet[Any]) -> QuerySet[Any]:
    source = {"person": F("person_id"), "repository": _each_repository()}.get(field, F(field))
    found: QuerySet[Any] = rows.order_by().select_related(None).annotate(key=source)
    return found


def _each_repository() -> Func:
    """A row for each repository of a call; one with none for a call without."""
    sql = "unnest(CASE %(expressions)s WHEN '{}' THEN '{NULL}' ELSE %(expressions)s END)"
    return Func(F("repositories"), template=sql, output_field=BigIntegerField())


def _names(field: str, keys: Iterable[Any]) -> dict[Any, str]:
    """What the keys are called, where they are numbers."""
    numbers = {key for key in keys if isinstance(key, int)}
    if field == "repository":
        return slugs_of(numbers)
    if field == "person":
        return dict(User.objects.filter(pk__in=numbers).values_list("pk", "username"))
    return {}


def _sums(rows: QuerySet[Any, Any]) -> Iterator[dict[str, Any]]:
    yield from rows.annotate(
        calls=Count("pk"),
        prompt=Sum("prompt_tokens"),
        completion=Sum("completion_tokens"),
        paid=Coalesce(Sum("cost"), Decimal(0)),
        unpriced=Count("pk", filter=Q(cost__isnull=True)),
    )


def _spend(row: dict[str, Any], names: dict[Any, str]) -> Spend:
    key = row["key"]
    return Spend(
        key=names.get(key, str(key or "")),
        calls=row["calls"],
        prompt_tokens=row["prompt"],
        completion_tokens=row["completion"],
        cost=row["paid"],
        unpriced=row["unpriced"],
    )


def dearest(found: Iterable[Spend]) -> list[Spend]:
    return sorted(found, key=lambda one: (-one.cost, -one.prompt_tokens, one.key))
