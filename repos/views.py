"""The list of repositories, their settings, and their end."""

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods

from accounts.models import User
from repos.forms import DeleteForm, SettingsForm
from repos.listing import SWITCHER_ROWS, listed
from repos.models import DeletionRecord, Repository
from repos.removal import RemovalRefused, remove


@require_GET
def repository_list(request: HttpRequest) -> HttpResponse:
    words = request.GET.get("filter", "")[:200].replace("\x00", "")
    context = {"rows": listed(request.user, words=words), "words": words}
    return render(request, "repos/list.html", context)


@require_GET
def switcher(request: HttpRequest) -> HttpResponse:
    rows = Repository.objects.visible_to(request.user).only("slug", "name").order_by("name")
    return render(request, "repos/switcher.html", {"rows": rows[:SWITCHER_ROWS]})


@require_http_methods(["GET", "POST"])
def settings(request: HttpRequest, slug: str) -> HttpResponse:
    repository = _changeable(request, slug)
    form = SettingsForm(request.POST or None, instance=repository)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("repos:settings", slug)
    status = 422 if request.method == "POST" else 200
    shown = _changeable(request, slug)  # a refused form has already changed the other one
    context = {"repository": shown, "form": form}
    return render(request, "repos/settings.html", context, status=status)


@require_http_methods(["GET", "POST"])
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    repository = _changeable(request, slug)
    form = DeleteForm(request.POST or None, name=repository.name)
    if request.method == "POST" and form.is_valid():
        try:
            record = remove(repository, person=cast("User", request.user), reason=form.reason())
        except RemovalRefused as error:
            form.add_error(None, str(error))
        else:
            messages.success(request, _told(record))
            return redirect("repos:list")
    status = 422 if request.method == "POST" else 200
    snapshot = repository.snapshots.filter(number=repository.published_snapshot or 0).first()
    context = {"repository": repository, "form": form, "snapshot": snapshot}
    return render(request, "repos/delete.html", context, status=status)


def _told(record: DeletionRecord) -> str:
    message = _("%(name)s is deleted; the record of it is %(record)s.")
    if not record.finished:
        message = _("%(name)s is deleted, but its files are still on the disk (%(record)s).")
    return message % {"name": record.name, "record": record.pk}


def _changeable(request: HttpRequest, slug: str) -> Repository:
    visible = Repository.objects.visible_to(request.user)
    return get_object_or_404(visible & Repository.objects.changeable_by(request.user), slug=slug)
