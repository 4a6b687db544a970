"""“Did this ever leave?”: a value that is asked for, and forgotten with the answer."""

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters, sensitive_variables
from django.views.decorators.http import require_http_methods

from accounts.audit import record
from accounts.roles import console_page, may_review, officer_action
from accounts.trail.actions import Action
from compliance.findings.forms import LookupForm
from compliance.findings.lookup import look_up


@sensitive_post_parameters("value")
@never_cache
@console_page
@require_http_methods(["GET", "POST"])
def lookup(request: HttpRequest) -> HttpResponseBase:
    """The form; with a value, the answer on the same page, since it may be stored nowhere."""
    return _answer(request) if request.method == "POST" else _page(request, LookupForm(), 200)


@officer_action
@sensitive_variables("form", "value")
def _answer(request: HttpRequest) -> HttpResponse:
    form = LookupForm(request.POST)
    if not form.is_valid():
        empty = LookupForm()
        return _page(request, empty, 422, problems=form.errors.get("value", []))
    answer = look_up(form.cleaned_data["value"])
    record(
        Action.VALUE_LOOKED_UP,
        actor=request.user,
        request=request,
        subject=", ".join(answer.prints),
        detail={"places": len(answer.places), "calls": len(answer.calls), "held": answer.held},
        link=reverse("compliance:lookup"),
    )
    return _page(request, LookupForm(), 200, answer=answer)


def _page(request: HttpRequest, form: LookupForm, status: int, **more: object) -> HttpResponse:
    context = {"form": form, "may_ask": may_review(request.user), **more}
    return render(request, "compliance/findings/lookup.html", context, status=status)
