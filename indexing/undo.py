"""Takes back everything a draft snapshot wrote: what a rerun or a cancelled run begins with."""

from django.db import transaction

from indexing.import_targets import undo_resolved
from indexing.models import Import, TermCount
from indexing.store import delete_derived
from repos.models import File, Snapshot
from repos.snapshots import undo_files


def undo_snapshot(snapshot: Snapshot) -> None:
    """Leave the rows as if the run had never been; a published snapshot is never touched."""
    with transaction.atomic():
        current = Snapshot.objects.select_for_update().get(pk=snapshot.pk)
        if current.state == Snapshot.State.PUBLISHED:
            return
        undo_resolved(snapshot)
        mine = {"repository_id": snapshot.repository_id}
        TermCount.objects.filter(**mine, snapshot=snapshot.number).delete()
        Import.objects.filter(**mine, first_snapshot=snapshot.number).delete()
        files = File.objects.filter(**mine, first_snapshot=snapshot.number)
        delete_derived(snapshot.repository_id, list(files.values_list("id", flat=True)))
        undo_files(snapshot)
