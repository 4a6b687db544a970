"""The search page, and its results alone for htmx."""

from dataclasses import replace
from typing import Any

from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_GET
from django.views.decorators.vary import vary_on_headers
from django_htmx.middleware import HtmxDetails

from repos.models import Repository
from search import wording
from search.channels import QueryTooSlow
from search.engine import SearchResult, search
from search.exact import CursorRefused, cursor_of, look
from search.exact_query import ExactQuery, parse_exact
from search.forms import SearchForm
from search.query import Field, Filter, SearchQuery, parse_query
from search.regex import PatternRefused

PAGE_FILES = 20


class HtmxRequest(HttpRequest):
    htmx: HtmxDetails


@require_GET
@vary_on_headers("HX-Request")
def search_page(request: HtmxRequest) -> HttpResponse:
    form = SearchForm(request.GET)
    query = _query(request)
    if not form.is_valid():
        return _page(request, query, status=422, errors=_messages(form))
    page, at = form.cleaned_data["page"] or 1, form.cleaned_data["at"]
    if asked := parse_exact(query.text):
        return _exact_page(request, asked, form.cleaned_data["after"], at)
    try:
        result = search(
            query, user=request.user, limit=PAGE_FILES, offset=(page - 1) * PAGE_FILES, at=at
        )
    except QueryTooSlow:
        return _page(request, query, status=400, errors=[wording.too_slow()])
    return _page(request, query, **_shown(result, page, at))


def _exact_page(request: HtmxRequest, asked: ExactQuery, after: str, at: str) -> HttpResponse:
    """The first slice of the lines found; with `after`, for htmx, the next one alone."""
    try:
        cursor = cursor_of(after) if after else None
        found = look(asked, user=request.user, after=cursor, at=at)
    except PatternRefused as error:
        return _page(request, asked.query, status=422, errors=[str(error)])
    except CursorRefused:
        return _page(request, asked.query, status=422, errors=[wording.cursor_refused()])
    shown: dict[str, Any] = {
        "exact": found,
        "at": at,
        "counted": wording.counted(found),
        "notes": wording.exact_notes(found),
    }
    if request.htmx and cursor:
        context = {"query": asked.query, "is_next": True, **shown}
        return render(request, "search/exact.html#slice", context)
    return _page(request, asked.query, **shown)


def _query(request: HtmxRequest) -> SearchQuery:
    """The box of a repository page sends its slug beside the text; it becomes a filter."""
    query = parse_query(request.GET.get("q", ""))
    slug = request.GET.get("repository", "").replace("\x00", "")
    if not slug or query.values(Field.REPOSITORY):
        return query
    visible = Repository.objects.visible_to(request.user)
    chosen = Filter(Field.REPOSITORY, get_object_or_404(visible, slug=slug).slug)
    return replace(query, text=f"{chosen} {query.text}".strip(), filters=(chosen, *query.filters))


def _messages(form: SearchForm) -> list[str]:
    return [str(message) for messages in form.errors.values() for message in messages]


def _shown(result: SearchResult, page: int, at: str) -> dict[str, Any]:
    return {
        "result": result,
        "page": _pages(result, page),
        "at": at,
        "notes": wording.notes(result),
        "searched": wording.searched(result),
    }


def _pages(result: SearchResult, page: int) -> Page[int]:
    return Paginator(range(result.total), PAGE_FILES).get_page(page)


def _page(
    request: HtmxRequest, query: SearchQuery, *, status: int = 200, **shown: Any
) -> HttpResponse:
    template = "search/search.html" + ("#results" if request.htmx else "")
    context = {
        "query": query,
        "box_text": query.text,
        "chips": wording.chips(query),
        **shown,
    }
    return render(request, template, context, status=status)
