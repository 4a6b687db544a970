"""Conversations: the list of one's own, one with its answers, a new name, deleting."""

import uuid

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from answers import conversing
from answers.models import Conversation
from answers.reading import show

PAGE = 30
SHOWN_ANSWERS = 20


@require_GET
def conversation_list(request: HttpRequest) -> HttpResponse:
    words = request.GET.get("q", "").replace("\x00", "")[:200]
    rows = conversing.own(request.user, words)
    page = Paginator(rows, PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "words": words, "title": _("Conversations")}
    return render(request, "answers/conversations.html", context)


@require_GET
def conversation_page(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    found = get_object_or_404(conversing.readable_by(request.user), pk=pk)
    answers = conversing.answers_of(found, request.user)
    context = {
        "conversation": found,
        "is_mine": found.person_id == request.user.pk,
        "shown": [show(answer) for answer in answers[-SHOWN_ANSWERS:]],
        "earlier": max(len(answers) - SHOWN_ANSWERS, 0),
        "hidden": conversing.hidden_count(found, request.user),
        "slugs": conversing.slugs_of(found),
    }
    return render(request, "answers/conversation.html", context)


@require_POST
def rename(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    found = _own(request, pk)
    title = " ".join(request.POST.get("title", "").replace("\x00", "").split())[:200]
    if title:
        found.title = title
        found.save(update_fields=["title"])
    return redirect("answers:conversation", pk)


@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    found = _own(request, pk)
    if request.method == "POST":
        found.delete()
        return redirect("answers:conversations")
    return render(request, "answers/conversation_delete.html", {"conversation": found})


def _own(request: HttpRequest, pk: uuid.UUID) -> Conversation:
    return get_object_or_404(Conversation, pk=pk, person=request.user.pk)
