"""The row of a call: written before anything is sent, closed whatever happens."""

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal

from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from accounts.trail.actions import Action
from outbound import budgets, pricing, scanning
from outbound.asking import SentRange, Usage
from outbound.budgets import Room
from outbound.failures import Blocked, ModelFailed, OverBudget, Stopped
from outbound.models import ModelCall, SentLines
from outbound.providers import Target
from outbound.scanning import Scan

State = ModelCall.State
ABANDONED_AFTER = timedelta(hours=2)


@dataclass(frozen=True, slots=True)
class Intent:
    """What is about to be sent: all of its text, and what it is expected to take."""

    purpose: str
    target: Target
    texts: Sequence[str]
    prompt_tokens: int
    completion_tokens: int
    person: User | None
    subject: str
    sent: Sequence[SentRange] = ()
    parent: ModelCall | None = None

    @property
    def repositories(self) -> list[int]:
        return sorted({one.repository_id for one in self.sent})


@dataclass(slots=True)
class Course:
    """How a call went so far; whoever asks keeps it up to date."""

    call: ModelCall
    room: Room
    scan: Scan
    began: float = field(default_factory=time.monotonic)
    retries: int = 0
    usage: Usage | None = None  # None: nothing was used that anybody knows of

    def told(self, retries: int) -> None:
        self.retries = retries


@contextmanager
def recorded(intent: Intent) -> Iterator[Course]:
    """Scans, asks the budgets, writes the rows; closes them at the end of the block.

    Raises Blocked or OverBudget before anything is sent. A failure carries its `call`.
    """
    course = _begin(intent)
    try:
        yield course
    except ModelFailed as failure:
        failure.call = course.call
        if isinstance(failure, Blocked):
            _tell(course.call, str(failure))
        _close(course, State.FAILED, failure.code, str(failure))
        raise
    except (GeneratorExit, Stopped):
        _close(course, State.STOPPED)
        raise
    except BaseException as error:
        # The name alone: a message may quote what was sent.
        message = _("Ended inside Footnote (%s).") % type(error).__name__
        _close(course, State.FAILED, "internal", message)
        raise
    _close(course, State.DONE)


def _begin(intent: Intent) -> Course:
    scan = scanning.scan_for(intent.repositories)
    if problem := scanning.found_in(intent.texts, scan):
        blocked = _kept_back(intent, State.BLOCKED, Blocked(_("Not sent: %s.") % problem))
        _tell(blocked.call, str(blocked))
        raise blocked
    cost = pricing.cost_of(intent.target.name, intent.prompt_tokens, intent.completion_tokens)
    try:
        with transaction.atomic():
            room = _room(intent, cost)
            call = _row(intent, state=State.RUNNING, cost=cost)
            call.save()
            SentLines.objects.bulk_create(_lines(call, intent.sent), batch_size=1_000)
    except OverBudget as failure:
        raise _kept_back(intent, State.REFUSED, failure) from None
    return Course(call, room, scan)


def _room(intent: Intent, cost: Decimal | None) -> Room:
    if not budgets.are_set():
        return Room()
    budgets.lock()
    return budgets.check(
        person=intent.person,
        repositories=intent.repositories,
        tokens=intent.prompt_tokens + intent.completion_tokens,
        cost=cost,
    )


def _kept_back(intent: Intent, state: str, failure: ModelFailed) -> ModelFailed:
    """Nothing was sent, so there are no lines and nothing to pay."""
    call = _row(intent, state=state, cost=Decimal(0))
    call.prompt_tokens = call.completion_tokens = 0
    call.failure, call.error, call.finished = failure.code, str(failure), timezone.now()
    call.save()
    failure.call = call
    return failure


def _tell(call: ModelCall | None, message: str) -> None:
    """The trail too: this is somebody's doing, and an officer's to look at."""
    if call is None:
        return
    audit.record(
        Action.MODEL_BLOCKED,
        actor=call.person,
        subject=call.subject,
        link=reverse("compliance:call", args=[call.pk]),
        detail={"purpose": call.purpose, "model": call.model, "why": message},
    )


def _row(intent: Intent, *, state: str, cost: Decimal | None) -> ModelCall:
    return ModelCall(
        person=intent.person,
        purpose=intent.purpose,
        subject=intent.subject[:300],
        parent=intent.parent,
        repositories=intent.repositories,
        provider=intent.target.provider[:60],
        model=intent.target.name[:200],
        endpoint=intent.target.host[:260],
        state=state,
        prompt_tokens=intent.prompt_tokens,
        completion_tokens=intent.completion_tokens,
        cost=cost,
        redactions=sum(scanning.count_placeholders(text) for text in intent.texts),
    )


def _lines(call: ModelCall, sent: Sequence[SentRange]) -> list[SentLines]:
    return [
        SentLines(
            repository_id=one.repository_id,
            model_call=call,
            ordinal=ordinal,
            repository=one.repository,
            commit=one.commit,
            path=one.path,
            start_line=one.start_line,
            end_line=one.end_line,
            what=one.what,
        )
        for ordinal, one in enumerate(sent)
    ]


def _close(course: Course, state: str, code: str = "", error: str = "") -> None:
    call, usage = course.call, course.usage
    call.state, call.failure, call.error = state, code, error
    call.finished = timezone.now()
    call.milliseconds = round((time.monotonic() - course.began) * 1000)
    call.retries = course.retries
    call.prompt_tokens = usage.prompt_tokens if usage else 0
    call.completion_tokens = usage.completion_tokens if usage else 0
    call.cached_tokens = usage.cached_tokens if usage else 0
    call.estimated = usage.estimated if usage else True
    call.cost = usage.cost if usage else Decimal(0)
    call.save()


def close_abandoned() -> int:
    """Calls whose process died: what they took is unknown, so what was expected stays. How many."""
    error = _("The process ended before the reply; what was listed may have been sent.")
    rows = ModelCall.objects.filter(
        state=State.RUNNING, created__lt=timezone.now() - ABANDONED_AFTER
    )
    return rows.update(
        state=State.FAILED, failure="abandoned", error=error, finished=timezone.now()
    )
