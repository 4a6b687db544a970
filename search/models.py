"""Evaluations that were kept: who measured what with which settings, and every question."""

import json
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from repos.models import File, Repository

STALLED_AFTER = timedelta(minutes=2)


class EvaluationRun(models.Model):
    class State(models.TextChoices):
        QUEUED = "queued", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")

    name = models.CharField(_("name"), max_length=100)
    questions_name = models.CharField(max_length=200)
    questions_sha256 = models.CharField(max_length=64, db_index=True)
    questions_text = models.TextField()  # JSON lines as uploaded; measured again from here
    commit = models.CharField(max_length=64, blank=True)  # of Footnote, where it is known
    measured_with = models.JSONField(default=dict)  # evaluations.settings_that_matter
    figures = models.JSONField(default=dict)  # search.results.figures
    state = models.CharField(max_length=7, choices=State, default=State.QUEUED)
    error = models.TextField(blank=True)
    asked = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    heartbeat = models.DateTimeField(default=timezone.now)
    created = models.DateTimeField(auto_now_add=True)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name

    @property
    def repository_of_questions(self) -> dict[str, str]:
        """By the id of a question, the slug or name it was asked of; "" is all of them."""
        rows = [json.loads(line) for line in self.questions_text.splitlines() if line.strip()]
        return {str(row["id"]): str(row["repository"]) for row in rows}

    @property
    def is_stalled(self) -> bool:
        """Its worker died; one that only waits may have a long queue before it."""
        return self.state == self.State.RUNNING and self._is_silent

    @property
    def may_start_again(self) -> bool:
        """A queued one too: a worker that is killed before it claims a run loses the job."""
        ended = self.state == self.State.FAILED
        return ended or (self.state != self.State.DONE and self._is_silent)

    @property
    def _is_silent(self) -> bool:
        return self.heartbeat < timezone.now() - STALLED_AFTER

    @property
    def fused(self) -> dict[str, float]:
        """The figures that search itself has; {} until they are there."""
        found: dict[str, float] = self.figures.get("channels", {}).get("fused", {})
        return found

    @property
    def charted(self) -> dict[str, float]:
        """The figures of the fused ranking, and those of abstaining where it was judged."""
        judged = self.figures.get("abstention", {})
        shares = {f"abstention_{name}": judged.get(name) for name in ("correct", "false")}
        return {
            **self.fused,
            **{name: value for name, value in shares.items() if value is not None},
        }


class EvaluationResult(models.Model):
    """One question in one channel; the fields of search.results.Result."""

    run = models.ForeignKey(EvaluationRun, on_delete=models.CASCADE, related_name="results")
    question_id = models.TextField()
    channel = models.CharField(max_length=20)
    question = models.TextField()
    language = models.CharField(max_length=20, blank=True)
    ranks = models.JSONField()
    recall = models.FloatField()
    hit = models.FloatField()
    reciprocal_rank = models.FloatField()
    precision = models.FloatField()
    line_hit = models.FloatField(null=True)
    milliseconds = models.FloatField()
    top = models.JSONField()
    answerable = models.BooleanField(default=True)
    abstained = models.BooleanField(null=True)  # of the channel "abstention" alone

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["run", "channel"], name="search_result_run_channel")]

    def __str__(self) -> str:
        return f"{self.question_id} ({self.channel})"

    @classmethod
    def forget_repository(cls, repository_id: int) -> None:
        """The paths it showed (repos.removal); the figures and the uploaded questions stay."""
        names = set(Repository.objects.filter(pk=repository_id).values_list("slug", "name"))
        changed = []
        for run in EvaluationRun.objects.only("questions_text").iterator(chunk_size=20):
            asked = run.repository_of_questions
            for row in run.results.exclude(top=[]).iterator(chunk_size=500):
                kept = _without(row.top, asked.get(row.question_id, ""), repository_id, names)
                if kept != row.top:
                    row.top = kept
                    changed.append(row)
        EvaluationResult.objects.bulk_update(changed, ["top"], batch_size=500)


def _without(
    top: list[str], asked_of: str, repository_id: int, names: set[tuple[str, str]]
) -> list[str]:
    """Nothing where the repository itself was asked; where all were, without its paths."""
    if any(asked_of in pair for pair in names):
        return []
    if asked_of:
        return top
    files = File.objects.filter(repository=repository_id, path__in=top)
    gone = set(files.values_list("path", flat=True))
    return [path for path in top if path not in gone]
