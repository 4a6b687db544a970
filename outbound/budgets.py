"""What may be spent in a day (UTC): by everybody, by one person, on one repository."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TypeVar

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, F, Q, QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts.models import User
from outbound.failures import OverBudget
from outbound.models import ModelCall

# Two calls at once must not both take what is left for one.
Amount = TypeVar("Amount", int, Decimal)
LOCK = "/* budget_lock */ SELECT pg_advisory_xact_lock(hashtext('footnote budgets'))"


@dataclass(frozen=True, slots=True)
class Limit:
    """0 stands for no limit."""

    tokens: int
    cost: Decimal  # USD

    @property
    def is_set(self) -> bool:
        return bool(self.tokens or self.cost)


@dataclass(frozen=True, slots=True)
class Spent:
    """Calls that still run count with what they are expected to take."""

    tokens: int
    cost: Decimal  # of the calls whose price is known
    unpriced: int = 0  # calls whose price is unknown


@dataclass(frozen=True, slots=True)
class Room:
    """What is left for one call before some budget is used up; None: no such limit."""

    tokens: int | None = None
    cost: Decimal | None = None

    def holds(self, tokens: int, cost: Decimal | None) -> bool:
        return (self.tokens is None or tokens <= self.tokens) and (
            self.cost is None or cost is None or cost <= self.cost
        )


def day_limit() -> Limit:
    return Limit(settings.BUDGET_DAY_TOKENS, settings.BUDGET_DAY_USD)


def person_limit() -> Limit:
    return Limit(settings.BUDGET_PERSON_TOKENS, settings.BUDGET_PERSON_USD)


def repository_limit() -> Limit:
    return Limit(settings.BUDGET_REPOSITORY_TOKENS, settings.BUDGET_REPOSITORY_USD)


def are_set() -> bool:
    return any(limit.is_set for limit in (day_limit(), person_limit(), repository_limit()))


def lock() -> None:
    """Until the end of the transaction nobody else checks a budget."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(LOCK)


def spent_today(*, person: User | None = None, repository: int | None = None) -> Spent:
    """Of everybody, or of one person, or of calls with lines of one repository."""
    rows = _today()
    if person is not None:
        rows = rows.filter(person=person)
    if repository is not None:
        rows = rows.filter(repositories__contains=[repository])
    found = rows.aggregate(
        tokens=Sum(F("prompt_tokens") + F("completion_tokens")),
        paid=Sum("cost"),
        unpriced=Count("pk", filter=Q(cost__isnull=True)),
    )
    return Spent(found["tokens"] or 0, found["paid"] or Decimal(0), found["unpriced"])


def _today() -> QuerySet[ModelCall]:
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    return ModelCall.objects.filter(created__gte=midnight).exclude(state__in=ModelCall.KEPT_BACK)


def check(
    *, person: User | None, repositories: Sequence[int], tokens: int, cost: Decimal | None
) -> Room:
    """What the call may take at most; raises OverBudget where it does not fit at all.

    A model without a known price counts by its tokens alone.
    """
    room = Room()
    for limit, spent, whose in _scopes(person, repositories):
        left_tokens = limit.tokens - spent.tokens if limit.tokens else None
        left_cost = limit.cost - spent.cost if limit.cost else None
        if left_tokens is not None and tokens > left_tokens:
            raise OverBudget(_tokens_message(whose, limit, spent, tokens))
        if left_cost is not None and cost is not None and cost > left_cost:
            raise OverBudget(_cost_message(whose, limit, spent, cost))
        room = Room(_least(room.tokens, left_tokens), _least(room.cost, left_cost))
    return room


def _scopes(person: User | None, repositories: Sequence[int]) -> Iterator[tuple[Limit, Spent, str]]:
    if person_limit().is_set and person is not None:
        yield person_limit(), spent_today(person=person), _("your budget")
    if repository_limit().is_set:
        for one in sorted(set(repositories)):
            spent = spent_today(repository=one)
            yield repository_limit(), spent, _("the budget of this repository")
    if day_limit().is_set:
        yield day_limit(), spent_today(), _("the budget of all people together")


def _least(one: Amount | None, other: Amount | None) -> Amount | None:
    return min((value for value in (one, other) if value is not None), default=None)


def _tokens_message(whose: str, limit: Limit, spent: Spent, tokens: int) -> str:
    message = _(
        "Not sent: it takes about %(needed)d tokens, and of %(whose)s of %(limit)d tokens for "
        "today (UTC) %(spent)d are used."
    )
    words = {"needed": tokens, "whose": whose, "limit": limit.tokens, "spent": spent.tokens}
    return message % words


def _cost_message(whose: str, limit: Limit, spent: Spent, cost: Decimal) -> str:
    message = _(
        "Not sent: it costs about $%(needed)s, and of %(whose)s of $%(limit)s for today (UTC) "
        "$%(spent)s are used."
    )
    words = {"needed": _money(cost), "whose": whose, "limit": _money(limit.cost)}
    return message % {**words, "spent": _money(spent.cost)}


def _money(amount: Decimal) -> str:
    """Cents where that says something, else what is needed to be more than nothing."""
    return f"{amount:.2f}" if amount >= Decimal("0.01") or not amount else f"{amount:.6f}"
