"""Everything below /console/ that belongs to this app; one module of views a group of pages."""

from django.urls import path, re_path

from compliance.views import (
    activity,
    calls,
    deletions,
    findings,
    front,
    lookup,
    patterns,
    reports,
    reviewing,
    saved,
    spend,
)

app_name = "compliance"

urlpatterns = [
    path("console/", front.front, name="front"),
    path("console/findings", findings.findings, name="findings"),
    path("console/findings/trend", findings.findings_trend, name="findings_trend"),
    re_path(
        r"^console/findings\.(?P<form>csv|json)$", findings.findings_export, name="findings_export"
    ),
    path("console/findings/review", reviewing.review, name="review"),
    path("console/filters", saved.save_filter, name="filter_save"),
    path("console/filters/<int:pk>/forget", saved.forget_filter, name="filter_forget"),
    path("console/findings/<int:number>", findings.finding, name="finding"),
    path("console/reviews", reviewing.review_list, name="reviews"),
    path("console/reviews/<int:pk>/undo", reviewing.undo, name="review_undo"),
    path("console/lookup", lookup.lookup, name="lookup"),
    path("console/patterns", patterns.patterns, name="patterns"),
    path("console/patterns/new", patterns.pattern, name="pattern_new"),
    path("console/patterns/<int:pk>", patterns.pattern, name="pattern"),
    path("console/patterns/<int:pk>/switch", patterns.pattern_switch, name="pattern_switch"),
    path("console/patterns/<int:pk>/delete", patterns.pattern_delete, name="pattern_delete"),
    path("console/policy/<repo:slug>", patterns.policy, name="policy"),
    path("console/calls", calls.calls_page, name="calls"),
    re_path(r"^console/calls\.(?P<form>csv|json)$", calls.calls_export, name="calls_export"),
    path("console/calls/spend", spend.spend_page, name="spend"),
    path("console/calls/spend.csv", spend.spend_export, name="spend_export"),
    path("console/calls/<int:pk>", calls.call_page, name="call"),
    path("console/calls/<int:pk>/lines/<int:ordinal>", calls.call_lines, name="call_lines"),
    path("answers/<uuid:pk>/calls", calls.answer_calls, name="answer_calls"),
    path("preferences/spend", spend.spend_own, name="spend_own"),
    path("console/activity", activity.activity_page, name="activity"),
    re_path(
        r"^console/activity\.(?P<form>csv|json)$", activity.activity_export, name="activity_export"
    ),
    path("console/activity/people/<int:pk>", activity.person_page, name="activity_person"),
    path("preferences/activity", activity.own_page, name="activity_own"),
    path("console/reports", reports.reports, name="reports"),
    path("console/reports/new", reports.report_new, name="report_new"),
    path("console/reports/<int:pk>", reports.report, name="report"),
    path("console/reports/<int:pk>/again", reports.report_again, name="report_again"),
    path("console/reports/<int:pk>.pdf", reports.report_pdf, name="report_export_pdf"),
    path("console/reports/<int:pk>.csv", reports.report_csv, name="report_export_csv"),
    path("console/deletions", deletions.deletions, name="deletions"),
    path("console/deletions/check", deletions.check_sources, name="check_sources"),
    path("console/deletions/<uuid:pk>", deletions.deletion, name="deletion"),
    path("console/deletions/<uuid:pk>.json", deletions.deletion_json, name="deletion_export"),
]
