"""Questions, their answers, and the evidence each answer was written from."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from answers.exports.models import Export  # noqa: F401 - a table of this app
from repos.models import Repository


class Conversation(models.Model):
    """Questions that belong together; follow-ups are understood from the earlier ones."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    title = models.CharField(max_length=200)
    created = models.DateTimeField(auto_now_add=True)

    @classmethod
    def forget_repository(cls, repository_id: int) -> None:
        """Delete what was asked of a repository that goes, and the answers (repos.removal)."""
        cls.objects.filter(questions__repositories=repository_id).delete()


class Question(models.Model):
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="questions"
    )
    # Who may read the answer is decided by these, for the reader, at every view.
    repositories = models.ManyToManyField(Repository)
    text = models.TextField()
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]


class Answer(models.Model):
    class State(models.TextChoices):
        RUNNING = "running", _("being written")
        DONE = "done", _("done")
        ABSTAINED = "abstained", _("nothing found")
        FAILED = "failed", _("failed")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="answers")
    state = models.CharField(max_length=9, choices=State, default=State.RUNNING)
    model = models.CharField(max_length=100, blank=True)  # "": extracts, no model
    # What was searched, for the reader: terms, channels, counts of hits.
    searched = models.JSONField(default=dict)
    error = models.TextField(blank=True)
    created = models.DateTimeField(auto_now_add=True)
    milliseconds = models.PositiveIntegerField(default=0)


class Evidence(models.Model):
    """One piece that was chosen for an answer: scrubbed lines at a commit."""

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="evidence")
    ordinal = models.PositiveSmallIntegerField()  # 1, 2, ... in order of rank
    label = models.CharField(max_length=12)  # random; what a model refers to
    repository = models.ForeignKey(Repository, on_delete=models.CASCADE)
    snapshot = models.PositiveIntegerField()
    commit = models.CharField(max_length=64)
    path = models.TextField()
    start_line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()
    text = models.TextField()
    language = models.CharField(max_length=40, blank=True)
    symbol = models.TextField(blank=True)
    channels = models.CharField(max_length=60)  # those that found it, separated by ","
    score = models.FloatField()

    class Meta:
        ordering = ["ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["answer", "ordinal"], name="evidence_ordinal"),
        ]


class Statement(models.Model):
    """One line of an answer; an extract quotes its evidence and adds nothing."""

    class Kind(models.TextChoices):
        EXTRACT = "extract", _("extract")
        PROSE = "prose", _("prose")

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="statements")
    ordinal = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=7, choices=Kind)
    text = models.TextField()

    class Meta:
        ordering = ["ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["answer", "ordinal"], name="statement_ordinal"),
        ]


class Citation(models.Model):
    """The lines that carry a statement, as checked against what was retrieved."""

    class Verdict(models.TextChoices):
        OK = "ok", _("checked")
        REANCHORED = "reanchored", _("re-anchored")
        REJECTED = "rejected", _("rejected")

    statement = models.ForeignKey(Statement, on_delete=models.CASCADE, related_name="citations")
    evidence = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="citations")
    start_line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()
    quote = models.TextField()
    verdict = models.CharField(max_length=10, choices=Verdict)
