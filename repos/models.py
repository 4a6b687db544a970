"""Repositories, their snapshots and the files in them.

A snapshot is an interval: a File row lives from snapshot number `first_snapshot` until
`last_snapshot` (null: still there), and the files of snapshot n are the rows whose interval
holds n. See docs/architecture.md.
"""

import uuid
from typing import Self

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, Group
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class RepositoryQuerySet(models.QuerySet["Repository"]):
    def visible_to(self, user: User | AnonymousUser) -> Self:
        """The repositories that `user` may read: the root of every query of a page."""
        if not user.is_authenticated or not user.is_active:
            return self.none()
        if user.is_superuser:
            return self
        # An IN over the membership table, not a join: a join would return a row a group.
        groups = Group.objects.filter(user=user).values("pk")
        chosen = Repository.groups.through.objects.filter(group__in=groups).values("repository")
        return self.filter(Q(everyone=True) | Q(owner=user) | Q(pk__in=chosen))

    def changeable_by(self, user: User | AnonymousUser) -> Self:
        """The repositories whose settings and runs `user` may change."""
        if not user.is_authenticated or not user.is_active:
            return self.none()
        return self if user.is_superuser else self.filter(owner=user)


class Repository(models.Model):
    class Source(models.TextChoices):
        GIT = "git", _("git address")
        ARCHIVE = "archive", _("archive")
        FOLDER = "folder", _("folder")

    class SourceState(models.TextChoices):
        """What the source said when it was last asked (repos/source_check.py)."""

        UNKNOWN = "", _("not asked, or no answer")
        PUBLIC = "public", _("open")
        TOKEN = "token", _("open with the token")
        GONE = "gone", _("gone or private")
        # Nobody can say: the folder that holds many is not mounted, or no longer allowed.
        AWAY = "away", _("not asked: the folder that holds it is not there")

    slug = models.CharField(max_length=200, unique=True)
    name = models.CharField(max_length=200)
    source = models.CharField(max_length=8, choices=Source)
    # git: canonical https URL; folder: real path; archive: name of the uploaded file.
    address = models.CharField(max_length=2000)
    # Identity of the source (repos.addresses.Address.key); empty where there is none.
    address_key = models.CharField(max_length=2000, blank=True, db_index=True)
    provider = models.CharField(max_length=20, blank=True)
    ref = models.CharField(max_length=500, blank=True)  # asked for; empty: the default branch
    token = models.BinaryField(blank=True, default=b"")  # encrypted, see repos/tokens.py
    excludes = models.TextField(blank=True)  # gitignore syntax
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    everyone = models.BooleanField(default=True)
    groups = models.ManyToManyField(Group, blank=True)
    # The one number that readers filter by; changing it publishes a snapshot.
    published_snapshot = models.PositiveIntegerField(null=True, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    source_state = models.CharField(
        max_length=6, choices=SourceState, blank=True, default=SourceState.UNKNOWN
    )
    source_checked = models.DateTimeField(null=True, blank=True)

    objects = RepositoryQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]
        verbose_name_plural = "repositories"

    def __str__(self) -> str:
        return self.name


class Snapshot(models.Model):
    class State(models.TextChoices):
        DRAFT = "draft", _("being prepared")
        PUBLISHED = "published", _("published")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")
        PRUNED = "pruned", _("no longer kept")

    repository = models.ForeignKey(Repository, on_delete=models.CASCADE, related_name="snapshots")
    number = models.PositiveIntegerField()
    commit = models.CharField(max_length=64, blank=True)  # empty until fetched
    ref = models.CharField(max_length=500, blank=True)
    state = models.CharField(max_length=9, choices=State, default=State.DRAFT)
    # Totals of the lexical statistics (BM25) and of what a reader wants to see at once.
    files = models.PositiveIntegerField(default=0)
    indexed_files = models.PositiveIntegerField(default=0)
    lines = models.PositiveBigIntegerField(default=0)
    bytes = models.PositiveBigIntegerField(default=0)
    symbols = models.PositiveIntegerField(default=0)
    chunks = models.PositiveIntegerField(default=0)
    tokens = models.PositiveBigIntegerField(default=0)
    created = models.DateTimeField(auto_now_add=True)
    published = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["repository", "number"], name="snapshot_number"),
        ]

    def __str__(self) -> str:
        return f"{self.repository} #{self.number}"


class FileQuerySet(models.QuerySet["File"]):
    def in_snapshot(self, repository_id: int, number: int) -> Self:
        """The files of snapshot `number` of one repository."""
        return self.filter(
            Q(last_snapshot__isnull=True) | Q(last_snapshot__gte=number),
            repository_id=repository_id,
            first_snapshot__lte=number,
        )


class File(models.Model):
    """One path with one content, over the snapshots in which it stayed the same."""

    class Classification(models.TextChoices):
        INDEXED = "indexed", _("indexed")
        SECRET = "secret", _("secret file, never opened")
        IGNORED = "ignored", _("excluded")
        VENDORED = "vendored", _("vendored")
        GENERATED = "generated", _("generated")
        MINIFIED = "minified", _("minified")
        BINARY = "binary", _("binary")
        TOO_LARGE = "too_large", _("too large")
        LFS_POINTER = "lfs_pointer", _("Git LFS pointer")
        SYMLINK = "symlink", _("symbolic link")
        SUBMODULE = "submodule", _("submodule")
        UNDECODABLE = "undecodable", _("not decodable")

    pk = models.CompositePrimaryKey("repository_id", "id")
    repository = models.ForeignKey(
        Repository, on_delete=models.DO_NOTHING, related_name="files", db_index=False
    )
    id = models.BigIntegerField()
    path = models.TextField()
    # The bytes of the path where they are not valid UTF-8; `path` then shows escapes.
    raw_path = models.BinaryField(null=True)
    blob_sha = models.CharField(max_length=40)  # git's own hash, for archives and folders too
    mode = models.CharField(max_length=6)
    size = models.PositiveBigIntegerField()
    lines = models.PositiveIntegerField(default=0)
    language = models.CharField(max_length=40, blank=True)
    classification = models.CharField(max_length=11, choices=Classification)
    reason = models.TextField(blank=True)
    first_snapshot = models.PositiveIntegerField()
    last_snapshot = models.PositiveIntegerField(null=True)

    objects = FileQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["repository", "path", "first_snapshot"], name="file_path_first"
            ),
        ]
        indexes = [
            models.Index(fields=["repository", "last_snapshot"], name="file_last"),
            models.Index(fields=["repository", "first_snapshot"], name="file_first"),
            GinIndex(fields=["path"], name="file_path_trgm", opclasses=["gin_trgm_ops"]),
        ]


class DeletionRecord(models.Model):
    """What is left of a repository that was removed: who, when, what, how much, signed.

    `repository_number` was its primary key; no foreign key, and not named like one, since the
    walk that proves the deletion (repos/remains.py) looks for `repository_id`.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    created = models.DateTimeField(auto_now_add=True)
    finished = models.DateTimeField(null=True, blank=True)  # when the files were gone too
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL
    )
    person_name = models.CharField(max_length=150, blank=True)
    reason = models.TextField(blank=True)
    repository_number = models.BigIntegerField(db_index=True)
    slug = models.CharField(max_length=200)
    name = models.CharField(max_length=200)
    source = models.CharField(max_length=8, choices=Repository.Source)
    address = models.CharField(max_length=2000)
    snapshots = models.JSONField(default=list)  # number, commit, state of each
    rows = models.JSONField(default=dict)  # removed, by table
    files = models.PositiveIntegerField(default=0)
    bytes = models.PositiveBigIntegerField(default=0)
    # What is signed with it: the format, what stays, and what is not proven, as it was said then.
    said = models.JSONField(default=dict)
    public_key = models.CharField(max_length=64, blank=True)  # Ed25519, hexadecimal
    signature = models.TextField(blank=True)  # base64, of repos.deletion_proof.canonical

    class Meta:
        ordering = ["-created"]

    def __str__(self) -> str:
        return f"{self.slug} ({self.created:%Y-%m-%d})"
