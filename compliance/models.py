"""What people keep in the console for themselves."""

from django.conf import settings
from django.db import models

from compliance.calls.models import SpendDay, SummedDay  # noqa: F401 - tables of this app
from compliance.findings.models import (  # noqa: F401 - tables of this app
    DatedFinding,
    DecidedFinding,
    FindingTally,
    TalliedRepository,
)
from compliance.reports.models import Report  # noqa: F401


class SavedFilter(models.Model):
    """A filter of a list under a name; `query` as in the address of its page."""

    class Page(models.TextChoices):
        FINDINGS = "findings"
        CALLS = "calls"
        ACTIVITY = "activity"

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="saved_filters"
    )
    page = models.CharField(
        max_length=10, choices=Page, default=Page.FINDINGS, db_default=Page.FINDINGS
    )
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=1000, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["person", "page", "name"], name="saved_filter_name"),
        ]

    def __str__(self) -> str:
        return self.name
