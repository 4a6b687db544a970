"""Evaluations, for administrators: start one, its questions, two side by side."""

from typing import Any, cast

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.db.models import F
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.models import User
from accounts.roles import administrator_page
from search import evaluations
from search.charts import Chart, history
from search.comparing import NothingToCompare, compare
from search.evaluate import FUSED
from search.evaluation_forms import CompareForm, EvaluationForm
from search.models import EvaluationResult, EvaluationRun
from search.results import ABSTENTION

RUNS_ON_A_PAGE = 50
QUESTIONS_ON_A_PAGE = 100
RUNS_IN_CHART = 30


@administrator_page
@require_http_methods(["GET", "POST"])
def evaluations_page(request: HttpRequest) -> HttpResponse:
    form = EvaluationForm(request.POST or None, request.FILES or None)
    if request.method == "POST" and form.is_valid():
        return redirect("search:evaluation", _started(form, cast("User", request.user)).pk)
    status = 422 if request.method == "POST" else 200
    everything = EvaluationRun.objects.defer("questions_text").select_related("person")
    page = Paginator(everything, RUNS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "form": form, **_history(request.GET.get("questions", ""))}
    return render(request, "search/evaluations.html", context, status=status)


def _started(form: EvaluationForm, person: User) -> EvaluationRun:
    source, text = form.cleaned_data["questions"]
    with transaction.atomic():
        run = evaluations.new_run(
            name=form.cleaned_data["name"], source=source, text=text, person=person
        )
        evaluations.enqueue(run)
    return run


def _history(chosen: str) -> dict[str, Any]:
    """The chart of one file of questions: the chosen one, else that of the newest run."""
    done = EvaluationRun.objects.filter(state=EvaluationRun.State.DONE).defer("questions_text")
    newest = done.filter(questions_sha256=chosen).first() or done.first()
    if newest is None:
        return {}
    runs = list(done.filter(questions_sha256=newest.questions_sha256)[:RUNS_IN_CHART])[::-1]
    measured = [(run.pk, run.name, run.charted) for run in runs if run.fused]
    chart: Chart | None = history(measured) if measured else None
    return {"chart": chart, "charted": newest, "charted_runs": len(measured)}


@administrator_page
@require_GET
def evaluation(request: HttpRequest, pk: int) -> HttpResponse:
    run = get_object_or_404(EvaluationRun.objects.select_related("person"), pk=pk)
    channels = run.figures.get("channels", {})
    channel = request.GET.get("channel", FUSED)
    rows = run.results.filter(channel=channel if channel in channels else FUSED)
    page = Paginator(rows.order_by("reciprocal_rank", "id"), QUESTIONS_ON_A_PAGE)
    others = EvaluationRun.objects.filter(
        questions_sha256=run.questions_sha256, state=EvaluationRun.State.DONE
    ).exclude(pk=run.pk)
    context = {
        "run": run,
        "measured_with": [
            (name.replace("_", " "), _told(v)) for name, v in run.measured_with.items()
        ],
        "channels": channels,
        "abstention": run.figures.get("abstention"),
        "misjudged": _misjudged(run),
        "channel": channel if channel in channels else FUSED,
        "page": page.get_page(request.GET.get("page")),
        "others": others.only("pk", "name", "created"),
        "is_active": run.state in {evaluations.State.QUEUED, evaluations.State.RUNNING},
    }
    return render(request, "search/evaluation.html", context)


def _misjudged(run: EvaluationRun) -> list[EvaluationResult]:
    """Answered without an answer, or abstained from one; at most a page of them."""
    judged = run.results.filter(channel=ABSTENTION, abstained=F("answerable"))
    return list(judged.order_by("answerable", "id")[:QUESTIONS_ON_A_PAGE])


def _told(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {number}" for name, number in value.items())
    return str(value) if value not in ("", None) else "-"


@administrator_page
@require_GET
def comparison(request: HttpRequest) -> HttpResponse:
    form = CompareForm(request.GET)
    if not form.is_valid():
        messages.error(request, _("Choose two evaluations."))
        return redirect("search:evaluations")
    before = get_object_or_404(EvaluationRun, pk=form.cleaned_data["before"])
    after = get_object_or_404(EvaluationRun, pk=form.cleaned_data["after"])
    channel = form.cleaned_data["channel"] or FUSED
    context: dict[str, Any] = {"before": before, "after": after, "channel": channel}
    try:
        context["comparison"] = compare(
            evaluations.results_of(before, channel), evaluations.results_of(after, channel), channel
        )
    except NothingToCompare as error:
        context["refused"] = str(error)
    return render(request, "search/comparison.html", context)


@administrator_page
@require_POST
def start_again(request: HttpRequest, pk: int) -> HttpResponse:
    evaluations.enqueue(get_object_or_404(EvaluationRun, pk=pk))
    return redirect("search:evaluation", pk)


@administrator_page
@require_POST
def delete_evaluation(request: HttpRequest, pk: int) -> HttpResponse:
    get_object_or_404(EvaluationRun, pk=pk).delete()
    messages.success(request, _("Deleted."))
    return redirect("search:evaluations")
