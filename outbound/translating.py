"""From what litellm raises to one of our failures, with a message of our own.

Providers quote what they were sent in their messages; nothing of those is kept.
"""

import json
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext as _

from outbound import failures
from outbound.failures import ModelFailed
from outbound.providers import Target

# By the status of the answer. 400 is told apart by its words.
BY_STATUS: dict[int, type[ModelFailed]] = {
    401: failures.KeyRefused,
    402: failures.KeyRefused,
    403: failures.KeyRefused,
    404: failures.UnknownModel,
    413: failures.BatchTooLarge,
    429: failures.RateLimited,
}
LONGEST_WAIT = 3600.0
# llama-cpp-python's server answers with status 500 to a form of reply that it does not know.
REPLY_FORM = "response_format"
# litellm ends a stream that gives the same piece a hundred times.
REPEATING = "repeating the same chunk"
TOO_LONG = ("context length", "context_length", "context window", "maximum length", "too long",
            "too many tokens", "token limit", "max_tokens_per", "reduce the length",
            "input length", "sequence length")  # fmt: skip
TOO_MANY = ("batch size", "batch_size", "too many inputs", "array too long", "at most", "batch",
            "max_num", "tokens per request", "total tokens")  # fmt: skip


def failure_of(error: BaseException, target: Target) -> ModelFailed:
    repeats = any(REPEATING in str(one) for one in _chain(error))
    kind = failures.Repeating if repeats else _kind(error)
    words = {"model": target.name, "host": target.host}
    return kind(_message(kind) % words, wait=wait_of(error))


def refused(target: Target) -> ModelFailed:
    words = {"model": target.name, "host": target.host}
    return failures.RequestRefused(_message(failures.RequestRefused) % words)


def _kind(error: BaseException) -> type[ModelFailed]:
    name, chain = type(error).__name__, list(_chain(error))
    if name == "MidStreamFallbackError":
        return _cut_or_stalled(chain)
    if name in {"Timeout", "APITimeoutError", "ReadTimeout"} or _has(chain, TimeoutError):
        return failures.TimedOut
    if _has(chain, json.JSONDecodeError) or _is_broken(error):
        return failures.BrokenReply
    if name == "ContextWindowExceededError":
        return _too_much(error)
    if _is_connection(name, chain):
        return failures.Unreachable
    return _by_status(error)


def _by_status(error: BaseException) -> type[ModelFailed]:
    status = getattr(error, "status_code", None)
    if status in BY_STATUS:
        return BY_STATUS[status]
    if "LLM Provider NOT provided" in str(error):
        return failures.UnknownModel
    if isinstance(status, int) and status >= 500 and REPLY_FORM not in str(error):
        return failures.ProviderDown
    if isinstance(status, int):
        return _too_much(error)
    return failures.BrokenReply


def _too_much(error: BaseException) -> type[ModelFailed]:
    words = str(error).lower()
    if any(word in words for word in TOO_MANY):
        return failures.BatchTooLarge
    if any(word in words for word in TOO_LONG):
        return failures.ContextTooLong
    return failures.RequestRefused


def _cut_or_stalled(chain: list[BaseException]) -> type[ModelFailed]:
    names = {type(one).__name__ for one in chain}
    silent = names & {"Timeout", "APITimeoutError", "ReadTimeout"}
    return failures.StreamStalled if silent else failures.StreamCut


def _is_connection(name: str, chain: list[BaseException]) -> bool:
    # litellm calls nearly everything it does not know an APIConnectionError.
    names = {type(one).__name__ for one in chain}
    return (
        _has(chain, ConnectionError)
        or bool(names & {"ConnectError", "UnsupportedProtocol"})
        or (name == "APIConnectionError" and "connect" in str(chain[0]).lower())
    )


def _is_broken(error: BaseException) -> bool:
    words = str(error)
    return "Expecting value" in words or "Received response" in words or "no 'choices'" in words


def _has(chain: list[BaseException], kind: type[BaseException]) -> bool:
    return any(isinstance(one, kind) for one in chain)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or error.__context__


def wait_of(error: BaseException) -> float | None:
    """Seconds from Retry-After, where the provider gave it as a number."""
    headers: Any = getattr(getattr(error, "response", None), "headers", None)
    headers = headers or getattr(error, "litellm_response_headers", None) or {}
    try:
        seconds = float(headers.get("retry-after", ""))
    except ValueError:
        return None  # a date, or nothing: our own back-off is used
    return min(max(seconds, 0.0), LONGEST_WAIT) if seconds == seconds else None  # noqa: PLR0124


def _message(kind: type[ModelFailed]) -> str:
    return {
        failures.KeyRefused: _("%(host)s does not accept the key for %(model)s."),
        failures.UnknownModel: _("%(host)s knows no model %(model)s."),
        failures.ContextTooLong: _("That is more than %(model)s can read at once."),
        failures.BatchTooLarge: _("That is more than %(host)s takes in one request."),
        failures.RequestRefused: _("%(host)s refused the request to %(model)s."),
        failures.RateLimited: _("%(host)s takes no more requests for %(model)s at the moment."),
        failures.ProviderDown: _("%(host)s reports an error of its own; try again later."),
        failures.Unreachable: _("No connection to %(host)s."),
        failures.TimedOut: _("%(host)s did not answer in time."),
        failures.StreamStalled: _("%(host)s fell silent in the middle of its reply."),
        failures.StreamCut: _("The connection to %(host)s ended in the middle of its reply."),
        failures.Repeating: _("%(model)s said the same over and over."),
        failures.BrokenReply: _("%(host)s answered with something that is no reply of a model."),
    }[kind]
