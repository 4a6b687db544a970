"""What models cost: of all for the console, one's own for everybody."""

from datetime import date
from typing import cast

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.models import User
from accounts.roles import console_page
from compliance.calls import spend
from compliance.calls.daily import Span
from compliance.calls.forms import BY, OF, SpendForm
from compliance.streaming import csv_pieces, streamed


@console_page
@require_GET
def spend_page(request: HttpRequest) -> HttpResponse:
    form = SpendForm(request.GET)
    if not form.is_valid():
        return render(request, "compliance/calls/spend.html", {"form": form}, status=422)
    by, of = form.cleaned_data["by"], form.cleaned_data["of"]
    context = {
        "form": SpendForm(form.shown()),
        "query": form.query,
        "table": spend.spend(*_days(form), by=by, of=of),
        "by": BY[by],
        "of": OF[of],
        "since": form.cleaned_data["since"],
        "until": form.cleaned_data["until"],
        "budgets": spend.budgets_in_use(),
        "limits": spend.limits(),
    }
    return render(request, "compliance/calls/spend.html", context)


@console_page
@require_GET
def spend_export(request: HttpRequest) -> HttpResponseBase:
    form = SpendForm(request.GET)
    if not form.is_valid():
        return render(request, "compliance/calls/spend.html", {"form": form}, status=422)
    by = form.cleaned_data["by"]
    since, until = _days(form)
    pieces = csv_pieces(spend.COLUMNS, [spend.as_rows(Span(since, until, by))])
    name = f"footnote-spend-by-{by}-{since}-{until}.csv"
    return streamed(request, pieces, content_type="text/csv", name=name)


@require_GET
def spend_own(request: HttpRequest) -> HttpResponse:
    """One's own use of models within the last days, and of today's budget."""
    person = cast("User", request.user)
    form = SpendForm({})
    form.is_valid()
    context = {
        "table": spend.spend(*_days(form), by="model", of="tokens", person=person),
        "since": form.cleaned_data["since"],
        "until": form.cleaned_data["until"],
        "by": BY["model"],
        "of": OF["tokens"],
        "budgets": spend.own_budget(person),
    }
    return render(request, "compliance/calls/spend_own.html", context)


def _days(form: SpendForm) -> tuple[date, date]:
    return form.cleaned_data["since"], form.cleaned_data["until"]
