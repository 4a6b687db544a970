"""The scrubbing policy: built-in kinds, house patterns with their test box, and what each
repository does with personal data."""

from typing import Any, cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.audit import VALUE_CHARS, record
from accounts.models import User
from accounts.roles import console_page, may_review, officer_action
from accounts.trail.actions import Action
from compliance.findings import listing, trying
from compliance.findings.filters import Filter
from compliance.findings.forms import PatternForm, PolicyForm
from compliance.findings.policy import (
    delete_pattern,
    save_pattern,
    save_settings,
    switch_pattern,
)
from indexing.policy_models import ScrubPattern
from indexing.scrub import RULES_VERSION
from indexing.scrub_policy import fingerprint_keys, settings_of
from indexing.scrubbing.kinds import BUILT_IN
from indexing.scrubbing.policy import key_id
from repos.models import Repository


@console_page
@require_GET
def patterns(request: HttpRequest) -> HttpResponse:
    counted = listing.counts(Filter())
    by_kind = dict(counted.found["kind"])
    context = {
        "counted": counted,
        "patterns": [
            (row, by_kind.get(row.kind, 0))
            for row in ScrubPattern.objects.select_related("repository", "person")
        ],
        "kinds": [(kind, by_kind.get(kind, 0)) for kind in sorted(BUILT_IN)],
        "version": RULES_VERSION,
        "keys": [key_id(key) for key in fingerprint_keys()],
        "repositories": [
            (one, settings_of(one)) for one in Repository.objects.order_by("slug")[:500]
        ],
        "may_review": may_review(request.user),
    }
    return render(request, "compliance/findings/patterns.html", context)


@sensitive_post_parameters("sample")
@never_cache
@officer_action
@require_http_methods(["GET", "POST"])
def pattern(request: HttpRequest, pk: int | None = None) -> HttpResponse:
    """A new pattern or a stored one; `try` shows what it matches in a pasted text."""
    row = get_object_or_404(ScrubPattern, pk=pk) if pk else ScrubPattern()
    before = _told(row) if pk else {}
    form = PatternForm(request.POST or None, instance=row)
    context: dict[str, Any] = {"form": form, "pk": pk}
    status = 200
    if request.method == "POST" and "try" in request.POST:
        sample = request.POST.get("sample", "")[: trying.SAMPLE_CHARS]
        context |= {"sample": sample, "tried": trying.try_pattern(form, sample)}
    elif request.method == "POST" and form.is_valid():
        return _saved(request, form, before)
    elif request.method == "POST":
        status = 422
    return render(request, "compliance/findings/pattern.html", context, status=status)


def _saved(request: HttpRequest, form: PatternForm, before: dict[str, Any]) -> HttpResponse:
    """`before`: what was stored; empty where it is new."""
    row = form.save(commit=False)
    if not before:
        row.person = cast("User", request.user)
    save_pattern(row)
    action = Action.POLICY_CHANGED if before else Action.POLICY_CREATED
    _record(request, action, row, before)
    files = _("The next run of each repository it is for reads every file again.")
    messages.success(request, f"{_('Saved.')} {files}")
    return redirect("compliance:patterns")


@officer_action
@require_POST
def pattern_switch(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(ScrubPattern, pk=pk)
    switch_pattern(row, enabled=not row.enabled)
    _record(request, Action.POLICY_CHANGED, row, _told(row) | {"enabled": not row.enabled})
    if row.enabled:
        messages.success(request, _("On. The next run of each repository reads every file again."))
    else:
        messages.success(request, _("Off. The next run reads the files with its findings again."))
    return redirect("compliance:patterns")


@officer_action
@require_POST
def pattern_delete(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(ScrubPattern, pk=pk)
    _record(request, Action.POLICY_DELETED, row)
    delete_pattern(row)
    messages.success(request, _("Deleted. The next run reads the files with its findings again."))
    return redirect("compliance:patterns")


def _told(row: ScrubPattern) -> dict[str, Any]:
    """All that decides what it finds: the expression is no secret, and says what was looked for.
    A value of the trail has an end, so a long expression goes on in further ones."""
    pieces = [row.pattern[at : at + VALUE_CHARS] for at in range(0, len(row.pattern), VALUE_CHARS)]
    return {
        "name": row.name,
        "kind": row.kind,
        **{f"pattern {n}" if n > 1 else "pattern": piece for n, piece in enumerate(pieces, 1)},
        "keywords": " ".join(row.keywords),
        "confidence": row.confidence,
        "repository": row.repository.slug if row.repository else "",
        "enabled": row.enabled,
    }


def _record(
    request: HttpRequest, action: str, row: ScrubPattern, before: dict[str, Any] | None = None
) -> None:
    """Of a change only what is another than before, as {old, new}."""
    now = _told(row)
    if before:
        names = [name for name in {**before, **now} if before.get(name) != now.get(name)]
        now = {name: {"old": before.get(name), "new": now.get(name)} for name in names}
    record(
        action,
        actor=request.user,
        request=request,
        subject=row.name,
        repository=row.repository,
        detail=now,
        link=reverse("compliance:patterns"),
    )


@officer_action
@require_http_methods(["GET", "POST"])
def policy(request: HttpRequest, slug: str) -> HttpResponse:
    """What one repository does with personal data."""
    repository = get_object_or_404(Repository, slug=slug)
    form = PolicyForm(request.POST or None, instance=settings_of(repository))
    if request.method == "POST" and form.is_valid():
        changed = save_settings(form.save(commit=False), settings_of(repository))
        if changed:
            record(
                Action.POLICY_CHANGED,
                actor=request.user,
                request=request,
                subject=repository.slug,
                repository=repository,
                detail=changed,
                link=reverse("compliance:patterns"),
            )
        messages.success(request, _("Saved. The next run reads the files that it touches again."))
        return redirect("compliance:patterns")
    context = {"repository": repository, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "compliance/findings/policy.html", context, status=status)
