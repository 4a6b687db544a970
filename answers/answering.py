"""A question -> a saved answer: understand, gather, then write, check, save.

Without a model the writer of extracts runs in the request and the answer is done. With one the
evidence is saved, and a worker (jobs.py) writes the answer; its drafts pass the same check.
"""

import re
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext as _

from accounts.models import User
from answers import extracting, saving, spare
from answers.chosen import Chosen, begun_with
from answers.citations import Sent
from answers.drafts import Checked, Draft, check
from answers.evidence import new_labels
from answers.gathering import Gathered, gather
from answers.llm import is_configured
from answers.models import Answer, Conversation, Question
from answers.saving import Asked
from answers.understanding import may_rewrite, standalone
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
    narrowing: str = "",
    chosen: Sequence[Chosen] = (),
) -> Answer:
    """Ask those of the repositories that `person` may see.

    `narrowing` are filters in the words of the search, `chosen` lines that come first. With a
    model the answer is still being written when it is returned. Raises QuestionRefused and
    search.channels.QueryTooSlow.
    """
    wanted = [repository.pk for repository in repositories]
    visible = Repository.objects.visible_to(person).filter(pk__in=wanted)
    asker = person if isinstance(person, User) else None
    text = readable(question)
    begun = begun_with(text)
    chosen = [*chosen, *([begun] if begun and not chosen else [])]
    asked = Asked(
        text,
        asker,
        conversation,
        standalone=standalone(text, conversation),
        narrowing=narrowing,
        chosen=[one.as_json() for one in chosen],
    )
    return _ask(visible, asked, chosen=chosen, by_model=is_configured())


def ask_again(question: Question, *, person: User | AnonymousUser) -> Answer:
    """A new answer to the same question, at the commits that are published now. Raises as ask."""
    visible = Repository.objects.visible_to(person)
    asked = Asked(
        question.text,
        question.conversation.person,
        question.conversation,
        standalone=question.standalone,
        narrowing=question.narrowing,
        chosen=question.chosen,
        question=question,
    )
    repositories = visible.filter(pk__in=question.repositories.values("pk"))
    chosen = [Chosen(**one) for one in question.chosen]
    return _ask(repositories, asked, chosen=chosen, by_model=is_configured())


def ask_in(
    repositories: RepositoryQuerySet,
    question: str,
    *,
    person: User | None = None,
    conversation: Conversation | None = None,
    by_model: bool = False,
) -> Answer:
    """Of the given repositories: who may see them is for the caller to know. Extracts, unless a
    model is to write."""
    asked = Asked(readable(question), person, conversation)
    return _ask(repositories, asked, chosen=(), by_model=by_model)


def _ask(
    repositories: RepositoryQuerySet, asked: Asked, *, chosen: Sequence[Chosen], by_model: bool
) -> Answer:
    started = time.perf_counter()
    # Filters first: the end of a long question may be cut.
    words = " ".join([asked.narrowing, asked.standalone or asked.text]).strip()
    published = repositories.filter(published_snapshot__isnull=False)
    gathered = gather(published, words, chosen=chosen)
    if not gathered.places:
        raise QuestionRefused(_("Nothing that you may ask about is indexed yet."))
    labels = new_labels(len(gathered.pieces))
    written = extracting.write(gathered, labels)
    is_enough = gathered.relevance.is_enough or bool(chosen)
    checked = _checked(gathered, labels, written.drafts) if is_enough else []
    spent = round((time.perf_counter() - started) * 1000)
    if by_model and (checked or (gathered.pieces and may_rewrite())):
        return saving.save_waiting(
            replace(gathered, pieces=written.pieces),
            asked,
            labels=labels,
            spare=spare.kept(written.drafts) if checked else [],
            model=settings.ANSWER_MODEL,
            milliseconds=spent,
        )
    kept = len(labels) if checked else NEAREST_PIECES
    return saving.save(
        replace(gathered, pieces=written.pieces[:kept]),
        asked,
        labels=labels[:kept],
        checked=checked,
        milliseconds=spent,
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
