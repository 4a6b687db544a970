"""What indexing derives from files, and the runs that derive it.

Derived rows hang off a file row by (repository_id, file_id) and are never edited: they come
with the file and go with it. There are no foreign-key constraints on them, because a check
a row makes COPY several times slower; indexing/store.py is the only writer.
"""

from django.conf import settings
from django.contrib.postgres.indexes import GinIndex, OpClass
from django.contrib.postgres.search import SearchVectorField
from django.db import models
from django.db.models import Value
from django.db.models.functions import Lower, Replace
from django.utils.translation import gettext_lazy as _

from indexing import policy_models  # noqa: F401 - Django looks for tables here
from indexing.posting_models import ChunkList, Posting
from indexing.vector_models import Embedding, EmbedRefusal, VectorSet
from repos.models import Repository

__all__ = ["ChunkList", "EmbedRefusal", "Embedding", "Posting", "VectorSet"]

# Of chunks that wait to enter the index of terms. A search that asks it reads them one by one: 8 ms
# for the 20,000 that fill half of this.
PENDING_KB = 65_536


class Derived(models.Model):
    """Columns that every row derived from a file begins with."""

    pk = models.CompositePrimaryKey("repository_id", "id")
    repository = models.ForeignKey(
        Repository, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    id = models.BigIntegerField()
    file_id = models.BigIntegerField()

    class Meta:
        abstract = True


class Content(models.Model):
    """The scrubbed text of one indexed file."""

    pk = models.CompositePrimaryKey("repository_id", "file_id")
    repository = models.ForeignKey(
        Repository, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    file_id = models.BigIntegerField()
    text = models.TextField()
    encoding = models.CharField(max_length=40)
    line_count = models.PositiveIntegerField()
    # What a reader should know: "2 bytes replaced", "syntax errors", "not parsed: ...".
    remarks = models.TextField(blank=True)
    scrub_version = models.PositiveIntegerField()
    index_version = models.PositiveIntegerField()
    # The newest PolicyChange that the rows of the file know.
    policy_version = models.BigIntegerField(default=0, db_default=0)
    # Whether content_trigrams holds the text: set after publishing, see indexing/trigrams.py.
    trigram_indexed = models.BooleanField(default=False, db_default=False)

    class Meta:
        indexes = [
            GinIndex(
                fields=["text"],
                name="content_trigrams",
                opclasses=["gin_trgm_ops"],
                condition=models.Q(trigram_indexed=True),
            ),
            models.Index(
                fields=["repository", "file_id"],
                name="content_waiting",
                condition=models.Q(trigram_indexed=False),
            ),
        ]


class Symbol(Derived):
    name = models.TextField()
    qualified_name = models.TextField()
    kind = models.CharField(max_length=11)
    signature = models.TextField()
    doc = models.TextField()
    lead_line = models.PositiveIntegerField()
    start_line = models.PositiveIntegerField()
    name_line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()
    parent = models.TextField()
    exported = models.BooleanField()

    class Meta:
        indexes = [
            models.Index(fields=["repository", "file_id"], name="symbol_file"),
            GinIndex(fields=["name"], name="symbol_name_trgm", opclasses=["gin_trgm_ops"]),
            # A name in any spelling, and what begins with it.
            models.Index(
                OpClass(Lower(Replace("name", Value("_"), Value(""))), name="text_pattern_ops"),
                "repository",
                name="symbol_folded",
            ),
        ]


class Import(Derived):
    """An import as written, and the file it resolves to.

    What an import resolves to depends on the other files, so these rows have an interval of
    their own inside that of their file.
    """

    module = models.TextField()
    names = models.TextField()  # separated by ", "
    line = models.PositiveIntegerField()
    target_path = models.TextField(blank=True)  # "": outside the repository, or unknown
    first_snapshot = models.PositiveIntegerField()
    last_snapshot = models.PositiveIntegerField(null=True)

    class Meta:
        indexes = [
            models.Index(fields=["repository", "file_id"], name="import_file"),
            models.Index(fields=["repository", "target_path"], name="import_target"),
        ]


class Chunk(Derived):
    """Whole lines of a file: the unit of retrieval. Its text is those lines of Content."""

    ordinal = models.PositiveIntegerField()
    start_line = models.PositiveIntegerField()
    end_line = models.PositiveIntegerField()
    symbol = models.TextField()  # qualified name, "" outside any
    kind = models.CharField(max_length=11)
    length = models.PositiveIntegerField()  # tokens, for BM25
    terms = SearchVectorField()
    embed_hash = models.BinaryField(max_length=16)  # of the text that is embedded

    class Meta:
        indexes = [
            models.Index(fields=["repository", "file_id", "start_line"], name="chunk_file"),
            models.Index(fields=["repository", "embed_hash"], name="chunk_embed_hash"),
            # New rows wait in a list that indexing/publish.py empties before they are published:
            # entered together they cost less than one by one (docs/benchmarks.md).
            GinIndex(
                fields=["terms"],
                name="chunk_terms",
                fastupdate=True,
                gin_pending_list_limit=PENDING_KB,
            ),
        ]


class EmbedInput(Derived):
    """The text that is embedded for a chunk of the same id, flagged findings redacted too.

    Kept, so that a change of the model needs no second look at the files, and so that the
    console can show what an embedding provider was sent.
    """

    text = models.TextField()

    class Meta:
        indexes = [models.Index(fields=["repository", "file_id"], name="embed_input_file")]


class TermCount(models.Model):
    """In how many chunks a term occurs more (or fewer) since a snapshot.

    The document frequency of a term at snapshot n is the sum over snapshots <= n, so the
    statistics follow the published snapshot and cost only the difference.
    """

    pk = models.CompositePrimaryKey("repository_id", "term", "snapshot")
    repository = models.ForeignKey(
        Repository, on_delete=models.DO_NOTHING, db_constraint=False, db_index=False
    )
    term = models.TextField()
    snapshot = models.PositiveIntegerField()
    chunks = models.IntegerField()


class Finding(Derived):
    """A redacted or flagged span; the value itself is not kept."""

    class Action(models.TextChoices):
        REDACT = "redact", _("redacted")
        FLAG = "flag", _("flagged")
        ALLOW = "allow", _("left as it is, dismissed")

    line = models.PositiveIntegerField()
    start_col = models.PositiveIntegerField()
    end_col = models.PositiveIntegerField()
    kind = models.CharField(max_length=60)
    action = models.CharField(max_length=6, choices=Action)
    confidence = models.CharField(max_length=6)
    group = models.PositiveIntegerField()
    fingerprint = models.BinaryField(max_length=32)
    key_id = models.CharField(max_length=8, default="", db_default="")  # of the fingerprint
    # The first row of its group: a secret of several lines is counted and listed once.
    leads = models.BooleanField(default=True, db_default=True)

    class Meta:
        indexes = [
            models.Index(fields=["repository", "file_id"], name="finding_file"),
            models.Index(fields=["fingerprint"], name="finding_fingerprint"),
            # Numbers are given once for all repositories: the order of the console's pages, of
            # all findings and of those of one sort.
            models.Index(fields=["id"], name="finding_in_order", condition=models.Q(leads=True)),
            models.Index(
                fields=["kind", "id"], name="finding_kind", condition=models.Q(leads=True)
            ),
            models.Index(
                fields=["action", "id"], name="finding_action", condition=models.Q(leads=True)
            ),
            models.Index(
                fields=["confidence", "id"],
                name="finding_confidence",
                condition=models.Q(leads=True),
            ),
        ]


class IndexRun(models.Model):
    """One attempt to bring a repository to a new snapshot, from fetch to embeddings."""

    class State(models.TextChoices):
        QUEUED = "queued", _("waiting for a worker")
        RUNNING = "running", _("running")
        PREVIEW = "preview", _("waiting for your confirmation")
        DONE = "done", _("done")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    class Stage(models.TextChoices):
        FETCH = "fetch", _("fetch")
        WALK = "walk", _("walk")
        DERIVE = "derive", _("scrub, parse, index")
        RESOLVE = "resolve", _("resolve")
        PUBLISH = "publish", _("publish")
        EXACT = "exact", _("exact search")  # enter the texts into the trigram index
        EMBED = "embed", _("embed")

    # What is left when a snapshot is searchable; a new run goes on with it.
    AFTERWARDS = (Stage.EXACT, Stage.EMBED)
    ACTIVE = (State.QUEUED, State.RUNNING, State.PREVIEW)

    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="runs")
    number = models.PositiveIntegerField()  # counts from 1 in each repository; in addresses
    snapshot = models.PositiveIntegerField()  # the snapshot number it makes
    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    stage = models.CharField(max_length=7, choices=Stage, default=Stage.FETCH)
    preview = models.BooleanField(default=False)  # stop after the walk until confirmed
    full = models.BooleanField(default=False)  # derive every file anew
    cancel_requested = models.BooleanField(default=False)
    attempt = models.PositiveIntegerField(default=0)
    claim = models.UUIDField(null=True, blank=True)  # of the worker that holds it
    heartbeat = models.DateTimeField(null=True, blank=True)
    error = models.TextField(blank=True)
    error_code = models.CharField(max_length=30, blank=True)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    created = models.DateTimeField(auto_now_add=True)
    started = models.DateTimeField(null=True, blank=True)
    searchable = models.DateTimeField(null=True, blank=True)  # when it was published
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["repository", "number"], name="run_number"),
            # Two runs on one repository never overlap: the database refuses the second.
            models.UniqueConstraint(
                fields=["repository"],
                condition=models.Q(state__in=["queued", "running", "preview"]),
                name="one_active_run",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.repository} run {self.number}"

    @property
    def is_active(self) -> bool:
        return self.state in self.ACTIVE


class RunStage(models.Model):
    """Progress of one stage of a run; `unit` names what `done` and `total` count."""

    run = models.ForeignKey(IndexRun, on_delete=models.CASCADE, related_name="stages")
    stage = models.CharField(max_length=7, choices=IndexRun.Stage)
    done = models.PositiveBigIntegerField(default=0)
    total = models.PositiveBigIntegerField(default=0)
    unit = models.CharField(max_length=10, blank=True)
    started = models.DateTimeField()
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "stage"], name="run_stage")]


class RunFailure(models.Model):
    """A file that could not be (fully) indexed, and why; the run went on without it."""

    run = models.ForeignKey(IndexRun, on_delete=models.CASCADE, related_name="failures")
    path = models.TextField()
    reason = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["run", "path"], name="run_failure_path")]
