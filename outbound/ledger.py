"""What was sent and what it cost: queries for pages, exports and budgets.

Nothing here asks who may see it: the console does, and an answer's own page shows the calls of
that answer (`of_subject`) to those who may see the answer.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from django.db.models import QuerySet

from accounts.models import User
from outbound.models import ModelCall


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
    return ModelCall.objects.select_related("person", "parent").order_by("-created", "-pk")


def each_call(chosen: CallFilter) -> Iterator[ModelCall]:
    """The same for exports: read in pieces, never all at once."""
    return calls(chosen).iterator(chunk_size=500)


def of_subject(subject: str) -> QuerySet[ModelCall]:
    return ModelCall.objects.filter(subject=subject).order_by("created", "pk")


def spend_by_day(chosen: CallFilter) -> list[Spend]:
    return []


def spend_by(field: str, chosen: CallFilter) -> list[Spend]:
    """Totals by "model", "provider", "purpose", "person" or "repository", dearest first."""
    return []
