"""Names of models that nobody knows are told at the start, not at the first question."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register

from outbound import pricing

NAMES = {
    "ANSWER_MODEL": "",
    "ANSWER_FALLBACK_MODEL": "",
    "REWRITE_MODEL": "",
    "RERANK_MODEL": "",
    "JUDGE_MODEL": "",
    "EMBEDDING_MODEL": " Or write local, or none.",
}


@register
def model_names(app_configs: Sequence[Any] | None, **_: Any) -> list[CheckMessage]:
    """A name with a slash says its provider; one without must be in litellm's table."""
    found: list[CheckMessage] = []
    for name, else_ in NAMES.items():
        value = getattr(settings, name)
        if value in {"", "local", "none"} or "/" in value or pricing.is_known(value):
            continue
        hint = f'Write provider and model, as in "openai/{value}" or "ollama/{value}".{else_}'
        message = f"FOOTNOTE_{name} is {value!r}, which names no model that is known."
        found.append(Error(message, hint=hint, id="outbound.E001"))
    return found
