"""Small builders of model calls and what they sent."""

from decimal import Decimal
from typing import Any

from accounts.models import User
from outbound.models import ModelCall, SentLines
from repos.models import Repository


def call(person: User | None = None, **fields: Any) -> ModelCall:
    plain = {
        "purpose": "answer", "provider": "openai", "model": "openai/gpt-x", "state": "done",
        "endpoint": "api.example.com", "prompt_tokens": 1200, "completion_tokens": 34,
        "estimated": False, "cost": Decimal("0.0125"), "milliseconds": 1840, "redactions": 3,
    }  # fmt: skip
    made = ModelCall.objects.create(person=person, **{**plain, **fields})
    if day := fields.get("created"):
        ModelCall.objects.filter(pk=made.pk).update(created=day)
    return made


def sent(made: ModelCall, repository: Repository, path: str, start: int, end: int) -> SentLines:
    snapshot = repository.snapshots.order_by("number").last()
    return SentLines.objects.create(
        repository_id=repository.pk, model_call=made, ordinal=made.sent.count(),
        repository=repository.slug, commit=snapshot.commit if snapshot else "c" * 40, path=path,
        start_line=start, end_line=end, what="evidence",
    )  # fmt: skip


def listed(page: Any) -> list[int]:
    return [row.call.pk for row in page.context["rows"]]
