"""What models cost and took: by day and model, person or repository; what is left of budgets."""

from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from compliance.calls import daily
from compliance.charts import Chart, Column, series_of, stacked, values_of, with_other
from outbound import budgets
from outbound.budgets import Limit
from outbound.ledger import CallFilter, Spend, spend_by

MOST_KEYS = 50
MOST_BUDGETS = 20


@dataclass(frozen=True, slots=True)
class Total:
    """All calls of one model, person or repository; `query` leads to them, "" where none does."""

    spend: Spend
    label: str
    query: str


@dataclass(frozen=True, slots=True)
class Day:
    day: date
    last: date  # the same, unless it is a week or a month
    calls: int
    tokens: int
    cost: Decimal
    unpriced: int
    query: str


@dataclass(frozen=True, slots=True)
class SpendTable:
    chart: Chart
    days: list[Day]  # newest first
    totals: list[Total]
    more: int  # further keys, not listed
    unit: str  # "day", "week" or "month"

    @property
    def unpriced(self) -> int:
        return sum(one.unpriced for one in self.days)

    @property
    def calls(self) -> int:
        return sum(one.calls for one in self.days)


@dataclass(frozen=True, slots=True)
class BudgetUse:
    """`used` is of today (UTC), with what runs now; `query` leads to those calls."""

    whose: str
    limit: Limit
    tokens: int
    cost: Decimal
    unpriced: int
    query: str

    @property
    def percent(self) -> int:
        """Of the limit that is nearer."""
        parts = [self.tokens / self.limit.tokens if self.limit.tokens else 0.0]
        if self.limit.cost:
            parts.append(float(self.cost / self.limit.cost))
        return round(100 * max(parts))


def spend(since: date, until: date, *, by: str, of: str, person: User | None = None) -> SpendTable:
    """`by` is "model", "person" or "repository", `of` is "cost" or "tokens". Of one person, or of
    all; by day, week or month."""
    span = daily.Span(since, until, by, person)
    found = daily.sums(span)
    # A call with lines of several repositories counts for each: days are counted by model.
    days = daily.sums(replace(span, by="model")) if by == "repository" else found
    whose = {"person": person.username} if person else {}
    return SpendTable(
        chart=_chart(found, of),
        days=[_period(one, days.periods[one], span, whose) for one in reversed(days.periods)],
        totals=[_total(one, by, since, until) for one in found.keys[:MOST_KEYS]],
        more=max(0, len(found.keys) - MOST_KEYS),
        unit=span.unit,
    )


def _chart(found: daily.Sums, of: str) -> Chart:
    """The largest by themselves, what is left of each period together."""
    by, unit = found.span.by, found.span.unit
    names, rest = series_of({one.key: float(getattr(one, of)) for one in found.keys})
    shares = daily.shares(found, names)
    columns = []
    for begin, whole in found.periods.items():
        parts = {one.key: getattr(one, of) for one in shares[begin]}
        left = [getattr(whole, of) - sum(parts.values())] if rest else []
        values = [float(value) for value in (*values_of(parts, names, ()), *left)]
        columns.append(
            Column(f"{begin:%Y-%m}" if unit == daily.MONTH else f"{begin:%m-%d}", values)
        )
    words = with_other([_label(by, name) for name in names], rest)
    return stacked(columns, words, _money if of == "cost" else _count)


def _money(number: float) -> str:
    return f"${number:.2f}" if number >= 1 or not number else f"${number:.2g}"


def _count(number: float) -> str:
    for unit, size in (("M", 1_000_000), ("k", 1_000)):
        if number >= size:
            return f"{number / size:.3g}{unit}"
    return f"{round(number)}"


def _label(by: str, key: str) -> str:
    """A person or a repository may be none."""
    if key:
        return key
    return _("Footnote itself") if by == "person" else _("no repository")


def _period(begin: date, whole: Spend, span: daily.Span, whose: dict[str, str]) -> Day:
    first, last = max(begin, span.since), min(daily.end_of(begin, span.unit), span.until)
    return Day(
        day=first,
        last=last,
        calls=whole.calls,
        tokens=whole.tokens,
        cost=whole.cost,
        unpriced=whole.unpriced,
        query=urlencode({"since": first, "until": last, **whose}),
    )


def _total(one: Spend, by: str, since: date, until: date) -> Total:
    query = {by: one.key, "since": since, "until": until}
    return Total(one, _label(by, one.key), urlencode(query) if one.key else "")


COLUMNS = (
    "from", "to", "of", "calls", "tokens_sent", "tokens_received", "cost_usd",
    "calls_of_unknown_cost",
)  # fmt: skip


def as_rows(span: daily.Span) -> list[dict[str, Any]]:
    """Each period and what each model, person or repository took in it; newest first, with the
    names of `COLUMNS`. "" is Footnote itself, or no repository."""
    found = daily.sums(span)
    shares = daily.shares(found, {one.key for one in found.keys})
    return [
        {
            "from": f"{max(begin, span.since)}",
            "to": f"{min(daily.end_of(begin, span.unit), span.until)}",
            "of": one.key, "calls": one.calls, "tokens_sent": one.prompt_tokens,
            "tokens_received": one.completion_tokens, "cost_usd": f"{one.cost:f}",
            "calls_of_unknown_cost": one.unpriced,
        }
        for begin in reversed(found.periods)
        for one in shares[begin]
    ]  # fmt: skip


def budgets_in_use() -> list[BudgetUse]:
    """Each budget that is in force with what is used of it today: of all, then of those people
    and repositories that used most."""
    today = timezone.now().date()
    chosen = CallFilter(since=today)
    found = []
    if budgets.day_limit().is_set:
        spent = budgets.spent_today()
        found.append(
            BudgetUse(
                _("all people together"), budgets.day_limit(), spent.tokens, spent.cost,
                spent.unpriced, urlencode({"since": today}),
            )
        )  # fmt: skip
    for by, limit in (
        ("person", budgets.person_limit()), ("repository", budgets.repository_limit())
    ):  # fmt: skip
        if limit.is_set:
            used = [one for one in spend_by(by, chosen) if one.key][:MOST_BUDGETS]
            found += [
                BudgetUse(
                    one.key, limit, one.tokens, one.cost, one.unpriced,
                    urlencode({by: one.key, "since": today}),
                )
                for one in used
            ]  # fmt: skip
    return found


def limits() -> list[tuple[str, Limit]]:
    """The budgets in force, in words."""
    found = [
        (_("all people together"), budgets.day_limit()),
        (_("each person"), budgets.person_limit()),
        (_("each repository"), budgets.repository_limit()),
    ]
    return [(words, limit) for words, limit in found if limit.is_set]


def own_budget(person: User) -> list[BudgetUse]:
    """What the person used of their own today; [] where no such budget is in force."""
    limit = budgets.person_limit()
    if not limit.is_set:
        return []
    spent = budgets.spent_today(person=person)
    return [BudgetUse(person.username, limit, spent.tokens, spent.cost, spent.unpriced, "")]
