"""PDFs of answers: asked for, claimed by one worker, made, kept."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone
from django_q.tasks import async_task

from accounts.models import User
from answers.exports import claims, document, glyphs
from answers.exports.fingerprint import fingerprint
from answers.exports.jsonfile import answer_json, conversation_json
from answers.exports.models import Export
from answers.exports.paper import Document
from answers.exports.reach import newest_answers
from answers.exports.rendering import render
from answers.exports.withheld import Subject, refuse_secrets
from answers.models import Answer

JOB = "answers.exports.jobs.make_export"
State = Export.State


def made_of(subject: Subject) -> str:
    if isinstance(subject, Answer):
        return fingerprint(answer_json(subject))
    return fingerprint(conversation_json(subject, newest_answers(subject)))


def export_of(subject: Subject) -> Export | None:
    """What was asked for last; without the bytes. Whether it is still the same document is
    `made_of` to say."""
    rows = Export.objects.defer("pdf")
    if isinstance(subject, Answer):
        return rows.filter(answer=subject).first()
    return rows.filter(conversation=subject, answer=None).first()


def ask_for(subject: Subject, *, person: User) -> Export:
    """An export that is made, being made, or queued now; one that would be the same is kept."""
    wanted = made_of(subject)
    answer = subject if isinstance(subject, Answer) else None
    conversation = subject.question.conversation if isinstance(subject, Answer) else subject
    with transaction.atomic():
        export, is_new = (
            Export.objects.select_for_update()
            .defer("pdf")
            .get_or_create(
                conversation=conversation,
                answer=answer,
                defaults={"made_of": wanted, "person": person},
            )
        )
        same = export.made_of == wanted
        if not is_new and same and (export.state == State.DONE or export.is_waiting):
            return export
        Export.objects.filter(pk=export.pk).update(
            state=State.QUEUED, made_of=wanted, person=person, pdf=None, error="", gaps="",
            queued=timezone.now(), started=None, finished=None,
        )  # fmt: skip
        async_task(JOB, export.pk, task_name=f"export-{export.pk}")
    export.refresh_from_db(fields=["state", "made_of", "error"])
    return export


def claim(export_id: int) -> Export | None:
    rows = Export.objects.select_related("person", "conversation__person", "answer__question")
    return claims.claim(rows, export_id)


def carry_out(export: Export) -> None:
    """Raises RenderFailed."""
    subject = export.answer or export.conversation
    export.made_of = made_of(subject)
    answers = [subject] if isinstance(subject, Answer) else newest_answers(subject)
    refuse_secrets(subject, answers, form="pdf", person=export.person)
    laid_out = _laid_out(subject, answers)
    html = document.as_html(laid_out)
    missing = glyphs.missing(html)
    if missing:
        html = document.as_html(laid_out, gaps=glyphs.named(missing))
    made = render(html)
    export.gaps = glyphs.named(missing)
    export.keep(made.pdf, made.pages)
    claims.made(Export.objects.all(), export, made_of=export.made_of)


def _laid_out(subject: Subject, answers: Sequence[Answer]) -> Document:
    if isinstance(subject, Answer):
        return document.of_answer(subject)
    return document.of_conversation(subject, answers)
