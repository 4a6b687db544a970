"""Reviewing findings: what a decision would reach, the decision, all decisions, and undoing."""

from collections import Counter
from typing import Any, cast

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from accounts.audit import record, typed
from accounts.models import User
from accounts.roles import console_page, may_review, officer_action
from accounts.trail.actions import Action
from compliance.findings.filters import Filter, read
from compliance.findings.forms import HERE, ReviewForm
from compliance.findings.listing import SELECTED_AT_ONCE, Selected, reached, selected
from indexing import reviews
from indexing.policy_models import FindingReview
from indexing.reviews import Value, Verdict
from indexing.scrubbing.reviews import exact_path
from repos.models import Repository

MOST_NUMBERS = 1000
PAGE = 50
Scope = FindingReview.Scope
_TOO_MANY = _lazy(
    "More than %(most)d findings match. Choose a kind, to decide about it as a whole, or narrow "
    "the filter."
)
_ACTIONS = {
    FindingReview.Decision.CONFIRMED: Action.FINDING_CONFIRMED,
    FindingReview.Decision.DISMISSED: Action.FINDING_DISMISSED,
}


@officer_action
@require_POST
def review(request: HttpRequest) -> HttpResponse:
    """First what was chosen and the questions; with `decide`, the decision."""
    chosen, numbers = read(request.POST), _numbers(request)
    found = selected(chosen, numbers) if numbers is None or numbers else []
    if not found:
        messages.error(request, _("No finding was chosen."))
        return redirect(_back(chosen))
    many = sum(one.findings for one in found) > SELECTED_AT_ONCE
    if many and not chosen.kind:
        messages.error(request, _TOO_MANY % {"most": SELECTED_AT_ONCE})
        return redirect(_back(chosen))
    kinds, slugs, paths = _chosen(chosen) if many else _distinct(found)
    decide = "decide" in request.POST
    form = ReviewForm(request.POST if decide else None, kinds=kinds, slugs=slugs, by_value=not many)
    if "glob" in form.fields and len(paths) == 1:
        form.fields["glob"].initial = exact_path(paths[0])
    total = sum(one.findings for one in found)
    if decide and _grown(request, total):
        form.add_error(None, _("What matches has changed meanwhile. Look at the summary again."))
    if decide and form.is_valid():
        made = _decide(cast("User", request.user), form.cleaned_data, found)
        _tell(request, made, chosen=total)
        return redirect("compliance:reviews")
    context: dict[str, Any] = {
        "form": form,
        "chosen": chosen,
        "numbers": numbers,
        "found": found[:PAGE],
        "more": len(found) - PAGE,
        "total": total,
        "many": many,
        "values": len({(one.kind, one.fingerprint) for one in found}),
        "files": len({(one.slug, one.path) for one in found}),
        "by_kind": _by_kind(found),
        "of_kind": _of_kind(kinds, slugs),
        "slugs": slugs,
    }
    return render(
        request, "compliance/findings/review.html", context, status=422 if decide else 200
    )


def _numbers(request: HttpRequest) -> list[int] | None:
    """None: all that match the filter."""
    if request.POST.get("all"):
        return None
    given = request.POST.getlist("finding")[:MOST_NUMBERS]
    return [int(one) for one in given if one.isdecimal() and len(one) < 19]


def _back(chosen: Filter) -> str:
    return f"{reverse('compliance:findings')}?{chosen.query}"


def _distinct(found: list[Selected]) -> tuple[list[str], list[str], list[str]]:
    return (
        sorted({one.kind for one in found}),
        sorted({one.slug for one in found}),
        sorted({one.path for one in found}),
    )


def _chosen(chosen: Filter) -> tuple[list[str], list[str], list[str]]:
    """The same where there are too many to look at each: what the filter says."""
    return [chosen.kind], [chosen.repository] if chosen.repository else [], []


def _by_kind(found: list[Selected]) -> list[tuple[str, int]]:
    counted: Counter[str] = Counter()
    for one in found:
        counted[one.kind] += one.findings
    return counted.most_common()


def _of_kind(kinds: list[str], slugs: list[str]) -> list[tuple[str, tuple[int, bool]]]:
    """What a decision about the whole kind would reach, where it can be made: by repository, then
    ("", everywhere)."""
    if len(kinds) != 1:
        return []
    one = slugs if len(slugs) == 1 else []
    here = [(slug, reached(Filter(kind=kinds[0], repository=slug))) for slug in one]
    return [*here, ("", reached(Filter(kind=kinds[0])))]


def _reach(made: FindingReview) -> tuple[int, bool]:
    """Findings that the decision speaks of, beyond those it was made at; whether there are more."""
    slug = made.repository.slug if made.repository else ""
    review = str(made.pk) if made.scope == Scope.VALUE else ""
    return reached(Filter(repository=slug, kind=made.kind, review=review), made.path_regex)


def _grown(request: HttpRequest, total: int) -> bool:
    return request.POST.get("total", "") != str(total)


def _decide(person: User, said: dict[str, Any], found: list[Selected]) -> FindingReview:
    kinds, slugs, _paths = _distinct(found)
    only = Repository.objects.get(slug=slugs[0]) if said["where"] == HERE else None
    decision = FindingReview.Decision(said["decision"])
    verdict = Verdict(decision, said["reason"], person, only)
    if said["scope"] == Scope.PATH:
        return reviews.review_path(verdict, kind=kinds[0], glob=said["glob"])
    if said["scope"] == Scope.KIND:
        return reviews.review_kind(verdict, kind=kinds[0])
    return reviews.review_values(
        verdict, [Value(one.kind, one.fingerprint, one.key_id) for one in found]
    )


def _tell(request: HttpRequest, made: FindingReview, *, chosen: int) -> None:
    total, more = _reach(made)
    record(
        _ACTIONS[FindingReview.Decision(made.decision)],
        actor=request.user,
        request=request,
        subject=_("review %(number)s") % {"number": made.pk},
        repository=made.repository,
        detail={
            "scope": made.scope,
            "kind": made.kind,
            "glob": made.glob,
            "values": made.values.count(),
            "findings": _("more than %(n)d") % {"n": total} if more else total,
            "chosen": chosen,
            "reason": typed(made.reason),
        },
        link=reverse("compliance:reviews"),
    )
    words = ngettext("%(n)s finding: %(what)s.", "%(n)s findings: %(what)s.", total)
    if more:
        words = _("More than %(n)s findings: %(what)s.")
    next_run = _("The next run of each repository applies it to the files it touches.")
    said = words % {"n": total, "what": made.get_decision_display()}
    messages.success(request, f"{said} {next_run}")


@console_page
@require_GET
def review_list(request: HttpRequest) -> HttpResponse:
    rows = FindingReview.objects.select_related("person", "undone_by", "repository")
    page = Paginator(rows.order_by("-pk"), PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "may_review": may_review(request.user)}
    return render(request, "compliance/findings/reviews.html", context)


@officer_action
@require_POST
def undo(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(FindingReview, pk=pk)
    if reviews.undo_review(row, cast("User", request.user)):
        record(
            Action.REVIEW_UNDONE,
            actor=request.user,
            request=request,
            subject=_("review %(number)s") % {"number": row.pk},
            repository=row.repository,
            detail={"decision": row.decision, "scope": row.scope, "kind": row.kind},
            link=reverse("compliance:reviews"),
        )
        messages.success(request, _("Undone. The next run takes it back in the files it touches."))
    else:
        messages.error(request, _("This review was undone before."))
    return redirect("compliance:reviews")
