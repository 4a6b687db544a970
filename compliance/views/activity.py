"""Who saw and did what: the list, one person's, and the same as a file."""

from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET

from accounts.models import AuditEvent, User
from accounts.roles import console_page
from accounts.trail.actions import AREAS
from accounts.trail.ids import first_id_at, new_id
from compliance import activity, saved
from compliance.activity import Asked
from compliance.forms import ActivityForm, offers
from compliance.models import SavedFilter
from compliance.streaming import csv_pieces, json_pieces, streamed

RECENT = timedelta(days=30)
COLUMNS = (
    "number", "time", "person", "action", "subject", "repository", "link", "client", "detail", "id",
)  # fmt: skip


@console_page
@require_GET
def activity_page(request: HttpRequest) -> HttpResponse:
    form = ActivityForm(request.GET)
    if not form.is_valid():
        return render(request, "compliance/activity.html", offers(form), status=422)
    context = offers(form) | _listed(form.asked(), form) | {"query": form.query}
    context |= saved.offered(request, SavedFilter.Page.ACTIVITY, form.query)
    return render(request, "compliance/activity.html", context)


def _listed(asked: Asked, form: ActivityForm) -> dict[str, Any]:
    found = activity.find(asked)
    number, more = activity.count(asked, found)
    page = activity.page_of(found, form.cleaned_data["before"])
    rows = [(event, activity.described(event)) for event in page.events]
    return {
        "rows": rows,
        "older": page.older,
        "number": number,
        "more": more,
        "asked": asked,
        "before": form.cleaned_data["before"],
        "printed": timezone.now(),
    }


@console_page
@require_GET
def person_page(request: HttpRequest, pk: int) -> HttpResponse:
    """What one person did, and how often within the last 30 days."""
    who = get_object_or_404(User, pk=pk)
    form = ActivityForm({"before": request.GET.get("before", "")})
    if not form.is_valid():
        form = ActivityForm({})
        form.is_valid()
    query = urlencode({"person": who.username})
    context = _listed(Asked(person=who), form) | {
        "who": who,
        "groups": list(who.groups.order_by("name").values_list("name", flat=True)),
        "areas": _areas(who),
        "query": query,
    }
    return render(request, "compliance/activity_person.html", context)


def _areas(who: User) -> list[tuple[str, str, int]]:
    """(area, words, events of the last 30 days), those with any."""
    recent = AuditEvent.objects.filter(
        person=who, id__gte=first_id_at(timezone.now() - RECENT)
    ).order_by()
    counts: dict[str, int] = {}
    for action, number in recent.values_list("action").annotate(number=Count("*")):
        area = action.split(".")[0]
        counts[area] = counts.get(area, 0) + number
    return [(area, str(words), counts[area]) for area, words in AREAS.items() if area in counts]


@console_page
@require_GET
def activity_export(request: HttpRequest, form: str) -> HttpResponseBase:
    """Exactly what the filter of the page holds, as CSV or JSON; `form` is from the address."""
    asked = ActivityForm(request.GET)
    if not asked.is_valid():
        return render(request, "compliance/activity.html", offers(asked), status=422)
    # Without what happens while it is written: this export is an event, too.
    found = activity.find(asked.asked()).filter(id__lt=new_id())
    chunks = ([_values(event) for event in events] for events in activity.every(found))
    pieces = csv_pieces(COLUMNS, chunks) if form == "csv" else json_pieces(chunks)
    types = {"csv": "text/csv", "json": "application/json"}
    name = f"footnote-activity-{timezone.now():%Y%m%d-%H%M}.{form}"
    return streamed(request, pieces, content_type=types[form], name=name)


def _values(event: AuditEvent) -> dict[str, Any]:
    """In the order of COLUMNS."""
    return {
        "number": event.position,
        "time": event.created.isoformat(timespec="microseconds"),
        "person": event.person_name,
        "action": event.action,
        "subject": event.subject,
        "repository": event.repository_slug,
        "link": event.link,
        "client": event.client,
        "detail": event.detail,
        "id": str(event.id),
    }


@require_GET
def own_page(request: HttpRequest) -> HttpResponse:
    """What is recorded of oneself, for everybody."""
    who = get_object_or_404(User, pk=request.user.pk)
    form = ActivityForm({"before": request.GET.get("before", "")})
    if not form.is_valid():
        form = ActivityForm({})
        form.is_valid()
    context = _listed(Asked(person=who), form) | {"title": _("What you did")}
    return render(request, "compliance/activity_own.html", context)
