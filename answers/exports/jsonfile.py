"""An answer or a conversation as one JSON file: all that it says, rests on, searched and sent."""

from collections.abc import Sequence
from typing import Any

from django.db.models import QuerySet

from answers.models import Answer, Conversation
from answers.reading import as_json, show
from outbound.models import ModelCall

FORMAT = 1  # raised when a field changes its meaning or goes
CALL_FIELDS = (
    "purpose", "provider", "model", "state", "error", "prompt_tokens", "completion_tokens",
    "cached_tokens", "milliseconds", "retries", "redactions",
)  # fmt: skip


def answer_json(answer: Answer) -> dict[str, Any]:
    person = answer.question.conversation.person
    return {
        "format": FORMAT,
        **as_json(show(answer)),
        "asked": answer.question.created.isoformat(),
        "asked_by": person.username if person else None,
        "answered": answer.created.isoformat(),
        "conversation": str(answer.question.conversation_id),
        "model_calls": [_call(row) for row in _calls(answer)],
    }


def conversation_json(conversation: Conversation, answers: Sequence[Answer]) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "id": str(conversation.pk),
        "title": conversation.title,
        "created": conversation.created.isoformat(),
        "answers": [answer_json(one) for one in answers],
    }


def _calls(answer: Answer) -> QuerySet[ModelCall]:
    return ModelCall.objects.filter(subject=f"answer:{answer.pk}").order_by("created", "id")


def _call(row: ModelCall) -> dict[str, Any]:
    return {
        "when": row.created.isoformat(),
        **{name: getattr(row, name) for name in CALL_FIELDS},
        "cost_usd": None if row.cost is None else str(row.cost),
    }
