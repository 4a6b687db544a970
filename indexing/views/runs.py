"""Runs: their page, the events that keep it fresh, starting, cancelling."""

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from django.views.decorators.vary import vary_on_headers

from accounts.fragments import wants_fragment
from accounts.models import User
from indexing import runs
from indexing.models import IndexRun
from indexing.places import find_repository
from indexing.run_page import details_context, find_run, progress_context
from indexing.streaming import Watcher, may_change, preview_url, stream
from repos.models import Repository

STOP_POLLING = 286  # to htmx


@require_GET
@vary_on_headers("HX-Request")
def run(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    found = _run_or_404(find_repository(request, slug), number)
    changeable = may_change(request, found.repository)
    if changeable and (address := preview_url(found)):
        return _leave(request, address)
    page = request.GET.get("page", "")[:8]
    context = progress_context(found, may_change=changeable)
    context |= details_context(found, page=int(page) if page.isdecimal() else 1)
    context["live"] = found.is_active
    if wants_fragment(request):
        status = 200 if found.is_active else STOP_POLLING
        return render(request, "indexing/run.html#live", context, status=status)
    return render(request, "indexing/run.html", context)


def _leave(request: HttpRequest, address: str) -> HttpResponse:
    if wants_fragment(request):
        return HttpResponse(headers={"HX-Redirect": address})
    return redirect(address)


def _run_or_404(repository: Repository, number: int) -> IndexRun:
    found = find_run(repository, number)
    if found is None:
        raise Http404(_("There is no such run."))
    return found


@require_GET
async def run_events(request: HttpRequest, slug: str, number: int) -> HttpResponseBase:
    """Server-sent events; 204 tells a browser that has seen the end to stay away."""
    watcher = Watcher(request, slug, number)
    found = await sync_to_async(watcher.find)()
    if found is None:
        raise Http404(_("There is no such run."))
    last_key = request.headers.get("Last-Event-ID", "")
    if last_key.startswith("end-") and not found.is_active:
        return HttpResponse(status=204)
    response = StreamingHttpResponse(
        stream(watcher, found.pk, last_key), content_type="text/event-stream; charset=utf-8"
    )
    response["Cache-Control"] = "no-cache, no-transform"
    response["X-Accel-Buffering"] = "no"  # nginx would hold the events back
    return response


@require_POST
def run_start(request: HttpRequest, slug: str) -> HttpResponse:
    repository = changeable_or_404(request, slug)
    try:
        started = runs.start_run(
            repository,
            person=signed_in(request),
            preview="preview" in request.POST,
            full="full" in request.POST,
        )
    except runs.RunRefused as error:
        messages.warning(request, str(error))
        started = repository.runs.order_by("-number")[0]
    return redirect("indexing:run", slug, started.number)


@require_POST
def run_cancel(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    found = _run_or_404(changeable_or_404(request, slug), number)
    if found.is_active:
        runs.request_cancel(found)
    else:
        messages.info(request, _("The run had already ended."))
    return redirect("indexing:run", slug, number)


def changeable_or_404(request: HttpRequest, slug: str) -> Repository:
    return get_object_or_404(Repository.objects.changeable_by(request.user), slug=slug)


def signed_in(request: HttpRequest) -> User:
    """The person of the request; the middleware has sent everybody else away."""
    if not isinstance(request.user, User):
        raise Http404
    return request.user
