"""The last look at what is taken away: all of it goes through the scan of what models are sent."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import audit
from accounts.models import User
from accounts.trail.actions import Action
from answers.exports.rendering import RenderFailed
from answers.models import Answer, Citation, Conversation, Evidence, Statement
from indexing.outgoing import scan_for
from outbound.scanning import Scan
from repos.models import Repository

Subject = Answer | Conversation


class Withheld(RenderFailed):
    """It seems to hold a secret; the message says of which kind, and the trail has been told."""


def refuse_secrets(
    subject: Subject, answers: Sequence[Answer], *, form: str, person: User | None
) -> None:
    """`answers` are those in the file, `form` is "pdf", "json" or "markdown". Raises Withheld.

    Evidence was scrubbed before it was stored; rules and reviews may have changed since.
    """
    asked = Repository.objects.filter(question__answers__in=answers).distinct()
    scan = scan_for(list(asked.values_list("pk", flat=True)))
    kinds = _kinds(_prose(subject, answers), scan)
    message = _("Not made: the question or the answer seems to hold a secret (%(kinds)s).")
    if not kinds:
        kinds = _kinds(_evidence(answers), scan)
        message = _("Not made: the lines it quotes seem to hold a secret (%(kinds)s).")
    if kinds:
        _record(subject, form, kinds, person)
        raise Withheld(message % {"kinds": ", ".join(kinds)})


def _kinds(texts: Sequence[str], scan: Scan) -> list[str]:
    return sorted({hit.kind for hit in scan("\n".join(texts))})


def _prose(subject: Subject, answers: Sequence[Answer]) -> list[str]:
    """What a person or a model wrote."""
    texts = [subject.title] if isinstance(subject, Conversation) else []
    for answer in answers:
        texts += [answer.question.text, answer.question.standalone, answer.error, answer.warning]
    rows = Statement.objects.filter(answer__in=answers).order_by("answer", "ordinal")
    return texts + list(rows.values_list("text", flat=True))


def _evidence(answers: Sequence[Answer]) -> list[str]:
    pieces = Evidence.objects.filter(answer__in=answers).order_by("answer", "ordinal")
    quotes = Citation.objects.filter(statement__answer__in=answers).order_by("pk")
    return [*pieces.values_list("text", flat=True), *quotes.values_list("quote", flat=True)]


def _record(subject: Subject, form: str, kinds: list[str], person: User | None) -> None:
    kind = "answer" if isinstance(subject, Answer) else "conversation"
    audit.record(
        Action.EXPORT_BLOCKED,
        actor=person,
        subject=f"{kind}:{subject.pk}",
        link=reverse(f"answers:{kind}", args=[subject.pk]),
        detail={"format": form, "kinds": kinds},
    )
