"""What the answer worker does with one answer it has claimed; it may be killed at any point."""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import InterfaceError, OperationalError
from django.utils import timezone
from django.utils.translation import gettext as _

from answers import claims, widening
from answers.models import Answer
from answers.writing import Writer
from indexing.faults import place_of
from search.channels import QueryTooSlow

logger = logging.getLogger(__name__)


def write_answer(answer: Answer) -> None:
    """Carry a claimed answer to its end; whatever happens it ends in a state with words."""
    with claims.heartbeat(answer), _outcome(answer):
        if answer.statements.exists():
            _keep(answer)
        elif answer.attempt > claims.ATTEMPTS:
            _give_up(answer)
        elif _widened(answer):
            Writer(answer, _asked_at(answer)).write()


def _widened(answer: Answer) -> bool:
    """False where even the wider search found too little: nothing is claimed then."""
    try:
        widening.widen(answer)
    except QueryTooSlow:
        logger.info("answer %s: the wider search took too long", answer.pk)
    if answer.spare or answer.question.chosen:
        return True
    claims.end(answer, Answer.State.ABSTAINED, model="", milliseconds=_since(answer))
    return False


def _keep(answer: Answer) -> None:
    """The worker before this one died in the middle: its statements were checked one by one."""
    words = _(
        "The answer is not complete: the process that wrote it ended. What is here was checked."
    )
    claims.end(answer, Answer.State.DONE, warning=words, milliseconds=_since(answer))


def _give_up(answer: Answer) -> None:
    words = _("Given up after %d attempts: each time the process that wrote it ended.")
    Writer(answer, _asked_at(answer)).give_extracts(words % claims.ATTEMPTS)


def _since(answer: Answer) -> int:
    return round((timezone.now() - answer.created).total_seconds() * 1000)


def _asked_at(answer: Answer) -> float:
    """When the question came, on the clock that time.monotonic() reads here."""
    before = int(answer.timings.get("evidence", 0))
    return time.monotonic() - (_since(answer) + before) / 1000


@contextmanager
def _outcome(answer: Answer) -> Iterator[None]:
    """A dead database is no outcome: then the claim goes stale and another worker takes over."""
    try:
        yield
    except claims.ClaimLost:
        logger.info("answer %s: no longer ours", answer.pk)
    except (OperationalError, InterfaceError):
        raise
    except (KeyboardInterrupt, SystemExit):
        claims.give_back(answer)
        raise
    except BaseException as error:
        # Type and place alone: a message may quote what was asked or said.
        name = type(error).__name__
        logger.error("answer %s failed: %s at %s", answer.pk, name, place_of(error))
        words = _("Something went wrong inside Footnote (%s).") % name
        claims.end(answer, Answer.State.FAILED, error=words, milliseconds=_since(answer))
