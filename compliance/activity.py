"""The audit trail as it is read: filtered, page by page, and described."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from uuid import UUID

from django.db.models import Max, Min, QuerySet
from django.utils.translation import gettext as _

from accounts.models import AuditEvent, User
from accounts.trail.actions import AREAS, Action
from accounts.trail.ids import first_id_at

ROWS = 100
COUNTED = 10_000  # further, the page says "more than"
EXPORTED_AT_ONCE = 2_000
LEAST_TEXT = 3  # characters: the least that the index of words can find


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the filter holds; "" and None: not asked for. Days are UTC, both included."""

    person: User | None = None
    repository: str = ""
    action: str = ""  # an action, or an area of them
    since: date | None = None
    until: date | None = None
    text: str = ""

    def __bool__(self) -> bool:
        return self != Asked()


@dataclass(frozen=True)
class Slice:
    events: list[AuditEvent]
    older: UUID | None  # the next page begins before this event


def find(asked: Asked) -> QuerySet[AuditEvent]:
    """Newest first. Every filter has an index that begins with it."""
    found = AuditEvent.objects.order_by("-id").defer("words", "mac", "key_id")
    if asked.person is not None:
        found = found.filter(person=asked.person)
    if asked.repository:
        found = found.filter(repository_slug=asked.repository)
    if asked.action:
        found = found.filter(action__in=actions_of(asked.action))
    if asked.since:
        found = found.filter(id__gte=first_id_at(_midnight(asked.since)))
    if asked.until:
        found = found.filter(id__lt=first_id_at(_midnight(asked.until + timedelta(days=1))))
    if asked.text:
        found = found.filter(words__contains=asked.text.lower())
    return found


def actions_of(name: str) -> list[str]:
    """An area stands for its actions."""
    if name in AREAS:
        return [action for action in Action.values if action.startswith(f"{name}.")]
    return [name]


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def page_of(found: QuerySet[AuditEvent], before: UUID | None) -> Slice:
    events = list((found.filter(id__lt=before) if before else found)[: ROWS + 1])
    older = events[ROWS - 1].id if len(events) > ROWS else None
    return Slice(events[:ROWS], older)


def count(asked: Asked, found: QuerySet[AuditEvent]) -> tuple[int, bool]:
    """(how many, whether there are more). All of them are counted by the ends of the chain."""
    if not asked:
        waiting = AuditEvent.objects.filter(position__isnull=True).count()
        ends = AuditEvent.objects.aggregate(first=Min("position"), last=Max("position"))
        sealed = ends["last"] - ends["first"] + 1 if ends["last"] is not None else 0
        return sealed + waiting, False
    number = found.order_by().values("id")[: COUNTED + 1].count()
    return min(number, COUNTED), number > COUNTED


def every(found: QuerySet[AuditEvent]) -> Iterator[list[AuditEvent]]:
    """All of them, some at a time. Events that are written meanwhile come after the first."""
    last: UUID | None = None
    while chunk := list((found.filter(id__lt=last) if last else found)[:EXPORTED_AT_ONCE]):
        yield chunk
        last = chunk[-1].id


def described(event: AuditEvent) -> list[str]:
    """What changed, or was asked for: `name: old -> new`, one a line."""
    return [f"{name}: {_said(value)}" for name, value in event.detail.items()]


def _said(value: Any) -> str:
    if isinstance(value, dict):
        return f"{_word(value.get('old'))} → {_word(value.get('new'))}"
    if isinstance(value, list):
        return ", ".join(_word(one) for one in value)
    return _word(value)


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return "-" if value in ("", None) else str(value)
