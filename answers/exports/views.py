"""An answer or a conversation to take away: the page about its PDF, the PDF, JSON, Markdown."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_GET, require_http_methods

from accounts import audit
from accounts.models import User
from accounts.trail.actions import Action
from answers import queries
from answers.exports import making
from answers.exports.jsonfile import answer_json, conversation_json
from answers.exports.models import Export
from answers.exports.reach import conversations_readable_by, newest_answers
from answers.exports.rendering import without_pango
from answers.exports.system import has_pango
from answers.exports.withheld import Subject, Withheld, refuse_secrets
from answers.markdown import as_markdown
from answers.models import Answer, Conversation
from answers.reading import show

REFRESH_SECONDS = 2


@dataclass(frozen=True)
class Taken:
    """What is taken away, and how its addresses and files are named."""

    subject: Subject
    kind: str  # "answer" or "conversation"

    @property
    def title(self) -> str:
        one = self.subject
        return one.question.text if isinstance(one, Answer) else one.title

    @property
    def page(self) -> str:
        return reverse(f"answers:{self.kind}_pdf_page", args=[self.subject.pk])

    @property
    def pdf(self) -> str:
        return reverse(f"answers:{self.kind}_pdf", args=[self.subject.pk])

    @property
    def json(self) -> str:
        return reverse(f"answers:{self.kind}_json", args=[self.subject.pk])

    @property
    def markdown(self) -> str:
        return reverse(f"answers:{self.kind}_markdown", args=[self.subject.pk])

    @property
    def is_running(self) -> bool:
        """An answer of it is still being written: what it says now is not what it will say."""
        subject = self.subject
        answers = [subject] if isinstance(subject, Answer) else newest_answers(subject)
        return any(one.is_running for one in answers)

    def file(self, suffix: str) -> str:
        return f'attachment; filename="{self.kind}-{str(self.subject.pk)[:8]}.{suffix}"'


def _answer(request: HttpRequest, pk: uuid.UUID) -> Taken:
    """404 for who may not see every repository of the question, now."""
    rows = queries.readable_by(request.user).select_related("question__conversation__person")
    return Taken(get_object_or_404(rows, pk=pk), "answer")


def _conversation(request: HttpRequest, pk: uuid.UUID) -> Taken:
    rows = conversations_readable_by(request.user).select_related("person")
    return Taken(get_object_or_404(rows, pk=pk), "conversation")


@require_http_methods(["GET", "POST"])
def answer_pdf_page(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    return _pdf_page(request, _answer(request, pk))


@require_http_methods(["GET", "POST"])
def conversation_pdf_page(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    return _pdf_page(request, _conversation(request, pk))


@require_GET
def answer_pdf(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    return _pdf(request, _answer(request, pk))


@require_GET
def conversation_pdf(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    return _pdf(request, _conversation(request, pk))


def _pdf_page(request: HttpRequest, taken: Taken) -> HttpResponse:
    """POST asks for the PDF; the page then refreshes itself until it is there."""
    running = taken.is_running
    if request.method == "POST" and running:
        return redirect(taken.page)  # which says why not
    if request.method == "POST":
        making.ask_for(taken.subject, person=cast("User", request.user))
        return redirect(taken.page)
    export = making.export_of(taken.subject)
    waiting = export is not None and export.is_waiting
    context = {
        "taken": taken,
        "export": export,
        "waiting": waiting,
        "running": running,
        "current": export is not None and export.made_of == making.made_of(taken.subject),
        "impossible": "" if has_pango() else without_pango(),
    }
    response = render(request, "exports/pdf.html", context)
    if waiting:
        response["Refresh"] = str(REFRESH_SECONDS)
    return response


def _pdf(request: HttpRequest, taken: Taken) -> HttpResponse:
    """The file, if it is there and still says what the rows say; else the page about it."""
    export = making.export_of(taken.subject)
    ready = export is not None and export.state == Export.State.DONE
    if export is None or not ready or export.made_of != making.made_of(taken.subject):
        return HttpResponseRedirect(taken.page)
    _record(request, taken, "pdf", sha256=export.sha256)
    response = HttpResponse(bytes(export.pdf or b""), content_type="application/pdf")
    response["ETag"] = f'"{export.sha256}"'
    return _as_file(response, taken, "pdf")


@require_GET
def answer_json_file(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    taken = _answer(request, pk)
    answer = cast("Answer", taken.subject)
    looked_at(request, answer, [answer], "json")
    return _json(request, taken, answer_json(answer))


@require_GET
def conversation_json_file(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    taken = _conversation(request, pk)
    subject = cast("Conversation", taken.subject)
    answers = newest_answers(subject)
    looked_at(request, subject, answers, "json")
    return _json(request, taken, conversation_json(subject, answers))


def _json(request: HttpRequest, taken: Taken, data: dict[str, Any]) -> HttpResponse:
    _record(request, taken, "json")
    layout = {"indent": 2, "ensure_ascii": False}
    return _as_file(JsonResponse(data, json_dumps_params=layout), taken, "json")


@require_GET
def conversation_markdown(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """Its answers one after the other, each as answers/markdown.py writes it."""
    taken = _conversation(request, pk)
    answers = newest_answers(cast("Conversation", taken.subject))
    looked_at(request, taken.subject, answers, "markdown")
    parts = []
    for answer in answers:
        address = request.build_absolute_uri(reverse("answers:answer", args=[answer.pk]))
        parts.append(as_markdown(show(answer), address, request.build_absolute_uri))
    _record(request, taken, "markdown")
    response = HttpResponse("\n---\n\n".join(parts), content_type="text/markdown; charset=utf-8")
    return _as_file(response, taken, "md")


def looked_at(request: HttpRequest, subject: Subject, answers: Sequence[Answer], form: str) -> None:
    """Nothing where it may go out; else the page that says why not."""
    try:
        refuse_secrets(subject, answers, form=form, person=cast("User", request.user))
    except Withheld as error:
        raise PermissionDenied(str(error)) from error


def _record(request: HttpRequest, taken: Taken, form: str, **detail: str) -> None:
    audit.record(
        Action.ANSWER_EXPORTED,
        actor=cast("User", request.user),
        request=request,
        subject=f"{taken.kind}:{taken.subject.pk}",
        detail={"format": form, **detail},
    )


def _as_file(response: HttpResponse, taken: Taken, suffix: str) -> HttpResponse:
    response["Content-Disposition"] = taken.file(suffix)
    response["X-Content-Type-Options"] = "nosniff"
    patch_cache_control(response, private=True, no_cache=True)
    return response
