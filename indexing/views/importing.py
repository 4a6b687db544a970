"""Importing a repository, and the preview before anything is indexed."""

from typing import Any

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django.views.decorators.vary import vary_on_headers

from accounts.fragments import wants_fragment
from indexing import runs
from indexing.estimate import estimate
from indexing.folder_choice import choose_folder
from indexing.forms import ExcludesForm, ImportForm
from indexing.models import IndexRun
from indexing.places import find_repository
from indexing.preview import SAMPLE, Preview, Row, summarise, walked_rows, with_excludes
from indexing.streaming import may_change
from indexing.views.runs import changeable_or_404, signed_in
from repos.forms import EVERYONE
from repos.importing import ImportRefused, already_imported, create_repository, understand
from repos.models import File

PATHS_A_PAGE = 500
MAX_TYPED = 2000


@require_http_methods(["GET", "POST"])
@vary_on_headers("HX-Request")
def import_repository(request: HttpRequest) -> HttpResponse:
    person = signed_in(request)
    if request.method == "POST":
        form = ImportForm(request.POST, request.FILES, user=person)
        run = _import(form) if form.is_valid() else None
        if run is not None:
            return redirect("indexing:run", run.repository.slug, run.number)
        return render(request, "indexing/import.html", _import_context(request, form), status=422)
    typed = request.GET.get("source", "")[:MAX_TYPED].replace("\x00", "")
    if wants_fragment(request):
        return _import_fragment(request, typed)
    form = ImportForm(initial={"source": typed}, user=person)
    return render(request, "indexing/import.html", _import_context(request, form, typed=typed))


def _import(form: ImportForm) -> IndexRun | None:
    """None where it was refused after all; the form says why."""
    data = form.cleaned_data
    if form.understood is None:
        return None
    try:
        with transaction.atomic():
            repository = create_repository(
                form.understood,
                owner=form.user,
                name=data["name"],
                ref=data["ref"],
                token=data["token"],
                everyone=data["audience"] == EVERYONE,
                groups=data.get("groups") or (),
                archive=data["upload"] or None,
            )
            return runs.start_run(repository, person=form.user, preview=True)
    except ImportRefused as error:
        form.add_error("source", str(error))
        return None


def _import_context(request: HttpRequest, form: ImportForm, *, typed: str = "") -> dict[str, Any]:
    context: dict[str, Any] = {"form": form, "typed": form["source"].value() or ""}
    context["choice"] = choose_folder(request.GET.get("folder", "").replace("\x00", ""))
    context["choosing"] = "folder" in request.GET
    if form.imported is not None:
        context |= {"imported": form.imported, "offer": True}
        context["may_reindex"] = may_change(request, form.imported)
    elif typed:
        context |= _understanding(request, typed)
    return context


def _import_fragment(request: HttpRequest, typed: str) -> HttpResponse:
    if "folder" in request.GET:
        choice = choose_folder(request.GET["folder"].replace("\x00", ""))
        context = {"choice": choice, "choosing": True}
        return render(request, "indexing/import.html#folders", context)
    return render(request, "indexing/import.html#understood", _understanding(request, typed))


def _understanding(request: HttpRequest, typed: str) -> dict[str, Any]:
    if not typed.strip():
        return {}
    try:
        found = understand(typed, from_shell=False)
    except ImportRefused as error:
        return {"refused": str(error)}
    imported = already_imported(found, signed_in(request))
    reindex = imported is not None and may_change(request, imported)
    return {"found": found, "imported": imported, "may_reindex": reindex}


@require_http_methods(["GET", "POST"])
@vary_on_headers("HX-Request")
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    repository = find_repository(request, slug)
    run = repository.runs.select_related("repository").order_by("-number").first()
    if run is None:
        return redirect("indexing:home", slug)
    if run.state != IndexRun.State.PREVIEW:
        return redirect("indexing:run", slug, run.number)
    if request.method == "POST":
        changeable_or_404(request, slug)
        return _preview_post(request, run)
    if request.GET.get("class") in File.Classification:
        return render(request, "indexing/preview_class.html", _class_context(request, run))
    form = ExcludesForm(initial={"excludes": repository.excludes})
    context = _preview_context(run, form, walked_rows(run))
    context["may_change"] = may_change(request, repository)
    return render(request, "indexing/preview.html", context)


def _preview_post(request: HttpRequest, run: IndexRun) -> HttpResponse:
    form = ExcludesForm(request.POST)
    if form.is_valid() and "index" in request.POST:
        if not runs.confirm(run, form.cleaned_data["excludes"]):
            messages.warning(request, _("The run no longer waits for a confirmation."))
        return redirect("indexing:run", run.repository.slug, run.number)
    rows = walked_rows(run)
    if form.is_valid() and form.cleaned_data["excludes"] != run.repository.excludes:
        rows = with_excludes(rows, form.cleaned_data["excludes"])
    context = _preview_context(run, form, rows) | {"may_change": True}
    if wants_fragment(request):
        # htmx swaps nothing for an error status, and this is one that the person reads.
        context["counted_live"] = True
        return render(request, "indexing/preview.html#counts", context)
    status = 200 if form.is_valid() else 422
    return render(request, "indexing/preview.html", context, status=status)


def _preview_context(run: IndexRun, form: ExcludesForm, rows: list[Row]) -> dict[str, Any]:
    found: Preview = summarise(rows, run.snapshot)
    return {
        "run": run,
        "repository": run.repository,
        "form": form,
        "preview": found,
        "estimate": estimate(found.new_bytes + found.unread_bytes),
        "sample": SAMPLE,
    }


def _class_context(request: HttpRequest, run: IndexRun) -> dict[str, Any]:
    name = request.GET["class"]
    files = File.objects.in_snapshot(run.repository_id, run.snapshot)
    rows = files.filter(classification=name).order_by("path")
    rows = rows.only("path", "reason", "size")
    return {
        "run": run,
        "repository": run.repository,
        "label": File.Classification(name).label,
        "class": name,
        "page": Paginator(rows, PATHS_A_PAGE).get_page(request.GET.get("page")),
    }
