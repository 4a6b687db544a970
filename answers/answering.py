"""A question -> a saved answer: gather, write, check, save.

The writer is the seam for a model: `extracting.write` needs none and runs in the request. One
that calls a model gives the same Drafts from a job, and its drafts pass the same check.
"""

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from accounts.models import User
from answers import extracting, saving
from answers.citations import Sent
from answers.drafts import Checked, Draft, check
from answers.evidence import new_labels
from answers.gathering import Gathered, gather
from answers.models import Answer, Conversation
from repos.models import Repository, RepositoryQuerySet

QUESTION_CHARS = 10_000
NEAREST_PIECES = 3  # that an abstention shows

# Postgres stores no NUL, and UTF-8 no lone surrogates.
_UNSTORABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\ud800-\udfff]")


class QuestionRefused(Exception):
    """Nothing was searched; the message says why and what to do."""


def ask(
    question: str,
    *,
    person: User | AnonymousUser,
    repositories: Iterable[Repository],
    conversation: Conversation | None = None,
) -> Answer:
    """Ask those of the repositories that `person` may see.

    Raises QuestionRefused and search.channels.QueryTooSlow.
    """
    chosen = [repository.pk for repository in repositories]
    visible = Repository.objects.visible_to(person).filter(pk__in=chosen)
    asker = person if isinstance(person, User) else None
    return ask_in(visible, question, person=asker, conversation=conversation)


def ask_in(
    repositories: RepositoryQuerySet,
    question: str,
    *,
    person: User | None = None,
    conversation: Conversation | None = None,
) -> Answer:
    """The same over the given repositories: who may see them is for the caller to know."""
    started = time.perf_counter()
    text = readable(question)
    gathered = gather(repositories.filter(published_snapshot__isnull=False), text)
    if not gathered.places:
        raise QuestionRefused(_("Nothing that you may ask about is indexed yet."))
    labels = new_labels(len(gathered.pieces))
    written = extracting.write(gathered, labels)
    checked = _checked(gathered, labels, written.drafts) if gathered.relevance.is_enough else []
    kept = len(labels) if checked else NEAREST_PIECES
    return saving.save(
        replace(gathered, pieces=written.pieces[:kept]),
        question=text,
        person=person,
        conversation=conversation,
        labels=labels[:kept],
        checked=checked,
        milliseconds=round((time.perf_counter() - started) * 1000),
    )


def readable(question: str) -> str:
    """The question as it is kept; raises QuestionRefused."""
    text = _UNSTORABLE.sub(" ", question.replace("\r\n", "\n")).strip()
    if not text:
        raise QuestionRefused(_("Type a question."))
    if len(text) > QUESTION_CHARS:
        raise QuestionRefused(
            _("The question has %(n)d characters; %(most)d are the most.")
            % {"n": len(text), "most": QUESTION_CHARS}
        )
    if not re.search(r"\w", text):
        raise QuestionRefused(
            _("There is no word in this. Ask in words; to find marks, use the search.")
        )
    return text


def _checked(gathered: Gathered, labels: Sequence[str], drafts: Iterable[Draft]) -> list[Checked]:
    sent = {
        label: Sent(piece.start_line, gathered.lines(piece))
        for piece, label in zip(gathered.pieces, labels, strict=True)
    }
    return check(drafts, sent)
