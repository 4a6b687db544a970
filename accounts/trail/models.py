"""The audit trail: one row for each thing that somebody saw or did."""

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Cast, Concat, Lower

from accounts.trail.actions import label
from accounts.trail.ids import new_id

_TEXT = models.TextField()


class AuditEvent(models.Model):
    """Written once; the database refuses every change but the one that puts it into the chain.

    Names and slugs are copies, and there is no foreign key that could change a row: what
    happened stays told after the person or the repository is gone.
    """

    # Grows with time, so it is the order of the list, and a date is a range of it.
    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    created = models.DateTimeField()
    action = models.CharField(max_length=40)
    # Null: nobody signed in (a failed attempt, a command, the worker).
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        on_delete=models.DO_NOTHING,
        db_constraint=False,
        db_index=False,
        related_name="+",
    )
    person_name = models.CharField(max_length=150, blank=True)
    client = models.CharField(max_length=45, blank=True)
    # No foreign key: a slug is what people filter by, also after the repository is gone.
    repository_id = models.BigIntegerField(null=True)
    repository_slug = models.CharField(max_length=200, blank=True)
    subject = models.TextField(blank=True)  # what it was about, in words a person reads
    link = models.TextField(blank=True)  # path of the page that shows it, "" where there is none
    detail = models.JSONField(default=dict)  # text, whole numbers, true, false, null, lists, dicts
    words = models.GeneratedField(
        expression=Lower(
            Concat(F("subject"), Value(" ", _TEXT), Cast("detail", _TEXT), output_field=_TEXT)
        ),
        output_field=models.TextField(),
        db_persist=True,
    )
    key_id = models.CharField(max_length=8)  # which of FOOTNOTE_AUDIT_KEYS made the mac
    mac = models.BinaryField()  # over everything above
    # Null until the sealer has put it into the chain.
    position = models.BigIntegerField(null=True)
    seal = models.BinaryField(null=True)  # over the seal before, the position and the mac

    class Meta:
        app_label = "accounts"
        constraints = [models.UniqueConstraint(fields=["position"], name="audit_position")]
        indexes = [
            models.Index(fields=["person", "-id"], name="audit_person"),
            models.Index(fields=["repository_slug", "-id"], name="audit_repository"),
            # What is kept of a repository that was removed is counted by its number.
            models.Index(
                fields=["repository_id"],
                name="audit_repository_number",
                condition=Q(repository_id__isnull=False),
            ),
            models.Index(fields=["action", "-id"], name="audit_action"),
            models.Index(fields=["id"], name="audit_waiting", condition=Q(position__isnull=True)),
            GinIndex(fields=["words"], name="audit_words", opclasses=["gin_trgm_ops"]),
        ]

    @property
    def is_attempt(self) -> bool:
        """Of somebody who is not signed in; other events without a person are Footnote's own."""
        return self.person_id is None and self.action.startswith("sign_in.")

    @property
    def label(self) -> str:
        return label(self.action)
