"""Whose rows are recorded field by field when they change. Called once, by apps.py."""

from typing import Any

from django.contrib.auth.models import Group
from django.urls import reverse

from accounts.audit import use_scrubber
from accounts.models import User
from accounts.trail.actions import Action
from accounts.trail.changes import Watch, watch, watch_groups
from indexing.models import IndexRun
from indexing.policy_models import ScrubPattern
from indexing.scrub import redact_flagged, scrub
from indexing.scrub_policy import custom_pattern
from indexing.scrubbing.policy import Policy
from repos.models import Repository

PEOPLE = Watch(
    created=Action.PERSON_CREATED,
    changed=Action.PERSON_CHANGED,
    deleted=Action.PERSON_DELETED,
    access=Action.PERSON_ACCESS,
    fields=("username", "email", "password", "is_active", "is_superuser", "role"),
    rights=("is_active", "is_superuser", "role"),
    hidden=("password",),
    link=lambda person: reverse("accounts:person", args=[person.pk]),
)
GROUPS = Watch(
    created=Action.GROUP_CREATED,
    changed=Action.GROUP_CHANGED,
    deleted=Action.GROUP_DELETED,
    fields=("name",),
)
REPOSITORIES = Watch(
    created=Action.REPOSITORY_IMPORTED,
    changed=Action.REPOSITORY_CHANGED,
    deleted=Action.REPOSITORY_DELETED,
    access=Action.REPOSITORY_ACCESS,
    fields=("name", "slug", "address", "ref", "token", "excludes", "owner", "everyone"),
    rights=("owner", "everyone"),
    hidden=("token",),
    subject=lambda repository: repository.name,
    link=lambda repository: reverse("indexing:home", args=[repository.slug]),
    repository=lambda repository: repository,
)
RUNS = Watch(
    created=Action.RUN_STARTED,
    subject=lambda run: f"#{run.number}",
    link=lambda run: reverse("indexing:run", args=[run.repository.slug, run.number]),
    repository=lambda run: run.repository,
)
WATCHED: tuple[tuple[type[Any], Watch], ...] = (
    (User, PEOPLE),
    (Group, GROUPS),
    (Repository, REPOSITORIES),
    (IndexRun, RUNS),
)


def scrubbed(text: str) -> str:
    """By the built-in rules and the house patterns of all repositories; no review lets a value
    through, and what would be flagged is covered."""
    rows = ScrubPattern.objects.filter(enabled=True).order_by("pk")
    found = scrub("", text, policy=Policy(custom=tuple(custom_pattern(row) for row in rows)))
    return redact_flagged(found.text, found.findings)


def start() -> None:
    use_scrubber(scrubbed)
    for model, how in WATCHED:
        watch(model, how)
    watch_groups(User, PEOPLE)
    watch_groups(Repository, REPOSITORIES)
