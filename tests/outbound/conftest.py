"""A provider on loopback that the settings name, and requests to it."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest

from outbound import retrying
from outbound.asking import CompletionRequest, Message
from tests.outbound.modelhost import ModelHost


@pytest.fixture
def host(settings) -> Iterator[ModelHost]:
    """Answers for all models; waits between tries are shortened to nothing."""
    with ModelHost().running() as found:
        settings.MODEL_BASE_URL = settings.EMBEDDING_BASE_URL = found.url
        settings.MODEL_KEY = settings.EMBEDDING_KEY = "key-" + "of-the-test"
        settings.MODEL_TIMEOUT_SECONDS = 20
        yield found


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long it would have waited before each new try."""
    found: list[float] = []
    monkeypatch.setattr(retrying, "time", SimpleNamespace(sleep=found.append))
    return found


@pytest.fixture
def request_of(owner) -> Callable[..., CompletionRequest]:
    def make(text: str = "Where is the parser?", **changes: object) -> CompletionRequest:
        fields: dict[str, Any] = {
            "purpose": "answer",
            "model": "openai/test-chat",
            "system": "You answer in JSON.",
            "messages": (Message("user", text),),
            "max_tokens": 200,
            "person": owner,
            "subject": "answer:1",
        }
        return CompletionRequest(**{**fields, **changes})

    return make
