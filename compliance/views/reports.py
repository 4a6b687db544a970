"""Reports: the list, a form for a new one, the page of one, its PDF and its CSV."""

from collections.abc import Iterator
from typing import cast

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_GET, require_POST

from accounts.models import User
from accounts.roles import console_page, may_review, officer_action
from answers.exports.rendering import without_pango
from answers.exports.system import has_pango
from compliance.reports import making
from compliance.reports.forms import ReportForm, last_days
from compliance.reports.models import Report
from compliance.streaming import csv_text, streamed

ON_A_PAGE = 50
REFRESH_SECONDS = "2"


@console_page
@require_GET
def reports(request: HttpRequest) -> HttpResponse:
    return _list(request, ReportForm(initial=last_days()))


@officer_action
@require_POST
def report_new(request: HttpRequest) -> HttpResponse:
    form = ReportForm(request.POST)
    if not form.is_valid():
        return _list(request, form, status=422)
    chosen = form.cleaned_data
    report = making.ask_for(
        since=chosen["since"],
        until=chosen["until"],
        repository=chosen["repository"],
        person=cast("User", request.user),
    )
    return redirect("compliance:report", report.pk)


def _list(request: HttpRequest, form: ReportForm, status: int = 200) -> HttpResponse:
    rows = Report.objects.defer("pdf", "figures")
    context = {
        "form": form,
        "page": Paginator(rows, ON_A_PAGE).get_page(request.GET.get("page")),
        "may_review": may_review(request.user),
        "impossible": "" if has_pango() else without_pango(),
    }
    return render(request, "compliance/reports/list.html", context, status=status)


@console_page
@require_GET
def report(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(Report.objects.defer("pdf"), pk=pk)
    context = {"report": row, "tables": row.figures, "may_review": may_review(request.user)}
    response = render(request, "compliance/reports/report.html", context)
    if row.is_waiting:
        response["Refresh"] = REFRESH_SECONDS
    return response


@officer_action
@require_POST
def report_again(request: HttpRequest, pk: int) -> HttpResponse:
    making.ask_again(get_object_or_404(Report.objects.defer("pdf"), pk=pk))
    return redirect("compliance:report", pk)


@console_page
@require_GET
def report_pdf(_request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(Report, pk=pk, state=Report.State.DONE)
    response = HttpResponse(bytes(row.pdf or b""), content_type="application/pdf")
    response["Content-Disposition"] = f'attachment; filename="report-{pk}.pdf"'
    response["X-Content-Type-Options"] = "nosniff"
    return response


@console_page
@require_GET
def report_csv(request: HttpRequest, pk: int) -> HttpResponseBase:
    """The numbers of the PDF: each table with its name, its head and its rows."""
    row = get_object_or_404(Report.objects.defer("pdf"), pk=pk)
    pieces = _csv(row)
    return streamed(request, pieces, content_type="text/csv", name=f"report-{pk}.csv")


def _csv(row: Report) -> Iterator[str]:
    for table in row.figures:
        yield csv_text([[table["title"]], table["head"], *table["rows"], []])
