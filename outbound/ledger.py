"""What was sent and what it cost: queries for pages, exports and charts.

Nothing here asks who may see it: the console does, and an answer's own page shows the calls of
that answer (`of_subject`) to those who may see the answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Sum, Value
from django.db.models.functions import Coalesce, TruncDate

from accounts.models import User
from outbound.models import ModelCall, SentLines

ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class CallFilter:
    """Empty fields do not filter. `since` and `until` are days (UTC), both included."""

    person: User | None = None
    repository_id: int | None = None
    repository: str = ""  # slug as it was; for repositories that are gone
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


def calls(chosen: CallFilter) -> QuerySet[ModelCall]:
    """Newest first, with person and parent."""
    rows = ModelCall.objects.select_related("person", "parent").filter(**_equal(chosen))
    if chosen.repository_id is not None:
        rows = rows.filter(repositories__contains=[chosen.repository_id])
    if chosen.repository:
        lines = SentLines.objects.filter(model_call=OuterRef("pk"), repository=chosen.repository)
        rows = rows.filter(Exists(lines))
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


def each_call(chosen: CallFilter) -> Iterator[ModelCall]:
    """The same for exports: read in pieces, never all at once."""
    return calls(chosen).iterator(chunk_size=ROWS_AT_ONCE)


def each_line(call: ModelCall) -> Iterator[SentLines]:
    """The lines that a call sent, in the order in which they were sent."""
    return call.sent.order_by("ordinal").iterator(chunk_size=ROWS_AT_ONCE)


def of_subject(subject: str) -> QuerySet[ModelCall]:
    """The calls of one answer or run, in the order in which they were made."""
    return ModelCall.objects.filter(subject=subject).order_by("created", "pk")


def spend_by_day(chosen: CallFilter) -> list[Spend]:
    """Days (UTC) as "2026-11-30", oldest first; a day without calls has no row."""
    rows = calls(chosen).order_by().annotate(key=TruncDate("created", tzinfo=UTC))
    return sorted(_totals(rows), key=lambda one: one.key)


def spend_by(field: str, chosen: CallFilter) -> list[Spend]:
    """Totals by "model", "provider", "purpose", "person" (user name) or "repository" (slug),
    dearest first. A call with lines of several repositories counts for each.
    """
    rows = calls(chosen).order_by()
    if field == "repository":
        return _dearest(_by_repository(rows))
    source = {"person": "person__username"}.get(field, field)
    return _dearest(_totals(rows.annotate(key=F(source))))


def _by_repository(rows: QuerySet[ModelCall]) -> list[Spend]:
    lines = SentLines.objects.filter(model_call__in=rows.values("pk"))
    slugs = list(lines.values_list("repository", flat=True).distinct())
    found: list[Spend] = []
    for slug in slugs:
        mine = Exists(lines.filter(model_call=OuterRef("pk"), repository=slug))
        found += _totals(rows.filter(mine).annotate(key=Value(slug)))
    return found


def _totals(rows: QuerySet[Any]) -> list[Spend]:
    found = rows.values("key").annotate(
        calls=Count("pk"),
        prompt=Sum("prompt_tokens"),
        completion=Sum("completion_tokens"),
        paid=Coalesce(Sum("cost"), Decimal(0)),
        unpriced=Count("pk", filter=Q(cost__isnull=True)),
    )
    return [
        Spend(
            key=str(row["key"] or ""),
            calls=row["calls"],
            prompt_tokens=row["prompt"],
            completion_tokens=row["completion"],
            cost=row["paid"],
            unpriced=row["unpriced"],
        )
        for row in found
    ]


def _dearest(found: list[Spend]) -> list[Spend]:
    return sorted(found, key=lambda one: (-one.cost, -one.prompt_tokens, one.key))
