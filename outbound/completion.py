"""Asks a chat model, whole or as a stream."""

from collections.abc import Generator
from contextlib import closing
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from outbound import failures, pricing, scanning, sealing, tokens
from outbound.asking import Completion, CompletionRequest, Piece, Usage
from outbound.failures import ModelFailed
from outbound.providers import Target, chat_target
from outbound.pumping import Silent, pumped
from outbound.recording import Course, Intent, recorded
from outbound.retrying import PATIENCE, retried
from outbound.translating import failure_of, refused

# A reply that goes on after max_tokens is cut here: our count may be higher than the provider's.
OVERRUN = 1.5
STOPPED_BY = {"length": "length", "max_tokens": "length", "content_filter": "filter"}
# Where the end of the stable prefix must be marked for the provider to cache it.
MARKS_PREFIX = frozenset({"anthropic"})
# Which form of asking for JSON a server took last, by model and address: what it refuses once it
# refuses always, and each refusal costs a request.
_taken: dict[tuple[str, str], int] = {}
# The fallback cannot help where the fault is ours, or where nothing may be spent or sent.
NO_FALLBACK = (failures.OverBudget, failures.Blocked)


def complete(request: CompletionRequest) -> Completion:
    """The whole reply. Raises failures.ModelFailed; the call is recorded either way."""
    try:
        return _complete(request)
    except ModelFailed as failure:
        return _complete(_fallback(request, failure))


def stream(request: CompletionRequest) -> Generator[Piece]:
    """The reply as it comes, cut at the ends of words; the last piece has the `completion`.

    Raises failures.ModelFailed, also in the middle. Closing the iterator stops the call.
    """
    begun = False
    try:
        with closing(_stream(request)) as pieces:
            for piece in pieces:
                begun = True
                yield piece
    except ModelFailed as failure:
        if begun:
            raise
        other = _fallback(request, failure)
    else:
        return
    with closing(_stream(other)) as pieces:
        yield from pieces


def _fallback(request: CompletionRequest, failure: ModelFailed) -> CompletionRequest:
    """The same for the other model; raises the failure where there is none, or where it would
    not help."""
    if not request.fallback or isinstance(failure, NO_FALLBACK):
        raise failure
    parent = request.parent or failure.call
    return replace(request, model=request.fallback, fallback="", parent=parent)


def _complete(request: CompletionRequest) -> Completion:
    target = chat_target(request.model)
    with recorded(_intent(request, target)) as course:
        reply = retried(
            lambda: _lenient(request, target, streamed=False), patience=PATIENCE, told=course.told
        )
        text, stopped_by = _content(reply, target)
        prompt = course.call.prompt_tokens
        course.usage = _usage(target.name, getattr(reply, "usage", None), prompt, text)
        if problem := scanning.found_in([text], course.scan):
            raise failures.Blocked(_("The reply is not used: %s.") % problem)
    return Completion(text, course.call, course.usage, stopped_by)


def _content(reply: Any, target: Target) -> tuple[str, str]:
    """Text and why it ended; a reply may say anything, or nothing."""
    choices = getattr(reply, "choices", None)
    if not choices:
        raise failures.BrokenReply(_("%s sent a reply without text.") % target.host)
    text = getattr(choices[0].message, "content", None)
    finish = str(choices[0].finish_reason or "stop")
    return (text if isinstance(text, str) else ""), STOPPED_BY.get(finish, "stop")


def _stream(request: CompletionRequest) -> Generator[Piece]:
    target = chat_target(request.model)
    with recorded(_intent(request, target)) as course:
        reading = _Reading(request, target, course)
        with closing(_chunks(request, target, course)) as chunks:
            for chunk in chunks:
                if ready := reading.take(chunk):
                    yield Piece(ready, course.call)
                if reading.is_over:
                    break
        if ready := reading.rest():
            yield Piece(ready, course.call)
        completion = reading.completion()
    yield Piece("", course.call, completion)


class _Reading:
    """Of one stream: what has come, what it took, and whether there may be more."""

    def __init__(self, request: CompletionRequest, target: Target, course: Course) -> None:
        self._model, self._course = target.name, course
        self._most = round(request.max_tokens * OVERRUN) + 16
        self._prompt = course.call.prompt_tokens
        self._guard = scanning.ReplyGuard(course.scan)
        self._parts: list[str] = []
        self._reported: Any = None
        self._count = 0
        self._stopped_by = "stop"
        self.is_over = False
        self._settle()

    def take(self, chunk: Any) -> str:
        """The text that may be passed on now."""
        self._reported = getattr(chunk, "usage", None) or self._reported
        choices = getattr(chunk, "choices", None)
        if not choices:
            return ""
        finish = choices[0].finish_reason
        self._stopped_by = STOPPED_BY.get(str(finish), self._stopped_by)
        text = getattr(choices[0].delta, "content", None)
        return self._text(text) if isinstance(text, str) and text else ""

    def _text(self, text: str) -> str:
        self._parts.append(text)
        self._count += tokens.count(self._model, text)
        self._settle()
        self._check_room()
        if self._count > self._most:
            self._stopped_by, self.is_over = "length", True
        return _passed(self._guard.feed(text))

    def rest(self) -> str:
        return _passed(self._guard.rest())

    def _settle(self) -> None:
        """What a stream that ends now has taken."""
        cost = pricing.cost_of(self._model, self._prompt, self._count)
        self._course.usage = Usage(self._prompt, self._count, estimated=True, cost=cost)

    def _check_room(self) -> None:
        used = self._course.usage
        if used and not self._course.room.holds(self._prompt + self._count, used.cost):
            raise failures.OverBudget(_("The reply was cut: the budget for today is used up."))

    def completion(self) -> Completion:
        text = "".join(self._parts)
        usage = _usage(self._model, self._reported, self._prompt, text)
        self._course.usage = usage
        return Completion(text, self._course.call, usage, self._stopped_by)


def _passed(found: str | scanning.Hit) -> str:
    if isinstance(found, str):
        return found
    message = _("The reply is not used: it holds what looks like a secret (%s).")
    raise failures.Blocked(message % found.kind)


def _chunks(request: CompletionRequest, target: Target, course: Course) -> Generator[Any]:
    """The chunks of a stream; asked again only as long as none has come."""
    lib = sealing.load()
    errors = sealing.errors_of(lib)
    seconds = _timeout(request)

    def begin() -> tuple[Generator[Any], list[Any]]:
        # Opening is in the thread too, since a provider may take the connection and say nothing.
        chunks = pumped(lambda: _lenient(request, target, streamed=True), seconds=seconds)
        try:
            return chunks, [next(chunks)]
        except StopIteration:
            return chunks, []
        except Silent:
            raise failures.TimedOut(_("%s did not answer in time.") % target.host) from None
        except errors as error:
            raise failure_of(error, target) from None

    chunks, first = retried(begin, patience=PATIENCE, told=course.told)
    yield from first
    try:
        yield from chunks
    except Silent:
        message = _("%s fell silent in the middle of its reply.")
        raise failures.StreamStalled(message % target.host) from None
    except errors as error:
        raise _broken_off(failure_of(error, target), target) from None


def _broken_off(failure: ModelFailed, target: Target) -> ModelFailed:
    """In the middle of a stream every fault of the line is one of two."""
    if isinstance(failure, failures.Repeating):
        return failure
    if isinstance(failure, failures.TimedOut | failures.StreamStalled):
        message = _("%s fell silent in the middle of its reply.")
        return failures.StreamStalled(message % target.host)
    message = _("The connection to %s ended in the middle of its reply.")
    return failures.StreamCut(message % target.host)


def _lenient(request: CompletionRequest, target: Target, *, streamed: bool) -> Any:
    """Asks for JSON where it is wanted, in the first form of asking that the server takes."""
    place = target.name, target.base_url
    forms = _forms(request)
    known = _taken.get(place, 0) if len(forms) > 1 else 0
    for number, form in enumerate(forms[known:], known):
        try:
            reply = _ask(request, target, form, streamed=streamed)
        except failures.RequestRefused:
            if form is None:
                raise
        else:
            if len(forms) > 1:
                _taken[place] = number
            return reply
    raise AssertionError("the last form is None")


def _forms(request: CompletionRequest) -> list[dict[str, Any] | None]:
    """A schema; JSON as such, to which llama.cpp and servers like it take a schema too; words."""
    if request.json_schema is None:
        return [None]
    schema = dict(request.json_schema)
    named = {"name": "reply", "schema": schema, "strict": True}
    return [
        {"type": "json_schema", "json_schema": named},
        {"type": "json_object", "schema": schema},
        None,
    ]


def _ask(
    request: CompletionRequest, target: Target, form: dict[str, Any] | None, *, streamed: bool
) -> Any:
    lib = sealing.load()
    options: dict[str, Any] = {"response_format": form} if form else {}
    if streamed:
        options |= {"stream": True, "stream_options": {"include_usage": True}}
    try:
        reply = lib.completion(**_parameters(request, target), **options)
    except sealing.errors_of(lib) as error:
        raise failure_of(error, target) from None
    if reply is None:  # litellm asks a server that says 422 once more, then gives nothing at all
        raise refused(target)
    return reply


def _parameters(request: CompletionRequest, target: Target) -> dict[str, Any]:
    found: dict[str, Any] = {
        "model": target.name,
        "messages": _messages(request, target),
        "api_key": target.key,
        "max_tokens": request.max_tokens,
        "timeout": _timeout(request),
        "max_retries": 0,
        "num_retries": 0,
    }
    if target.base_url:
        found["api_base"] = target.base_url
    if request.temperature is not None:
        found["temperature"] = request.temperature
    return found


def _messages(request: CompletionRequest, target: Target) -> list[dict[str, Any]]:
    marked = request.prefix_is_stable and target.provider in MARKS_PREFIX
    rows = [("system", request.system)] if request.system else []
    rows += [(one.role, one.content) for one in request.messages]
    messages: list[dict[str, Any]] = [{"role": role, "content": text} for role, text in rows]
    if marked and len(messages) > 1:
        last = messages[-2]
        mark = {"type": "text", "text": last["content"], "cache_control": {"type": "ephemeral"}}
        last["content"] = [mark]
    return messages


def _timeout(request: CompletionRequest) -> float:
    return float(request.timeout or settings.MODEL_TIMEOUT_SECONDS)


def _intent(request: CompletionRequest, target: Target) -> Intent:
    texts = [request.system, *(one.content for one in request.messages)]
    prompt = sum(tokens.count(target.name, text) + tokens.MESSAGE_TOKENS for text in texts if text)
    return Intent(
        purpose=request.purpose,
        target=target,
        texts=texts,
        prompt_tokens=prompt,
        completion_tokens=request.max_tokens,
        person=request.person,
        subject=request.subject,
        sent=request.sent,
        parent=request.parent,
    )


def _usage(model: str, reported: Any, prompt: int, text: str) -> Usage:
    """As the provider counts; ours where it does not say."""
    said = getattr(reported, "prompt_tokens", None), getattr(reported, "completion_tokens", None)
    known = all(isinstance(number, int) and number >= 0 for number in said) and any(said)
    prompt_tokens, completion = said if known else (prompt, tokens.count(model, text))
    details = getattr(reported, "prompt_tokens_details", None)
    cached = _number(getattr(details, "cached_tokens", None))
    cost = pricing.cost_of(model, int(prompt_tokens or 0), int(completion or 0), cached)
    return Usage(int(prompt_tokens or 0), int(completion or 0), cached, not known, cost)


def _number(value: Any) -> int:
    return value if isinstance(value, int) and value > 0 else 0
