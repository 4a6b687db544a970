"""The numbers of a report, as tables of plain values: they are kept, printed and written as CSV."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from django.conf import settings
from django.db import connection
from django.db.models import Count, Q, QuerySet, Sum
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.trail.actions import label
from accounts.trail.models import AuditEvent
from compliance.findings.filters import Filter
from compliance.findings.listing import FOUND
from compliance.reports.models import Report
from indexing.policy_models import FindingReview, ScrubPattern, ScrubSettings
from indexing.scrub import RULES_VERSION
from indexing.scrub_policy import fingerprint_keys
from indexing.scrubbing.policy import key_id
from outbound.ledger import CallFilter, calls
from repos.models import DeletionRecord, Repository, Snapshot

FINDINGS = f"""/* report_findings */
SELECT r.slug, x.kind, x.action, x.confidence, s.state, count(*) {FOUND.format(narrowed="")}
GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
"""


@dataclass(frozen=True, slots=True)
class Table:
    """`numbers` are the columns that are right-aligned, from 0."""

    key: str
    title: str
    about: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]  # text and whole numbers
    numbers: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """What is reported; `start` to `end` as moments, `end` not included."""

    report: Report

    @property
    def start(self) -> datetime:
        return datetime.combine(self.report.since, time.min, tzinfo=UTC)

    @property
    def end(self) -> datetime:
        return datetime.combine(self.report.until + timedelta(days=1), time.min, tzinfo=UTC)

    def within(self, field: str) -> Q:
        return Q(**{f"{field}__gte": self.start, f"{field}__lt": self.end})

    @property
    def repositories(self) -> QuerySet[Repository]:
        rows = Repository.objects.order_by("slug")
        number = self.report.repository_number
        return rows if number is None else rows.filter(pk=number)


def gather(report: Report) -> list[dict[str, Any]]:
    span = Span(report)
    return [asdict(make(span)) for make in TABLES]


def _repositories(span: Span) -> Table:
    rows = []
    for one in span.repositories:
        at = Snapshot.objects.filter(repository=one, number=one.published_snapshot or 0).first()
        rows.append([
            one.slug, one.get_source_display(), one.get_source_state_display(),
            _("everyone") if one.everyone else _("owner and groups"),
            at.commit[:12] if at else "", _day(at.published) if at else "",
            at.files if at else 0, at.indexed_files if at else 0,
        ])  # fmt: skip
    head = [_("Repository"), _("Source"), _("Source now"), _("Seen by"), _("Commit"),
            _("Published"), _("Files"), _("Indexed")]  # fmt: skip
    about = _("As published when the report was made.")
    return Table("repositories", _("Repositories"), about, head, rows, (6, 7))


def _snapshots(span: Span) -> Table:
    found = Snapshot.objects.filter(
        span.within("published"), repository__in=span.repositories
    ).select_related("repository")
    rows = [
        [one.repository.slug, one.number, one.commit, _moment(one.published), one.files]
        for one in found.order_by("repository__slug", "number")
    ]
    head = [_("Repository"), _("Snapshot"), _("Commit"), _("Published"), _("Files")]
    about = _("Commits that were published in the period.")
    return Table("snapshots", _("Snapshots"), about, head, rows, (1, 4))


def _findings(span: Span) -> Table:
    parameters = Filter(repository=span.report.repository_slug).parameters()
    with connection.cursor() as cursor:
        cursor.execute(FINDINGS, parameters)
        rows = [list(row) for row in cursor.fetchall()]
    head = [_("Repository"), _("Kind"), _("Done"), _("Confidence"), _("State"), _("Findings")]
    about = _("In what is published now, whenever it was found. Values are not kept.")
    told = _in_all(rows, 5, about)
    return Table("findings", _("Findings by kind and state"), told, head, rows, (5,))


def _reviews(span: Span) -> Table:
    found = FindingReview.objects.filter(span.within("created")).select_related("person")
    number = span.report.repository_number
    if number is not None:
        found = found.filter(Q(repository=number) | Q(repository=None))
    rows = [
        [_moment(one.created), one.person.username if one.person else "",
         one.get_decision_display(), one.get_scope_display(), one.kind, one.reason,
         _("undone") if one.undone else ""]
        for one in found.order_by("created", "pk")
    ]  # fmt: skip
    head = [_("When"), _("Who"), _("Decision"), _("Of"), _("Kind"), _("Reason"), _("Now")]
    return Table("reviews", _("Decisions"), _("Made in the period."), head, rows)


def _model_calls(span: Span) -> Table:
    report = span.report
    number = report.repository_number
    numbers = () if number is None else (number,)
    chosen = CallFilter(repository_ids=numbers, since=report.since, until=report.until)
    keys = ("provider", "model", "purpose", "state")
    sums = calls(chosen).order_by().values(*keys).annotate(
        number=Count("id"), sent=Sum("prompt_tokens"), received=Sum("completion_tokens"),
        covered=Sum("redactions"), cost_usd=Sum("cost"),
    )  # fmt: skip
    rows = [
        [*(one[key] for key in keys), one["number"], one["sent"], one["received"],
         one["covered"], "" if one["cost_usd"] is None else f"{one['cost_usd']:.4f}"]
        for one in sums.order_by(*keys)
    ]  # fmt: skip
    head = [_("Provider"), _("Model"), _("Purpose"), _("State"), _("Calls"), _("Tokens sent"),
            _("Received"), _("Placeholders"), _("USD")]  # fmt: skip
    about = _("Calls in the period; refused and blocked ones sent nothing.")
    told = _in_all(rows, 4, about)
    return Table("model_calls", _("Model calls"), told, head, rows, (4, 5, 6, 7, 8))


def _events(span: Span) -> Table:
    found = AuditEvent.objects.filter(span.within("created"))
    if span.report.repository_number is not None:
        found = found.filter(repository_id=span.report.repository_number)
    sums = found.order_by().values("action").annotate(number=Count("id"))
    rows = [[label(one["action"]), one["number"]] for one in sums.order_by("action")]
    told = _in_all(rows, 1, _("Events of the audit trail in the period."))
    return Table("activity", _("Activity"), told, [_("What"), _("Events")], rows, (1,))


def _people(_span: Span) -> Table:
    rows = [
        [one.username, one.get_rights_display(), _("active") if one.is_active else _("inactive"),
         ", ".join(sorted(group.name for group in one.groups.all())), _day(one.date_joined),
         _moment(one.last_login)]
        for one in User.objects.order_by("username").prefetch_related("groups")
    ]  # fmt: skip
    head = [_("Person"), _("Role"), _("State"), _("Groups"), _("Since"), _("Last sign-in")]
    return Table("people", _("People and roles"), _("When the report was made."), head, rows)


def _policies(span: Span) -> Table:
    rows: list[list[object]] = [
        [_("Built-in scrubbing rules"), _("version %d") % RULES_VERSION, ""],
        [_("Keys of fingerprints"), " ".join(key_id(one) for one in fingerprint_keys()), ""],
        [_("Model for answers"), settings.ANSWER_MODEL or _("none"), ""],
        [_("Model for embeddings"), settings.EMBEDDING_MODEL, ""],
    ]
    every = Q(repository=None) | Q(repository__in=span.repositories)
    for one in ScrubPattern.objects.filter(every).select_related("repository"):
        state = one.get_confidence_display() if one.enabled else _("switched off")
        where = one.repository.slug if one.repository else _("all repositories")
        rows.append([_("Pattern %s") % one.name, f"{one.kind}: {state}", where])
    mine = ScrubSettings.objects.filter(repository__in=span.repositories)
    rows += [
        [_("Personal data"), _choices(row), row.repository.slug]
        for row in mine.select_related("repository").order_by("repository__slug")
    ]
    head = [_("Policy"), _("Value"), _("Where")]
    return Table("policies", _("Policies in force"), _("When the report was made."), head, rows)


def _choices(row: ScrubSettings) -> str:
    names = ("emails", "phones", "social_security_numbers", "payment_numbers")
    said = [f"{name.replace('_', ' ')}: {getattr(row, f'get_{name}_display')()}" for name in names]
    return "; ".join(said)


def _deletions(span: Span) -> Table:
    found = DeletionRecord.objects.filter(span.within("created"))
    if span.report.repository_number is not None:
        found = found.filter(repository_number=span.report.repository_number)
    rows = [
        [_moment(one.created), one.slug, one.person_name, sum(one.rows.values()), one.files,
         str(one.pk)]
        for one in found.order_by("created")
    ]  # fmt: skip
    head = [_("When"), _("Repository"), _("Who"), _("Rows"), _("Files"), _("Record")]
    about = _("Repositories that were removed in the period.")
    return Table("deletions", _("Deletions"), about, head, rows, (3, 4))


TABLES: tuple[Callable[[Span], Table], ...] = (
    _repositories, _snapshots, _findings, _reviews, _model_calls, _events, _people, _policies,
    _deletions,
)  # fmt: skip


def _in_all(rows: Sequence[Sequence[Any]], column: int, about: str) -> str:
    total = sum(row[column] for row in rows)
    return _("%(about)s In all: %(total)s.") % {"about": about, "total": f"{total:,}"}


def _day(moment: datetime | date | None) -> str:
    return f"{moment:%Y-%m-%d}" if moment else ""


def _moment(moment: datetime | None) -> str:
    return f"{moment:%Y-%m-%d %H:%M}" if moment else ""
