"""Changes of the scrubbing policy, each with the record of which files it reaches."""

from typing import Any

from django.db import transaction

from indexing.policy_changes import Reach, record_change
from indexing.policy_models import ScrubPattern, ScrubSettings
from indexing.scrub_policy import GROUPS

OFF = ScrubSettings.Choice.OFF


@transaction.atomic
def save_pattern(pattern: ScrubPattern) -> None:
    """New or changed: every file must be looked at, since it may match anywhere."""
    before = ScrubPattern.objects.filter(pk=pattern.pk).first() if pattern.pk else None
    pattern.save()
    if before is not None and before.repository_id != pattern.repository_id:
        record_change(Reach.KINDS, repository=before.repository, kinds=[before.kind])
    if pattern.enabled:
        record_change(Reach.FILES, repository=pattern.repository)


@transaction.atomic
def switch_pattern(pattern: ScrubPattern, *, enabled: bool) -> None:
    pattern.enabled = enabled
    pattern.save(update_fields=["enabled", "changed"])
    _record_presence(pattern, here=enabled)


@transaction.atomic
def delete_pattern(pattern: ScrubPattern) -> None:
    _record_presence(pattern, here=False)
    pattern.delete()


def _record_presence(pattern: ScrubPattern, *, here: bool) -> None:
    """Gone: only files with findings of its kind change."""
    if here:
        record_change(Reach.FILES, repository=pattern.repository)
    else:
        record_change(Reach.KINDS, repository=pattern.repository, kinds=[pattern.kind])


@transaction.atomic
def save_settings(chosen: ScrubSettings, before: ScrubSettings) -> dict[str, Any]:
    """What changed, as {name: [old, new]}; nothing is recorded where nothing did."""
    names = [*GROUPS, "cover_flagged"]
    changed = {
        name: [getattr(before, name), getattr(chosen, name)]
        for name in names
        if getattr(before, name) != getattr(chosen, name)
    }
    if not changed:
        return {}
    chosen.save()
    repository = chosen.repository
    if any(old == OFF for name, (old, _) in changed.items() if name in GROUPS):
        record_change(Reach.FILES, repository=repository)
        return changed
    kinds = [kind for name in changed if name in GROUPS for kind in GROUPS[name]]
    if kinds:
        record_change(Reach.KINDS, repository=repository, kinds=kinds)
    if "cover_flagged" in changed:
        record_change(Reach.FLAGGED, repository=repository)
    return changed
