"""The question form, recent answers."""

import uuid

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST
from django.views.decorators.vary import vary_on_headers

from accounts.fragments import wants_fragment
from accounts.models import User
from answers import queries
from answers.answering import QUESTION_CHARS, QuestionRefused, ask, ask_again
from answers.examples import examples
from answers.forms import NARROWING_CHARS, AskForm
from answers.llm import is_configured
from repos.models import Repository
from search.channels import QueryTooSlow
from search.wording import too_slow


@require_http_methods(["GET", "POST"])
@vary_on_headers("Sec-Fetch-Site")
def ask_page(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        form = AskForm(initial=_initial(request), user=request.user)
        return _form_page(request, form, ask_now=_was_asked_here(request))
    form = AskForm(request.POST, user=request.user)
    if not form.is_valid():
        return _form_page(request, form, status=422)
    try:
        answer = ask(
            form.cleaned_data["question"],
            person=request.user,
            repositories=form.chosen(),
            conversation=form.conversation(),
            narrowing=form.filters(),
            chosen=form.chosen_lines(),
        )
    except (QuestionRefused, QueryTooSlow) as error:
        return _refused(request, form, error)
    return redirect("answers:answer", answer.pk)


@require_POST
def again(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """A new answer to a question of one's own; who only reads it asks in a conversation anew."""
    own = queries.readable_by(request.user).filter(
        question__conversation__person__isnull=False, question__conversation__person=request.user.pk
    )
    question = get_object_or_404(own.select_related("question__conversation"), pk=pk).question
    try:
        answer = ask_again(question, person=request.user)
    except (QuestionRefused, QueryTooSlow) as error:
        form = AskForm(
            {
                "question": question.text,
                "repositories": list(question.repositories.values_list("slug", flat=True)),
                "narrowing": question.narrowing,
            },
            user=request.user,
        )
        return _refused(request, form, error)
    return redirect("answers:answer", answer.pk)


def _refused(request: HttpRequest, form: AskForm, error: Exception) -> HttpResponse:
    """The form as it was sent, with why nothing was searched."""
    words = str(error) if isinstance(error, QuestionRefused) else too_slow()
    form.add_error("question", words)
    return _form_page(request, form, status=422)


def _initial(request: HttpRequest) -> dict[str, object]:
    """`q` is the question; `r` and `repository`, repeated, are slugs."""
    slugs = [*request.GET.getlist("r"), *request.GET.getlist("repository")]
    storable = [slug for slug in slugs if "\x00" not in slug]
    visible = Repository.objects.visible_to(request.user).filter(slug__in=storable)
    chosen = list(visible.values_list("slug", flat=True))
    return {
        "question": request.GET.get("q", "")[:QUESTION_CHARS],
        "repositories": chosen,
        "narrowing": request.GET.get("narrow", "")[:NARROWING_CHARS],
        "slug": next((slug for slug in storable if slug in chosen), ""),
        "path": request.GET.get("path", ""),
        "lines": request.GET.get("lines", ""),
    }


def _was_asked_here(request: HttpRequest) -> bool:
    """The box sends its text here: the page then asks at once, but never for another site.

    `edit` is in links that fill the form for a person to go on typing.
    """
    asked = bool(request.GET.get("q", "").strip()) and "edit" not in request.GET
    return asked and request.headers.get("Sec-Fetch-Site") == "same-origin"


def _to_try(form: AskForm, person: User | AnonymousUser) -> QuerySet[Repository]:
    """What examples are made of: those that are chosen, else the newest."""
    visible = Repository.objects.visible_to(person).order_by("-created")
    chosen = form["repositories"].value()
    return visible.filter(slug__in=chosen) if chosen else visible


def _form_page(
    request: HttpRequest, form: AskForm, *, ask_now: bool = False, status: int = 200
) -> HttpResponse:
    is_empty = not form.is_bound and not form["question"].value()
    context = {
        "form": form,
        "ask_now": ask_now,
        "box_text": form["question"].value() or "",
        "narrowed": form.narrowed(),
        "by_model": is_configured(),
        "examples": examples(_to_try(form, request.user)) if is_empty else [],
    }
    return render(request, "answers/ask.html", context, status=status)


@require_GET
@vary_on_headers("HX-Request")
def recent(request: HttpRequest) -> HttpResponse:
    context = {"answers": queries.recent_answers(request.user), "title": _("Recent answers")}
    name = "answers/recent_list.html" if wants_fragment(request) else "answers/recent.html"
    return render(request, name, context)
