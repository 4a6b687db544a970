"""What left the building: every call of a model, and the lines that were sent with it.

Rows are written before anything is sent, so that a process that dies leaves a trace. They
have no foreign keys to repositories: they stay when one is deleted, and say by slug, commit,
path and lines what was sent. No prompt and no reply is kept.
"""

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils.translation import gettext_lazy as _


class ModelCall(models.Model):
    """One question to one model: a chat completion, a batch of embeddings, or a ranking."""

    class Purpose(models.TextChoices):
        EMBED = "embed", _("embedding")
        ANSWER = "answer", _("answer")
        REWRITE = "rewrite", _("search terms")
        REPAIR = "repair", _("repair of an answer")
        RERANK = "rerank", _("order of hits")
        JUDGE = "judge", _("judgement of an answer")

    class State(models.TextChoices):
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        STOPPED = "stopped", _("stopped by its reader")
        REFUSED = "refused", _("refused: over the budget")
        BLOCKED = "blocked", _("blocked: looks like a secret")

    # Of these nothing has left the building.
    KEPT_BACK = (State.REFUSED, State.BLOCKED)

    created = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="model_calls",
    )
    purpose = models.CharField(max_length=7, choices=Purpose)
    # What it was for, as "answer:<uuid>", "run:<slug>/<number>" or "search"; no foreign key, since
    # those tables are to the right.
    subject = models.CharField(max_length=300, blank=True)
    parent = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="children"
    )
    # Whose lines were sent; numbers only, kept when a repository is deleted.
    repositories = ArrayField(models.BigIntegerField(), default=list, blank=True)
    provider = models.CharField(max_length=60)
    model = models.CharField(max_length=200)
    endpoint = models.CharField(max_length=260, blank=True)  # host and port, never a key
    state = models.CharField(max_length=7, choices=State, default=State.RUNNING)
    failure = models.CharField(max_length=20, blank=True)  # ModelFailed.code
    error = models.TextField(blank=True)  # in plain words, for people
    # While it runs: what is expected. Afterwards: what the provider counted, or what we counted
    # where it does not say (`estimated`).
    prompt_tokens = models.PositiveIntegerField(default=0)
    completion_tokens = models.PositiveIntegerField(default=0)
    cached_tokens = models.PositiveIntegerField(default=0)  # of prompt_tokens
    estimated = models.BooleanField(default=True)
    cost = models.DecimalField(max_digits=14, decimal_places=8, null=True, blank=True)  # USD
    milliseconds = models.PositiveIntegerField(null=True, blank=True)
    retries = models.PositiveSmallIntegerField(default=0)
    redactions = models.PositiveIntegerField(default=0)  # placeholders in what was sent

    class Meta:
        indexes = [
            models.Index(fields=["created"], name="model_call_created"),
            models.Index(fields=["person", "created"], name="model_call_person"),
            models.Index(fields=["subject"], name="model_call_subject"),
            models.Index(fields=["model", "created"], name="model_call_model"),
            models.Index(fields=["purpose", "created"], name="model_call_purpose"),
            models.Index(fields=["state", "created"], name="model_call_state"),
            models.Index(
                fields=["created"],
                name="model_call_running",
                condition=models.Q(state="running"),
            ),
            GinIndex(fields=["repositories"], name="model_call_repositories"),
        ]

    def __str__(self) -> str:
        return f"{self.purpose} {self.model} {self.created:%Y-%m-%d %H:%M:%S}"


class SentLines(models.Model):
    """Lines of a file, at a commit, that were part of what a call sent."""

    class What(models.TextChoices):
        EVIDENCE = "evidence", _("evidence")
        EMBED = "embed", _("text to embed")

    pk = models.CompositePrimaryKey("repository_id", "model_call_id", "ordinal")
    repository_id = models.BigIntegerField()
    model_call = models.ForeignKey(ModelCall, on_delete=models.CASCADE, related_name="sent")
    ordinal = models.PositiveIntegerField()  # in the order in which they were sent
    repository = models.CharField(max_length=200)  # its slug then
    commit = models.CharField(max_length=64)
    path = models.TextField()
    start_line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()
    what = models.CharField(max_length=8, choices=What)

    class Meta:
        indexes = [models.Index(fields=["repository_id", "path"], name="sent_lines_path")]

    def __str__(self) -> str:
        return f"{self.repository} {self.path}:{self.start_line}-{self.end_line} @ {self.commit}"
