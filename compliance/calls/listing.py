"""Model calls as the console lists, counts and exports them."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from accounts.models import User
from outbound.ledger import older_than, slugs_of
from outbound.models import ModelCall, SentLines

ROWS = 50
COUNTED = 2_000  # further, the page says "more than"
SHOWN_VALUES = 12
FACETS = ("state", "purpose", "model", "person")
COUNTED_COLUMNS = (
    "pk", "state", "purpose", "model", "person_id", "prompt_tokens", "completion_tokens", "cost",
)  # fmt: skip

SENT_AT = """
/* commits_of_calls */
SELECT model_call_id, repository_id, commit, count(*)
FROM outbound_sentlines WHERE model_call_id = ANY(%(calls)s)
GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
"""


@dataclass(frozen=True, slots=True)
class SentAt:
    """Lines of one repository at one commit; no commit where nothing was sent."""

    slug: str
    commit: str
    ranges: int


@dataclass(frozen=True, slots=True)
class Row:
    call: ModelCall
    sent: list[SentAt]


@dataclass(frozen=True, slots=True)
class Slice:
    rows: list[Row]
    older: str  # the next page begins behind this call; "" is the end


@dataclass(frozen=True, slots=True)
class Newest:
    """COUNTED_COLUMNS of the newest `COUNTED` calls; `more`: there are older ones."""

    rows: list[tuple[Any, ...]]
    more: bool


@dataclass(frozen=True, slots=True)
class Counts:
    """Of all that match, or of the newest `COUNTED` where there are more. `cost` in USD is of
    the calls whose price is known."""

    number: int
    more: bool
    tokens: int = 0
    cost: Decimal = Decimal(0)
    unpriced: int = 0
    facets: dict[str, list[tuple[str, int]]] = field(default_factory=dict)


def newest(found: QuerySet[ModelCall]) -> Newest:
    """One look for counts and pages: a limit that is beyond what a rare filter finds keeps the
    database from walking through all calls in search of a page of them."""
    rows = list(found.select_related(None).values_list(*COUNTED_COLUMNS)[: COUNTED + 1])
    return Newest(rows[:COUNTED], len(rows) > COUNTED)


def page_of(found: QuerySet[ModelCall], counted: Newest, before: int | None) -> Slice:
    calls = _calls_behind(found, counted, before)
    older = str(calls[ROWS - 1].pk) if len(calls) > ROWS else ""
    return Slice(with_sent(calls[:ROWS]), older)


def _calls_behind(
    found: QuerySet[ModelCall], counted: Newest, before: int | None
) -> list[ModelCall]:
    """One more than a page."""
    numbers = [row[0] for row in counted.rows]
    start = numbers.index(before) + 1 if before in numbers else 0
    wanted = numbers[start : start + ROWS + 1]
    if (before is None or start) and (len(wanted) > ROWS or not counted.more):
        rows = ModelCall.objects.select_related("person").filter(pk__in=wanted)
        return sorted(rows, key=lambda call: wanted.index(call.pk))
    last = ModelCall.objects.filter(pk=before or 0).first()
    return list((older_than(last, found) if last else found)[: ROWS + 1])


def with_sent(calls: Sequence[ModelCall]) -> list[Row]:
    """The calls with what they sent of which commit; a blocked one with what it would have."""
    at: dict[int, list[tuple[int, str, int]]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute(SENT_AT, {"calls": [call.pk for call in calls]})
        for number, repository, commit, ranges in cursor.fetchall():
            at[number].append((repository, commit, ranges))
    slugs = slugs_of(number for call in calls for number in call.repositories)
    return [
        Row(
            call,
            [
                SentAt(slugs.get(repository, f"#{repository}"), commit, ranges)
                for repository, commit, ranges in at[call.pk]
                or [(number, "", 0) for number in call.repositories]
            ],
        )
        for call in calls
    ]


def counts(found: Newest) -> Counts:
    costs = [cost for *_, cost in found.rows if cost is not None]
    return Counts(
        number=len(found.rows),
        more=found.more,
        tokens=sum(sent + received for *_, sent, received, _cost in found.rows),
        cost=sum(costs, Decimal(0)),
        unpriced=len(found.rows) - len(costs),
        facets={name: _facet(found.rows, place) for place, name in enumerate(FACETS, 1)},
    )


def _facet(rows: Sequence[Sequence[Any]], place: int) -> list[tuple[str, int]]:
    """Values, most first; people by name, those that are gone not at all."""
    found = Counter(row[place] for row in rows)
    if FACETS[place - 1] == "person":
        names = dict(User.objects.filter(pk__in=found).values_list("pk", "username"))
        found = Counter({names[pk]: number for pk, number in found.items() if pk in names})
    return sorted(found.items(), key=lambda one: (-one[1], one[0]))[:SHOWN_VALUES]


COLUMNS = (
    "number", "created", "finished", "person", "purpose", "subject", "parent", "provider", "model",
    "endpoint", "state", "failure", "error", "prompt_tokens", "completion_tokens", "cached_tokens",
    "estimated", "cost_usd", "milliseconds", "retries", "redactions", "sent",
)  # fmt: skip
PLAIN = (
    "purpose", "subject", "provider", "model", "endpoint", "state", "failure", "error",
    "prompt_tokens", "completion_tokens", "cached_tokens", "estimated", "milliseconds", "retries",
    "redactions",
)  # fmt: skip


def values(calls: Sequence[ModelCall]) -> list[dict[str, Any]]:
    """The calls with every range of lines they sent, for files; the keys are COLUMNS."""
    lines: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for one in _lines_of(calls):
        lines[one.model_call_id].append({
            "repository": one.repository, "commit": one.commit, "path": one.path,
            "start": one.start_line, "end": one.end_line, "what": one.what,
        })  # fmt: skip
    return [_values(call, lines[call.pk]) for call in calls]


def _lines_of(calls: Sequence[ModelCall]) -> Iterable[SentLines]:
    return SentLines.objects.filter(model_call__in=[call.pk for call in calls]).order_by(
        "model_call_id", "ordinal"
    )


def _values(call: ModelCall, sent: list[dict[str, Any]]) -> dict[str, Any]:
    return {
        **{name: getattr(call, name) for name in PLAIN},
        "number": call.pk,
        "created": call.created.isoformat(),
        "finished": call.finished.isoformat() if call.finished else None,
        "person": call.person.username if call.person else "",
        "parent": call.parent_id,
        "cost_usd": None if call.cost is None else f"{call.cost:f}",
        "sent": sent,
    }
