"""The job that makes a report; given an id, safe to run twice or to be killed."""

from functools import partial

from answers.exports import claims
from answers.exports.outcome import outcome
from compliance.reports import making
from compliance.reports.models import Report


def make_report(report_id: int) -> None:
    report = making.claim(report_id)
    if report is None:
        return
    with outcome(f"report {report.pk}", partial(claims.fail, Report.objects.all(), report)):
        making.carry_out(report)
