"""Tables of the postings: which chunks hold a term, without a look at the chunks."""

from django.db import models

from repos.models import Repository


class Posting(models.Model):
    """Which chunks hold a term: those that a snapshot added, in one string of bytes.

    Four bytes a chunk, most significant first: its number in the snapshot (of ChunkList) times
    256, and how often the term stands in it in halves, the weight of the title counted in.
    Written after publishing, see indexing/postings.py.
    """

    pk = models.CompositePrimaryKey("repository_id", "term", "snapshot")
    repository = models.ForeignKey(
        Repository, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    term = models.TextField()
    snapshot = models.PositiveIntegerField()
    chunks = models.BinaryField()


class ChunkList(models.Model):
    """The chunks that a snapshot added, in order of their ids; there once its postings are.

    `ids` and `files` are eight bytes a chunk, `lengths` four, most significant first.
    """

    pk = models.CompositePrimaryKey("repository_id", "snapshot")
    repository = models.ForeignKey(
        Repository, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    snapshot = models.PositiveIntegerField()
    ids = models.BinaryField()
    files = models.BinaryField()
    lengths = models.BinaryField()
