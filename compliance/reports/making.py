"""Reports: asked for, claimed by one worker, their figures gathered once, printed, kept."""

from datetime import date

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django_q.tasks import async_task

from accounts.models import User
from answers.exports import claims, glyphs
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
        waiting = Q(state=State.FAILED) | claims.stalled()
        if Report.objects.filter(waiting, pk=report.pk).update(
            state=State.QUEUED, queued=timezone.now(), error=""
        ):
            async_task(JOB, report.pk, task_name=f"report-{report.pk}")


def claim(report_id: int) -> Report | None:
    return claims.claim(Report.objects.all(), report_id)


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
    claims.made(Report.objects.all(), report)


def as_html(report: Report) -> str:
    """From the row alone: the same report is the same document."""
    tables = [
        {**table, "rows": table["rows"][:MOST_ROWS], "left": max(len(table["rows"]) - MOST_ROWS, 0)}
        for table in report.figures
    ]
    with translation.override(settings.LANGUAGE_CODE):
        return render_to_string(TEMPLATE, {"report": report, "tables": tables})
