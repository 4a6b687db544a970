"""Reports: asked for, claimed by one worker, their figures gathered once, printed, kept."""

from datetime import date

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django_q.tasks import async_task

from accounts.models import User
from answers.exports import glyphs
from answers.exports.models import STALLED_AFTER
from answers.exports.rendering import render
from compliance.reports.figures import gather
from compliance.reports.models import Report
from repos.models import Repository

JOB = "compliance.reports.jobs.make_report"
TEMPLATE = "compliance/reports/paper.html"
MOST_ROWS = 2_000  # of one table on paper; the CSV has all
State = Report.State


def ask_for(*, since: date, until: date, repository: Repository | None, person: User) -> Report:
    with transaction.atomic():
        report = Report.objects.create(
            since=since,
            until=until,
            repository_number=repository.pk if repository else None,
            repository_slug=repository.slug if repository else "",
            person=person,
            made_by=person.username,
        )
        async_task(JOB, report.pk, task_name=f"report-{report.pk}")
    return report


def ask_again(report: Report) -> None:
    """After a failure, or where no worker answered; nothing while one is at it."""
    with transaction.atomic():
        waiting = Q(state=State.FAILED) | _stalled()
        if Report.objects.filter(waiting, pk=report.pk).update(
            state=State.QUEUED, queued=timezone.now(), error=""
        ):
            async_task(JOB, report.pk, task_name=f"report-{report.pk}")


def _stalled() -> Q:
    before = timezone.now() - STALLED_AFTER
    return Q(state=State.RUNNING, started__lt=before) | Q(state=State.QUEUED, queued__lt=before)


def claim(report_id: int) -> Report | None:
    dead = Q(state=State.RUNNING, started__lt=timezone.now() - STALLED_AFTER)
    taken = Report.objects.filter(Q(state=State.QUEUED) | dead, pk=report_id).update(
        state=State.RUNNING, started=timezone.now()
    )
    return Report.objects.defer("pdf").get(pk=report_id) if taken else None


def carry_out(report: Report) -> None:
    """Raises RenderFailed. Figures that are there stay: a second attempt prints the same."""
    if not report.figures:
        with translation.override(settings.LANGUAGE_CODE):
            report.figures = gather(report)
        Report.objects.filter(pk=report.pk).update(figures=report.figures)
    html = as_html(report)
    report.gaps = glyphs.named(glyphs.missing(html))
    made = render(html)
    report.keep(made.pdf, made.pages)
    _finish(report, State.DONE)


def fail(report: Report, message: str) -> None:
    report.error = message
    _finish(report, State.FAILED)


def as_html(report: Report) -> str:
    """From the row alone: the same report is the same document."""
    tables = [
        {**table, "rows": table["rows"][:MOST_ROWS], "left": max(len(table["rows"]) - MOST_ROWS, 0)}
        for table in report.figures
    ]
    with translation.override(settings.LANGUAGE_CODE):
        return render_to_string(TEMPLATE, {"report": report, "tables": tables})


def _finish(report: Report, state: str) -> None:
    mine = Report.objects.filter(pk=report.pk, state=State.RUNNING, started=report.started)
    mine.update(
        state=state, finished=timezone.now(), error=report.error, gaps=report.gaps,
        pdf=report.pdf if state == State.DONE else None, pages=report.pages, size=report.size,
        sha256=report.sha256,
    )  # fmt: skip
