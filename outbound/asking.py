"""What a model is asked and what it gives: the values that go in and out of this app."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from accounts.models import User
from outbound.models import ModelCall, SentLines

Purpose = ModelCall.Purpose


@dataclass(frozen=True, slots=True)
class SentRange:
    """Lines that are part of what is sent; `commit` is the one they were read at."""

    repository_id: int
    repository: str  # slug
    commit: str
    path: str
    start_line: int
    end_line: int
    what: str = SentLines.What.EVIDENCE


@dataclass(frozen=True, slots=True)
class Message:
    role: str  # "user" or "assistant"; the system prompt has a field of its own
    content: str


@dataclass(frozen=True, slots=True)
class CompletionRequest:
    """A chat completion. `timeout` is in seconds and counts silence: from sending to the first
    piece, and between two pieces of a stream.

    With `json_schema` (a JSON Schema of type object) the provider is asked for JSON where it has
    such a mode; the reply may still be anything. `fallback` is asked where `model` fails before it
    has said anything. `prefix_is_stable`: system prompt and all messages but the last are the
    same in many calls, so a provider that caches prompts is told to.
    """

    purpose: str
    model: str
    system: str
    messages: Sequence[Message]
    max_tokens: int
    person: User | None
    subject: str
    sent: Sequence[SentRange] = ()
    json_schema: Mapping[str, Any] | None = None
    temperature: float | None = 0.0
    timeout: float | None = None  # None: FOOTNOTE_MODEL_TIMEOUT_SECONDS
    parent: ModelCall | None = None
    fallback: str = ""
    prefix_is_stable: bool = False


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens; `estimated` where the provider did not say. `cost` in USD, None where unknown."""

    prompt_tokens: int
    completion_tokens: int
    cached_tokens: int = 0
    estimated: bool = False
    cost: Decimal | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """The whole reply. `stopped_by` is "stop", "length" (cut at max_tokens, by the provider or by
    us) or "filter" (the provider withheld the rest)."""

    text: str
    call: ModelCall
    usage: Usage
    stopped_by: str = "stop"

    @property
    def model(self) -> str:
        return self.call.model


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a streamed reply; the last one has no text and the whole `completion`. Each says
    which `call` it is of, since the fallback may be the one that speaks."""

    text: str
    call: ModelCall
    completion: Completion | None = None


@dataclass(frozen=True, slots=True)
class EmbeddedBatch:
    """Vectors of length 1 by the position of their text; `refused` has the others, with why.

    `cut`: positions of texts that were too long and of which only the beginning was embedded.
    """

    vectors: Mapping[int, Sequence[float]]
    refused: Mapping[int, str] = field(default_factory=dict)
    cut: frozenset[int] = frozenset()
