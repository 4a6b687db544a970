"""Vectors by the text they were made from, and whose vectors a repository is searched by."""

from django.db import models
from pgvector.django import HalfVectorField

from repos.models import Repository


class Embedding(models.Model):
    """A vector by the hash of the text it was made from; chunks with the same text share it.

    The column has no dimension, since each model has its own (at most 4,000); all vectors of one
    model have the same, see `VectorSet.dimension`.
    """

    pk = models.CompositePrimaryKey("repository_id", "model", "embed_hash")
    repository = models.ForeignKey(
        Repository, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    model = models.CharField(max_length=200)
    embed_hash = models.BinaryField(max_length=16)
    vector = HalfVectorField()

    class Meta:
        app_label = "indexing"


class VectorSet(models.Model):
    """The vectors of one model in one repository: how far they are, and whether they serve.

    `texts` and `embedded` count the distinct texts of the published snapshot, as of the last
    look; what is refused is in `EmbedRefusal`.
    """

    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="vector_sets")
    model = models.CharField(max_length=200)
    dimension = models.PositiveIntegerField(default=0)  # 0: no vector yet
    texts = models.PositiveIntegerField(default=0)
    embedded = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    serving = models.BooleanField(default=False)
    problem = models.TextField(blank=True)  # why it does not go on, for people
    try_again = models.DateTimeField(null=True, blank=True)  # not before

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["repository", "model"], name="vector_set"),
            models.UniqueConstraint(
                fields=["repository"],
                condition=models.Q(serving=True),
                name="one_serving_vector_set",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.repository} {self.model}"

    @property
    def is_complete(self) -> bool:
        return self.embedded + self.refused >= self.texts

    @property
    def share(self) -> float:
        return self.embedded / self.texts if self.texts else 1.0


class EmbedRefusal(models.Model):
    """A text that gets no vector of this model, and why; it is not sent again until somebody asks
    for it (`manage.py reembed`). Search by words finds it all the same."""

    pk = models.CompositePrimaryKey("repository_id", "model", "embed_hash")
    repository = models.ForeignKey(
        Repository, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    model = models.CharField(max_length=200)
    embed_hash = models.BinaryField(max_length=16)
    reason = models.TextField()

    def __str__(self) -> str:
        return f"{self.model}: {self.reason}"
