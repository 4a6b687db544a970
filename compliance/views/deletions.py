"""Repositories that were removed, with the proof as it stands now; sources that are gone."""

import json
import uuid

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST
from django_q.tasks import async_task

from accounts.roles import console_page, may_review, officer_action
from repos import deletion_proof
from repos.models import DeletionRecord, Repository

ON_A_PAGE = 50
CHECK_JOB = "repos.source_check.check_all"


@console_page
@require_GET
def deletions(request: HttpRequest) -> HttpResponse:
    gone = Repository.objects.filter(source_state=Repository.SourceState.GONE).order_by("slug")
    away = Repository.objects.filter(source_state=Repository.SourceState.AWAY).order_by("slug")
    may_delete = Repository.objects.changeable_by(request.user)
    context = {
        "page": Paginator(DeletionRecord.objects.all(), ON_A_PAGE).get_page(
            request.GET.get("page")
        ),
        "gone": gone,
        "away": away,
        "may_delete": set(may_delete.filter(pk__in=gone).values_list("pk", flat=True)),
        "checked": Repository.objects.exclude(source_checked=None)
        .order_by("-source_checked")
        .values_list("source_checked", flat=True)
        .first(),
        "may_review": may_review(request.user),
    }
    return render(request, "compliance/deletions.html", context)


@console_page
@require_GET
def deletion(request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    record = get_object_or_404(DeletionRecord, pk=pk)
    context = {
        "record": record,
        "proof": deletion_proof.verify(record),
        "statement": deletion_proof.statement(record),
        "total": sum(record.rows.values()),
    }
    return render(request, "compliance/deletion.html", context)


@console_page
@require_GET
def deletion_json(_request: HttpRequest, pk: uuid.UUID) -> HttpResponse:
    """What is signed, as it is signed, beside its signature: checked with any Ed25519 library."""
    record = get_object_or_404(DeletionRecord, pk=pk)
    data = {
        "signed": deletion_proof.canonical(record).decode(),
        "algorithm": "Ed25519",
        "public_key": record.public_key,
        "signature": record.signature,
    }
    text = json.dumps(data, indent=2, ensure_ascii=False)
    response = HttpResponse(text, content_type="application/json")
    response["Content-Disposition"] = f'attachment; filename="deletion-{str(pk)[:8]}.json"'
    return response


@officer_action
@require_POST
def check_sources(request: HttpRequest) -> HttpResponse:
    async_task(CHECK_JOB, task_name="check-sources")
    messages.success(request, _("The sources are being asked. Nothing is deleted by it."))
    return redirect("compliance:deletions")
