"""Documents that a worker makes, and the PDF of an answer or of a conversation."""

import hashlib
from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

# Longer than any rendering may take (exports/rendering.py): its worker is dead.
STALLED_AFTER = timedelta(minutes=5)


class Made(models.Model):
    """A PDF that a worker makes from rows. It is kept in the database: whichever host made it,
    every web server has it, and it goes in the same transaction as what it quotes."""

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting for a worker")
        RUNNING = "running", _("being made")
        DONE = "done", _("ready")
        FAILED = "failed", _("not made")

    state = models.CharField(max_length=7, choices=State, default=State.QUEUED)
    error = models.TextField(blank=True)  # in plain words, for people
    gaps = models.TextField(blank=True)  # characters without a font on the host that made it
    pdf = models.BinaryField(null=True)
    pages = models.PositiveIntegerField(default=0)
    size = models.PositiveIntegerField(default=0)  # bytes
    sha256 = models.CharField(max_length=64, blank=True)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created = models.DateTimeField(auto_now_add=True)
    queued = models.DateTimeField(default=timezone.now)
    started = models.DateTimeField(null=True, blank=True)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def is_waiting(self) -> bool:
        return self.state in {self.State.QUEUED, self.State.RUNNING} and not self.is_stalled

    @property
    def is_stalled(self) -> bool:
        """Its worker died, or there is none."""
        since = self.started if self.state == self.State.RUNNING else self.queued
        active = self.state in {self.State.QUEUED, self.State.RUNNING}
        return active and since is not None and since < timezone.now() - STALLED_AFTER

    def keep(self, pdf: bytes, pages: int) -> None:
        """Set what was made; the caller saves it."""
        self.pdf, self.pages, self.size = pdf, pages, len(pdf)
        self.sha256 = hashlib.sha256(pdf).hexdigest()


class Export(Made):
    """The PDF of one answer, or of a conversation (`answer` null). It goes with them."""

    conversation = models.ForeignKey(
        "answers.Conversation", on_delete=models.CASCADE, related_name="exports"
    )
    answer = models.OneToOneField(
        "answers.Answer", null=True, blank=True, on_delete=models.CASCADE, related_name="export"
    )
    # Of all that decides its bytes (exports/fingerprint.py): another one is another document.
    made_of = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["conversation"],
                condition=Q(answer__isnull=True),
                name="one_export_a_conversation",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.answer_id or self.conversation_id} ({self.state})"
