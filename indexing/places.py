"""Which repository at which snapshot a page of the explorer speaks of."""

from dataclasses import dataclass
from functools import cached_property

from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404
from django.utils.translation import gettext as _

from accounts import audit
from indexing import explore
from repos.addresses import host_link
from repos.models import File, Repository, Snapshot


@dataclass(frozen=True)
class Place:
    """`at` is the commit of an older snapshot as links repeat it, "" for the published one."""

    repository: Repository
    snapshot: Snapshot
    at: str

    @property
    def slug(self) -> str:
        return self.repository.slug

    @cached_property
    def context(self) -> dict[str, object]:
        return {"repository": self.repository, "snapshot": self.snapshot, "at": self.at}

    def host_page(self, file: File, start: int | None = None, end: int | None = None) -> str:
        """The file on the code host at this commit; "" where there is none."""
        if self.repository.source != Repository.Source.GIT:
            return ""
        path = file.path
        if file.raw_path:
            path = bytes(file.raw_path).decode("utf-8", "surrogateescape")
        return host_link(
            self.repository.address,
            self.repository.provider,
            self.snapshot.commit,
            path,
            start,
            end,
        )


def find_repository(request: HttpRequest, slug: str) -> Repository:
    found = get_object_or_404(Repository.objects.visible_to(request.user), slug=slug)
    audit.about(request, found)
    return found


def find_place(request: HttpRequest, slug: str) -> Place:
    """404 for outsiders, for unknown commits, and while nothing is published."""
    repository = find_repository(request, slug)
    commit = request.GET.get("at", "")
    snapshot = explore.snapshot_at(repository, commit)
    if snapshot is None:
        raise Http404(_("There is no such snapshot."))
    is_current = snapshot.number == repository.published_snapshot
    return Place(repository, snapshot, "" if is_current else snapshot.commit)
