"""The list of repositories with what a person wants to know of each at once."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import F, OuterRef, Prefetch, Q, Subquery
from django.db.models.functions import JSONObject

from accounts.models import User
from repos.models import Repository, Snapshot

SWITCHER_ROWS = 200


@dataclass(frozen=True, slots=True)
class Listed:
    repository: Repository
    snapshot: Snapshot | None
    run_number: int | None
    run_state: str  # "" when it never ran

    @property
    def published(self) -> datetime | None:
        return self.snapshot.published if self.snapshot else None


def listed(user: User | AnonymousUser, *, words: str = "") -> list[Listed]:
    """What `user` may see, by name; `words` must all occur in the name or the slug."""
    rows = Repository.objects.visible_to(user).annotate(last_run=_last_run())
    for word in words.split():
        rows = rows.filter(Q(name__icontains=word) | Q(slug__icontains=word))
    published = Snapshot.objects.filter(number=F("repository__published_snapshot"))
    rows = rows.prefetch_related(Prefetch("snapshots", published, to_attr="published_rows"))
    return [_listed(row) for row in rows.order_by("name", "slug")]


def _last_run() -> Subquery:
    # Runs belong to an app further right, so they are reached by the name of the relation.
    return Subquery(
        Repository.objects.filter(pk=OuterRef("pk"), runs__isnull=False)
        .order_by("-runs__number")
        .values(run=JSONObject(number="runs__number", state="runs__state"))[:1]
    )


def _listed(row: Repository) -> Listed:
    published = getattr(row, "published_rows", [])
    run = getattr(row, "last_run", None) or {}
    return Listed(
        repository=row,
        snapshot=published[0] if published else None,
        run_number=run.get("number"),
        run_state=run.get("state", ""),
    )
