"""The list of findings, one of them, how their number goes, and the list as a file."""

from dataclasses import fields
from typing import Any, cast

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET

from accounts.models import User
from accounts.roles import console_page, may_review
from compliance import saved
from compliance.findings import detail, exporting, listing, trend
from compliance.findings.filters import Filter, read
from compliance.findings.labels import label
from compliance.findings.masking import with_lines
from compliance.models import SavedFilter
from compliance.streaming import streamed
from repos.models import Repository

FACETS = ("state", "repository", "kind", "confidence", "action")
SHOWN_VALUES, MOST_VALUES = 12, 100


@console_page
@require_GET
def findings(request: HttpRequest) -> HttpResponse:
    chosen = read(request.GET)
    after = request.GET.get("after", "")
    counted = listing.counts(chosen)
    behind = int(after) if _is_number(after) else 0
    found = listing.page(chosen, counted, behind)
    page = found[: listing.PAGE_ROWS]
    context = {
        "chosen": chosen,
        "rows": with_lines([row for row in page if chosen.state in {"", row.state}]),
        "next": page[-1].number if len(found) > len(page) else None,
        "after": after if _is_number(after) else "",
        "counted": counted,
        "facets": [
            (name, values[:SHOWN_VALUES], values[SHOWN_VALUES:])
            for name in FACETS
            for values in [_facet(chosen, name, counted.found[name])]
        ],
        "chips": [
            (name, label(name, getattr(chosen, name)), chosen.without(name).query)
            for name in _names(chosen)
        ],
        "may_review": may_review(request.user),
    } | saved.offered(request, SavedFilter.Page.FINDINGS, chosen.query)
    return render(request, "compliance/findings/list.html", context)


def _names(chosen: Filter) -> list[str]:
    return [one.name for one in fields(Filter) if getattr(chosen, one.name)]


def _facet(chosen: Filter, name: str, counted: list[tuple[str, int]]) -> list[dict[str, Any]]:
    return [
        {
            "label": label(name, value),
            "count": number,
            "query": chosen.having(name, value).query,
            "current": getattr(chosen, name) == value,
        }
        for value, number in counted[:MOST_VALUES]
    ]


def _is_number(text: str) -> bool:
    return text.isdecimal() and len(text) < 19


@console_page
@require_GET
def finding(request: HttpRequest, number: int) -> HttpResponse:
    row = detail.finding(number)
    if row is None:
        raise Http404
    lines, allow = detail.context_of(row)
    mine = Repository.objects.visible_to(cast("User", request.user)).filter(pk=row.repository_id)
    prints = detail.prints_of(row.fingerprint)
    places = detail.places(prints)
    context = {
        "row": row,
        "lines": lines,
        "allow": allow,
        "may_open": mine.exists(),
        "places": places,
        "most": detail.MOST_PLACES,
        "here": next((one for one in places if one.number == row.number), None),
        "reviews": detail.history(row, prints),
        "may_review": may_review(request.user),
    }
    return render(request, "compliance/findings/finding.html", context)


@console_page
@require_GET
def findings_trend(request: HttpRequest) -> HttpResponse:
    by = request.GET.get("by", "kind")
    by = by if by in trend.BY else "kind"
    slugs = list(
        Repository.objects.filter(published_snapshot__isnull=False)
        .order_by("slug")
        .values_list("slug", flat=True)
    )
    slug = request.GET.get("repository", "").replace("\x00", "") or (slugs[0] if slugs else "")
    context: dict[str, Any] = {"by": by, "bys": list(trend.BY), "slugs": slugs, "slug": slug}
    if slug:
        repository = get_object_or_404(Repository, slug=slug)
        context["trend"] = trend.trend(repository, by)
    return render(request, "compliance/findings/trend.html", context)


@console_page
@require_GET
def findings_export(request: HttpRequest, form: str) -> HttpResponseBase:
    chosen = read(request.GET)
    if form == "csv":
        pieces, kind = exporting.as_csv(chosen), "text/csv"
    else:
        pieces, kind = exporting.as_json(chosen), "application/json"
    return streamed(request, pieces, content_type=kind, name=f"findings.{form}")
