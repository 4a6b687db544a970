"""What people decided about scrubbing: reviews of findings, patterns, settings, and the record of
which files each change touches. indexing/models.py brings these tables into Django's sight."""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from repos.models import Repository


class FindingReview(models.Model):
    """One decision by one person; of a value, of a path or of a kind. Undone, never deleted."""

    class Decision(models.TextChoices):
        CONFIRMED = "confirmed", _("confirmed")
        DISMISSED = "dismissed", _("dismissed")

    class Scope(models.TextChoices):
        VALUE = "value", _("this value, wherever it stands")
        PATH = "path", _("this kind in these files")
        KIND = "kind", _("this kind everywhere")

    decision = models.CharField(max_length=9, choices=Decision)
    scope = models.CharField(max_length=5, choices=Scope)
    # Null: in every repository.
    repository = models.ForeignKey(
        Repository, null=True, blank=True, on_delete=models.CASCADE, related_name="finding_reviews"
    )
    kind = models.CharField(max_length=60, blank=True)  # "" where the values say it
    glob = models.TextField(blank=True)  # as it was chosen, for `path`
    path_regex = models.TextField(blank=True)  # the same for Postgres and RE2
    reason = models.TextField()
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created = models.DateTimeField(auto_now_add=True)
    undone = models.DateTimeField(null=True, blank=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        indexes = [
            models.Index(
                fields=["kind", "scope"],
                name="review_in_force",
                condition=models.Q(undone__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.decision} {self.scope} {self.kind}"


class ReviewedValue(models.Model):
    """A value that a review speaks of, by kind and fingerprint.

    Under a new key the same value gets a second row, when a run meets it again.
    """

    review = models.ForeignKey(FindingReview, on_delete=models.CASCADE, related_name="values")
    kind = models.CharField(max_length=60)
    key_id = models.CharField(max_length=8)
    fingerprint = models.BinaryField(max_length=32)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["fingerprint", "kind", "review"], name="reviewed_value_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {bytes(self.fingerprint).hex()[:8]}"


class ScrubPattern(models.Model):
    """A house format that is a secret here; run by RE2."""

    class Confidence(models.TextChoices):
        HIGH = "high", _("high: redacted")
        MEDIUM = "medium", _("medium: redacted")
        LOW = "low", _("low: flagged for review")

    name = models.CharField(max_length=100)
    kind = models.CharField(max_length=60)
    pattern = models.TextField()
    keywords = ArrayField(models.CharField(max_length=100), default=list, blank=True)
    confidence = models.CharField(max_length=6, choices=Confidence, default=Confidence.HIGH)
    enabled = models.BooleanField(default=True)
    # Null: in every repository.
    repository = models.ForeignKey(
        Repository, null=True, blank=True, on_delete=models.CASCADE, related_name="scrub_patterns"
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    created = models.DateTimeField(auto_now_add=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["name", "pk"]

    def __str__(self) -> str:
        return self.name


class ScrubSettings(models.Model):
    """What a repository does with personal data; without a row: the defaults."""

    class Choice(models.TextChoices):
        REDACT = "redact", _("redact")
        FLAG = "flag", _("flag for review")
        OFF = "off", _("leave alone")

    repository = models.OneToOneField(
        Repository, primary_key=True, on_delete=models.CASCADE, related_name="scrub_settings"
    )
    emails = models.CharField(max_length=6, choices=Choice, default=Choice.REDACT)
    phones = models.CharField(max_length=6, choices=Choice, default=Choice.REDACT)
    social_security_numbers = models.CharField(max_length=6, choices=Choice, default=Choice.REDACT)
    payment_numbers = models.CharField(max_length=6, choices=Choice, default=Choice.REDACT)
    cover_flagged = models.BooleanField(default=True)

    class Meta:
        verbose_name_plural = "scrub settings"

    def __str__(self) -> str:
        return str(self.repository)


class PolicyChange(models.Model):
    """A change of any of the above, and which files it can touch.

    Its number is the version that `Content.policy_version` counts in: a file whose rows are older
    than a change that reaches it is derived again at the next run.
    """

    class Reach(models.TextChoices):
        FILES = "files"  # every file
        FLAGGED = "flagged"  # files with flagged findings
        KINDS = "kinds"  # files with findings of these kinds
        PATH = "path"  # the same, where the path matches
        VALUES = "values"  # files with one of these fingerprints

    repository = models.ForeignKey(
        Repository, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    reach = models.CharField(max_length=7, choices=Reach)
    kinds = ArrayField(models.CharField(max_length=60), default=list, blank=True)
    path_regex = models.TextField(blank=True)
    fingerprints = ArrayField(models.BinaryField(max_length=32), default=list, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return f"{self.pk} {self.reach}"
