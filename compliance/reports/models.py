"""Reports that were made: the figures as they stood, and the PDF of them."""

from django.db import models

from answers.exports.models import Made


class Report(Made):
    """Stays when its repository is removed: it holds counts, names and commits, never code."""

    since = models.DateField()  # days in UTC, both included
    until = models.DateField()
    # Null: all repositories. A number and a slug, no foreign key.
    repository_number = models.BigIntegerField(null=True, blank=True)
    repository_slug = models.CharField(max_length=200, blank=True)
    made_by = models.CharField(max_length=150, blank=True)
    figures = models.JSONField(default=list)  # reports.figures.Table, as dicts

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.repository_slug or '*'} {self.since} - {self.until}"
