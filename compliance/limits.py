"""What the pages of the console can prove, and what they cannot: in words, below each list."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

THIS_PAGE = _("What this page proves")


@dataclass(frozen=True, slots=True)
class Limits:
    """`title` stands above what it proves."""

    proves: tuple[Promise, ...]
    cannot: tuple[Promise, ...]
    title: Promise = THIS_PAGE


LIMITS: dict[str, Limits] = {
    "findings": Limits(
        (
            _("Each finding was met by a rule in an indexed file, at the commits it names."),
            _(
                "A redacted value is stored nowhere; what is kept of it is a fingerprint that "
                "needs a key to be made."
            ),
        ),
        (
            _("Secrets and personal data of kinds that no rule describes."),
            _("Files that were left out or never opened, and commits that were not indexed."),
            _("Whether a key is still valid where it was issued."),
        ),
    ),
    "calls": Limits(
        (
            _(
                "Every call of a model that this installation makes is written down before "
                "anything is sent, with the lines it takes along."
            ),
            _("These lines are of the scrubbed text, and are scanned once more on their way out."),
        ),
        (
            _("What a provider did with what it received."),
            _("What people copied from a page and took elsewhere."),
        ),
    ),
    "spend": Limits(
        (_("Sums of the calls that are listed, by days in UTC."),),
        (
            _(
                "The bill: costs are reckoned from published prices, and a model without one "
                "costs “unknown”, not nothing."
            ),
        ),
    ),
    "activity": Limits(
        (
            _(
                "Each event is signed and chained to the one before: manage.py verify_audit names "
                "the first that was changed, removed or put in between."
            ),
        ),
        (
            _(
                "That the newest events were not cut off, unless the head of the chain is kept "
                "elsewhere."
            ),
            _("What was done on the server, in the database or in a backup outside Footnote."),
            _("Events older than FOOTNOTE_AUDIT_DAYS, where it is set."),
        ),
    ),
    "report": Limits(
        (
            _(
                "Every repository named in it, at the commits it names, as it was scrubbed by the "
                "rules in force."
            ),
            _(
                "Every call of a model that this installation made in the period: they are "
                "recorded before anything is sent."
            ),
            _(
                "Every event of the audit trail in the period, as far as its retention reaches "
                "back."
            ),
        ),
        (
            _(
                "Secrets and personal data of kinds that no rule describes; findings are what the "
                "rules found."
            ),
            _("Files that were left out are not read; their content is not judged."),
            _(
                "What a model's provider did with what it received, and what people did with what "
                "they took away."
            ),
            _(
                "What an administrator of the server or of the database did outside this "
                "application, and what is in backups."
            ),
            _("Findings of commits before the first that was indexed here."),
        ),
        _("What this report covers"),
    ),
}
