"""Why a model gave nothing: one class a cause, each with a message for people.

The message names host and model, never a key, and nothing of what was sent or received.
"""

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from outbound.models import ModelCall


class Stopped(Exception):
    """Base of what a caller raises to stop a call: no failure of the model."""


class ModelFailed(Exception):
    """Base of all. `code` is kept on the call; `retried` says whether asking again may help."""

    code: ClassVar[str] = "failed"
    retried: ClassVar[bool] = False

    def __init__(self, message: str, *, wait: float | None = None) -> None:
        super().__init__(message)
        self.wait = wait  # seconds the provider asked us to wait (Retry-After)
        self.call: ModelCall | None = None  # the row that records it


class NotConfigured(ModelFailed):
    """No such model is set up, or its key is missing."""

    code = "not_configured"


class KeyRefused(ModelFailed):
    """The provider does not take our key (401, 403)."""

    code = "key_refused"


class UnknownModel(ModelFailed):
    """The provider has no such model (404), or nobody knows which provider is meant."""

    code = "unknown_model"


class ContextTooLong(ModelFailed):
    """More than the model can read at once."""

    code = "too_long"


class BatchTooLarge(ModelFailed):
    """More texts, or more tokens together, than the provider takes in one request."""

    code = "batch_too_large"


class RequestRefused(ModelFailed):
    """The provider refused what was asked for another reason (400, 422, content rules)."""

    code = "request_refused"


class RateLimited(ModelFailed):
    """Too many requests (429), still so after waiting."""

    code = "rate_limited"
    retried = True


class ProviderDown(ModelFailed):
    """The provider answers with an error of its own (5xx)."""

    code = "provider_down"
    retried = True


class Unreachable(ModelFailed):
    """No connection: refused, no such host, TLS."""

    code = "unreachable"
    retried = True


class TimedOut(ModelFailed):
    """Nothing came within the time limit."""

    code = "timed_out"
    retried = True


class StreamStalled(ModelFailed):
    """A stream fell silent; what came before has been handed out."""

    code = "stalled"


class StreamCut(ModelFailed):
    """A stream ended without its end mark; what came before has been handed out."""

    code = "cut"


class Repeating(ModelFailed):
    """The model said the same over and over; what came before has been handed out."""

    code = "repeating"


class BrokenReply(ModelFailed):
    """Not what the protocol asks for: no JSON, missing fields, wrong number of vectors."""

    code = "broken_reply"


class OverBudget(ModelFailed):
    """Nothing was sent: it would exceed a budget. During a stream: the rest was not read."""

    code = "over_budget"


class Blocked(ModelFailed):
    """What was to be sent, or what came back, holds what looks like a secret."""

    code = "blocked"
