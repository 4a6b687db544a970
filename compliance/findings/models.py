"""What is counted of findings beforehand, a repository at a time (findings/tallies.py)."""

from django.db import models

from repos.models import Repository


class FindingTally(models.Model):
    """How many findings of one sort stand in files of one interval of snapshots."""

    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="+")
    first_snapshot = models.PositiveIntegerField()
    last_snapshot = models.PositiveIntegerField(null=True)
    kind = models.CharField(max_length=60)
    confidence = models.CharField(max_length=6)
    action = models.CharField(max_length=6)
    state = models.CharField(max_length=9)
    first_seen = models.DateTimeField(null=True)  # as in DatedFinding
    findings = models.PositiveIntegerField()

    class Meta:
        app_label = "compliance"

    def __str__(self) -> str:
        return f"{self.repository_id} {self.kind} {self.state}: {self.findings}"


class DecidedFinding(models.Model):
    """A finding that a review speaks of: the few among many. `id` is that of the finding."""

    id = models.BigIntegerField(primary_key=True)
    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=9)

    class Meta:
        app_label = "compliance"
        indexes = [models.Index(fields=["state", "id"], name="decided_in_order")]

    def __str__(self) -> str:
        return f"{self.pk} {self.state}"


class DatedFinding(models.Model):
    """Since when the value of a finding is in its repository. `id` is that of the finding.

    Written down since retention takes away the files in which a value stood first.
    """

    id = models.BigIntegerField(primary_key=True)
    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="+")
    first_seen = models.DateTimeField()  # when the snapshot in which it came was published

    class Meta:
        app_label = "compliance"
        indexes = [models.Index(fields=["first_seen", "id"], name="dated_in_order")]

    def __str__(self) -> str:
        return f"{self.pk} {self.first_seen:%Y-%m-%d}"


class TalliedRepository(models.Model):
    """When the above was counted, and of what: other marks than those of now are out of date."""

    repository = models.OneToOneField(
        Repository, primary_key=True, on_delete=models.CASCADE, related_name="+"
    )
    marks = models.CharField(max_length=100)
    counted = models.DateTimeField()

    class Meta:
        app_label = "compliance"

    def __str__(self) -> str:
        return f"{self.repository_id} {self.marks}"
