"""What models took, added up for days that are over (calls/daily.py)."""

from django.db import models


class SpendDay(models.Model):
    """The calls of one day (UTC) with one model, of one person, or with one repository."""

    class Kind(models.TextChoices):
        MODEL = "model"
        PERSON = "person"
        REPOSITORY = "repository"
        OWN = "own"  # one person's, by model

    day = models.DateField()
    kind = models.CharField(max_length=10, choices=Kind)
    # Numbers without foreign keys, as of calls: what was spent was spent. 0: not of one person.
    person = models.BigIntegerField(default=0, db_default=0)
    key = models.CharField(max_length=200, blank=True)  # a name, or a number as text; "": none
    calls = models.PositiveIntegerField()
    prompt_tokens = models.BigIntegerField()
    completion_tokens = models.BigIntegerField()
    cost = models.DecimalField(max_digits=18, decimal_places=8)  # USD, of calls of known price
    unpriced = models.PositiveIntegerField()

    class Meta:
        app_label = "compliance"
        constraints = [
            models.UniqueConstraint(fields=["kind", "person", "day", "key"], name="spend_of_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.day} {self.kind} {self.key}"


class SummedDay(models.Model):
    """A day whose calls are in SpendDay."""

    day = models.DateField(primary_key=True)

    class Meta:
        app_label = "compliance"

    def __str__(self) -> str:
        return str(self.day)
