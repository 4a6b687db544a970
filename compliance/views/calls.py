"""What left the building: calls of models, one call, the lines it sent, and the same as a file."""

import uuid
from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_GET

from accounts.models import User
from accounts.roles import console_page, may_enter_console
from answers import queries
from compliance import saved
from compliance.calls import detail, listing
from compliance.calls.forms import CallsForm, offered
from compliance.models import SavedFilter
from compliance.streaming import csv_pieces, json_pieces, streamed
from outbound import ledger
from outbound.models import ModelCall


@console_page
@require_GET
def calls_page(request: HttpRequest) -> HttpResponse:
    form = CallsForm(request.GET)
    if not form.is_valid():
        return render(request, "compliance/calls/list.html", offered(form), status=422)
    found = ledger.calls(form.chosen())
    newest = listing.newest(found)
    counted = listing.counts(newest)
    page = listing.page_of(found, newest, form.cleaned_data["before"])
    context = offered(form) | {
        "rows": page.rows,
        "older": page.older,
        "before": form.cleaned_data["before"],
        "counted": counted,
        "facets": [(name, _facet(form, name, values)) for name, values in counted.facets.items()],
        "query": form.query,
        "answer": detail.readable_answer(form.cleaned_data["subject"], request.user),
        "printed": timezone.now(),
    }
    context |= saved.offered(request, SavedFilter.Page.CALLS, form.query)
    return render(request, "compliance/calls/list.html", context)


def _facet(form: CallsForm, name: str, values: list[tuple[str, int]]) -> list[dict[str, Any]]:
    """Each value with the address of exactly those calls; the one that is set leads back."""
    current = form.data.get(name, "")
    words = dict(getattr(form.fields[name], "choices", ()))
    return [
        {
            "label": words.get(value, value),
            "count": number,
            "current": value == current,
            "query": form.query_with(**{name: "" if value == current else value}),
        }
        for value, number in values
    ]


@console_page
@require_GET
def calls_export(request: HttpRequest, form: str) -> HttpResponseBase:
    """Exactly what the filter of the page holds, with every range of lines that was sent."""
    asked = CallsForm(request.GET)
    if not asked.is_valid():
        return render(request, "compliance/calls/list.html", offered(asked), status=422)
    now = timezone.now()
    found = ledger.calls(asked.chosen()).filter(created__lte=now)
    chunks = (listing.values(some) for some in ledger.each_call(found))
    pieces = csv_pieces(listing.COLUMNS, chunks) if form == "csv" else json_pieces(chunks)
    types = {"csv": "text/csv", "json": "application/json"}
    name = f"footnote-model-calls-{now:%Y%m%d-%H%M}.{form}"
    return streamed(request, pieces, content_type=types[form], name=name)


@console_page
@require_GET
def call_page(request: HttpRequest, pk: int) -> HttpResponse:
    call = get_object_or_404(ModelCall.objects.select_related("person", "parent"), pk=pk)
    first = request.GET.get("from", "")
    first_ordinal = int(first) if first.isascii() and first.isdecimal() and len(first) < 10 else 0
    found = detail.sent_ranges(call, first_ordinal, detail.RANGES + 1)
    [row] = listing.with_sent([call])
    context = detail.position(found) | {
        "call": call,
        "row": row,
        "kept_back": call.state in ModelCall.KEPT_BACK,
        "first": first_ordinal,
        "may_open": detail.may_open(request.user, found),
        "deletions": detail.deletions_of(found),
        "family": listing.with_sent(list(detail.family(call))),
        "about": detail.answer_of(call, request.user),
        "others": ledger.of_subject(call.subject).count() - 1 if call.subject else 0,
    }
    return render(request, "compliance/calls/call.html", context)


@console_page
@require_GET
def call_lines(request: HttpRequest, pk: int, ordinal: int) -> HttpResponse:
    """The lines of one range, scrubbed as they are stored, if they are still kept."""
    call = get_object_or_404(ModelCall, pk=pk)
    one = detail.sent_range(call, ordinal)
    if one is None:
        raise Http404
    context = {
        "call": call,
        "range": one,
        "lines": detail.lines_of(one),
        "most": detail.MOST_LINES,
        "may_open": bool(detail.may_open(request.user, [one])),
        "deletion": detail.deletions_of([one]).get(one.repository_id),
    }
    return render(request, "compliance/calls/lines.html", context)


@require_GET
def answer_calls(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """From an answer to its calls: in the console, or on a page of their own for who asked."""
    user = request.user
    if may_enter_console(user):
        address = reverse("compliance:calls")
        return redirect(f"{address}?subject={detail.ANSWER}{pk}")
    rows = queries.readable_by(user).select_related("question")
    person = cast("User", user)
    answer = get_object_or_404(rows, pk=pk, question__conversation__person=person)
    calls = list(detail.calls_of(answer))
    context = {
        "answer": answer,
        "calls": [
            (row, detail.sent_ranges(row.call), detail.came_back(row.call))
            for row in listing.with_sent(calls)
        ],
    }
    return render(request, "compliance/calls/own.html", context)
