"""Questions, their answers, and the evidence each answer was written from."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from answers.exports.models import Export  # noqa: F401 - a table of this app
from outbound.models import ModelCall
from repos.models import Repository


class Conversation(models.Model):
    """Questions that belong together; follow-ups are understood from the earlier ones."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL)
    title = models.CharField(max_length=200)
    created = models.DateTimeField(auto_now_add=True)

    @classmethod
    def hold_repository(cls, repository_id: int) -> None:
        """Until the transaction ends nobody asks or writes about a repository that goes
        (repos.removal): a worker in the middle of a statement is waited for, and its next one
        finds no answer to write (claims.writing)."""
        asked = Question.repositories.through.objects.filter(repository=repository_id)
        held = cls.objects.filter(questions__in=asked.values("question"))
        for rows in (
            cls.objects.filter(pk__in=held.values("pk")),
            Question.objects.filter(conversation__in=held.values("pk")),
            Answer.objects.filter(question__conversation__in=held.values("pk")),
        ):
            list(rows.order_by("pk").select_for_update().values_list("pk"))

    @classmethod
    def forget_repository(cls, repository_id: int) -> dict[str, int]:
        """Delete what was asked of a repository that goes, and the answers (repos.removal)."""
        return cls.objects.filter(questions__repositories=repository_id).delete()[1]


class Question(models.Model):
    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="questions"
    )
    # Who may read the answer is decided by these, for the reader, at every view.
    repositories = models.ManyToManyField(Repository)
    text = models.TextField()
    # The text as it can be understood without the conversation; "": as it is.
    standalone = models.TextField(blank=True)
    # What it was narrowed to, in the words of the search (`path:src/`), and lines that were chosen:
    # [{"slug", "path", "start", "end"}].
    narrowing = models.TextField(blank=True)
    chosen = models.JSONField(default=list, blank=True)
    created = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["id"]

    @property
    def understood(self) -> str:
        return self.standalone or self.text


class Answer(models.Model):
    class State(models.TextChoices):
        RUNNING = "running", _("being written")
        DONE = "done", _("done")
        ABSTAINED = "abstained", _("nothing found")
        FAILED = "failed", _("failed")
        STOPPED = "stopped", _("stopped")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="answers")
    state = models.CharField(max_length=9, choices=State, default=State.RUNNING)
    model = models.CharField(max_length=100, blank=True)  # "": extracts, no model
    # What was searched, for the reader: terms, channels, counts of hits.
    searched = models.JSONField(default=dict)
    error = models.TextField(blank=True)  # why the model gave nothing, for people
    warning = models.TextField(blank=True)  # what to know before believing it
    # Statements that the model proposed, and those of them that did not survive.
    proposed = models.PositiveSmallIntegerField(default=0)
    dropped = models.PositiveSmallIntegerField(default=0)
    # Extracts of the evidence, shown should the model fail: what extracting.write has proposed.
    spare = models.JSONField(default=list, blank=True)
    # Milliseconds from the question to: evidence, prompt, first (statement).
    timings = models.JSONField(default=dict, blank=True)
    # A worker that writes it holds a claim and gives signs of life (answers/claims.py).
    claim = models.UUIDField(null=True, blank=True, editable=False)
    heartbeat = models.DateTimeField(null=True, blank=True)
    attempt = models.PositiveSmallIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)
    milliseconds = models.PositiveIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(
                fields=["created"],
                name="answer_running",
                condition=models.Q(state="running"),
            ),
        ]

    @property
    def is_running(self) -> bool:
        return self.state == self.State.RUNNING

    @property
    def subject(self) -> str:
        """What its model calls are recorded under (outbound.ModelCall)."""
        return f"answer:{self.pk}"


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
    sent = models.BooleanField(default=False)  # to a model; else it was shown only

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
        HEADING = "heading", _("heading")
        CODE = "code", _("code")

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="statements")
    ordinal = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=7, choices=Kind)
    text = models.TextField()
    # Whose reply it stood in: of the first call, or of its repair. None: no model wrote it.
    call = models.ForeignKey(
        ModelCall, null=True, blank=True, on_delete=models.SET_NULL, related_name="statements"
    )

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
        # Holds against what was sent; being compared with the stored file.
        PENDING = "pending", _("being checked")

    statement = models.ForeignKey(Statement, on_delete=models.CASCADE, related_name="citations")
    evidence = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="citations")
    start_line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()
    quote = models.TextField()
    verdict = models.CharField(max_length=10, choices=Verdict)


class Reply(models.Model):
    """What came back of one call and how it was judged, in numbers; what was rejected is not kept.

    Written when the answer ends. A call that failed before its first words has none.
    """

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="replies")
    call = models.OneToOneField(ModelCall, on_delete=models.CASCADE, related_name="reply")
    proposed = models.PositiveSmallIntegerField()  # statements, headings left out
    kept = models.PositiveSmallIntegerField()
    ok = models.PositiveSmallIntegerField()  # citations
    reanchored = models.PositiveSmallIntegerField()
    rejected = models.PositiveSmallIntegerField()
    left_out = models.JSONField(default=dict)  # {checking.Reason: statements}

    @property
    def citations(self) -> int:
        return self.ok + self.reanchored + self.rejected


class AnswerRating(models.Model):
    """What a reader thinks of an answer; the last word of each person counts."""

    answer = models.ForeignKey(Answer, on_delete=models.CASCADE, related_name="ratings")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    good = models.BooleanField()
    reason = models.CharField(max_length=1000, blank=True)
    changed = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["answer", "person"], name="answer_rating_person"),
        ]
