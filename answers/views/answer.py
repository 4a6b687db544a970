"""An answer: its page, what keeps the page fresh, Markdown, stopping and rating it."""

import uuid

from asgiref.sync import sync_to_async
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from answers import claims, queries
from answers.exports.views import looked_at
from answers.markdown import as_markdown
from answers.models import Answer, AnswerRating
from answers.page import context_of
from answers.reading import show
from answers.stream import Watcher, stream

REASON_CHARS = 1000


@require_GET
@gzip_page
def answer_page(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    answer = _readable(request, pk)
    return render(request, "answers/answer.html", context_of(request, show(answer)))


@require_GET
async def answer_events(request: HttpRequest, pk: uuid.UUID) -> HttpResponseBase:
    """Server-sent events; 204 tells a browser that has seen the end to stay away."""
    pieces = request.GET.get("pieces", "")
    known = int(pieces) if pieces.isascii() and pieces.isdigit() and len(pieces) < 4 else 0
    watcher = Watcher(request, pk, known)
    found = await sync_to_async(watcher.find)()
    if found is None:
        raise Http404(_("There is no such answer."))
    last_key = request.headers.get("Last-Event-ID", "")
    if last_key.startswith("end-") and not found.is_running:
        return HttpResponse(status=204)
    response = StreamingHttpResponse(
        stream(watcher, last_key), content_type="text/event-stream; charset=utf-8"
    )
    response["Cache-Control"] = "no-cache, no-transform"
    response["X-Accel-Buffering"] = "no"  # nginx would hold the events back
    return response


@require_GET
def answer_markdown(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    answer = _readable(request, pk)
    looked_at(request, answer, [answer], "markdown")
    address = request.build_absolute_uri(reverse("answers:answer", args=[pk]))
    text = as_markdown(show(answer), address, request.build_absolute_uri)
    response = HttpResponse(text, content_type="text/markdown; charset=utf-8")
    response["Content-Disposition"] = f'inline; filename="answer-{str(pk)[:8]}.md"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@require_POST
def stop(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """For who has asked; a reader alone may not end what others wait for."""
    answer = _readable(request, pk)
    person = request.user
    if not isinstance(person, User) or not (
        person.is_superuser or answer.question.conversation.person_id == person.pk
    ):
        raise Http404(_("There is no such answer."))
    claims.stop(answer)
    return redirect("answers:answer", pk)


@require_POST
def rate(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    answer = _readable(request, pk)
    reason = "".join(c for c in request.POST.get("reason", "") if c.isprintable())
    good = request.POST.get("good")
    if good in {"yes", "no"} and isinstance(request.user, User):
        AnswerRating.objects.update_or_create(
            answer=answer,
            person=request.user,
            defaults={"good": good == "yes", "reason": reason[:REASON_CHARS]},
        )
    return redirect(reverse("answers:answer", args=[pk]) + "#rating")


def _readable(request: HttpRequest, pk: uuid.UUID) -> Answer:
    """404 for who may not see every repository of the question, now."""
    rows = queries.readable_by(request.user).select_related("question__conversation__person")
    return get_object_or_404(rows, pk=pk)
