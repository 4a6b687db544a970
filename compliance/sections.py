"""The sections of the console: one row each, for the navigation and for the front page."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from compliance.activity import COUNTED, Asked, count, find
from compliance.findings import listing
from compliance.findings.filters import Filter
from outbound.ledger import CallFilter, calls
from repos.models import DeletionRecord, Repository


@dataclass(frozen=True)
class Count:
    """A number on the front page. `query` leads to exactly what it counts: `?state=open`."""

    label: str
    number: int
    query: str = ""
    more: bool = False  # at least so many: nobody counts further for a front page
    since: datetime | None = None  # as of then: newer counts are being made


def no_counts() -> list[Count]:
    return []


@dataclass(frozen=True)
class Section:
    url_name: str
    label: str | Promise
    about: str | Promise
    counts: Callable[[], list[Count]] = no_counts
    administrators: bool = False  # officers and auditors do not see it
    elsewhere: tuple[str, ...] = ()  # where more of its pages begin


def activity_counts() -> list[Count]:
    today = timezone.now().date()
    asked = Asked(since=today)
    number, more = count(asked, find(asked))
    return [Count(str(_("events today")), number, f"?since={today:%Y-%m-%d}", more)]


def finding_counts() -> list[Count]:
    """What is published now: all of it, and what waits for a decision."""
    flagged = Filter(action="flag", state="open")
    chosen = (
        (_("findings"), Filter(), ""),
        (_("flagged, to be reviewed"), flagged, f"?{flagged.query}"),
    )
    counted = [(label, listing.counts(one), query) for label, one, query in chosen]
    return [
        Count(str(label), one.total, query, one.more, one.since) for label, one, query in counted
    ]


def call_counts() -> list[Count]:
    """Today's, and those that were kept back since ever."""
    today = timezone.now().date()
    chosen = (
        (_("model calls today"), CallFilter(since=today), f"?since={today:%Y-%m-%d}"),
        (_("blocked: looked like a secret"), CallFilter(state="blocked"), "?state=blocked"),
    )
    return [_calls(str(label), one, query) for label, one, query in chosen]


def _calls(label: str, chosen: CallFilter, query: str) -> Count:
    number = calls(chosen).order_by()[: COUNTED + 1].count()
    return Count(label, min(number, COUNTED), query, number > COUNTED)


def deletion_counts() -> list[Count]:
    gone = Repository.objects.filter(source_state=Repository.SourceState.GONE)
    return [
        Count(str(_("repositories removed")), DeletionRecord.objects.count()),
        Count(str(_("sources gone or private")), gone.count()),
    ]


# In the order of the navigation.
SECTIONS: tuple[Section, ...] = (
    Section(
        "compliance:findings",
        _("Findings"),
        _("Secrets and personal data that were redacted or flagged, and what was decided."),
        finding_counts,
        elsewhere=("/console/reviews",),
    ),
    Section(
        "compliance:lookup",
        _("Did this leave?"),
        _("Ask after one value: where it stood, and what was sent of those lines."),
    ),
    Section(
        "compliance:patterns",
        _("Patterns"),
        _("The rules in force, house patterns, and what each repository does with personal data."),
        elsewhere=("/console/policy/",),
    ),
    Section(
        "compliance:calls",
        _("Model calls"),
        _("What left the building: who asked which model, the lines that were sent, the cost."),
        call_counts,
    ),
    Section(
        "compliance:activity",
        _("Activity"),
        _("Who saw and did what: sign-ins, views, searches, exports and changes."),
        activity_counts,
    ),
    Section(
        "compliance:reports",
        _("Reports"),
        _("A period or a repository as a PDF: findings, model calls, people, policies, commits."),
    ),
    Section(
        "compliance:deletions",
        _("Deletions"),
        _("What was removed, with the proof; sources that are gone or have become private."),
        deletion_counts,
    ),
    Section(
        "search:evaluations",
        _("Evaluations"),
        _("How good search is on questions whose files are known."),
        administrators=True,
    ),
    Section(
        "accounts:people",
        _("People"),
        _("Who may sign in, with which role and in which groups."),
        administrators=True,
    ),
    Section("admin:index", _("Rows"), _("Tables as they are, for what has no page of its own.")),
)


def sections_for(user: User) -> list[Section]:
    """Those that `user`, who may enter the console, can open."""
    return [s for s in SECTIONS if user.is_administrator or not s.administrators]
