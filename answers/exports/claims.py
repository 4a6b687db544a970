"""Who makes a document (exports.models.Made): one worker at a time, told by its row.

QUEUED -> claimed: RUNNING -> DONE or FAILED; a claim that has gone stale may be taken anew
"""

from typing import Any, TypeVar

from django.db.models import Q, QuerySet
from django.utils import timezone

from answers.exports.models import STALLED_AFTER, Made

Row = TypeVar("Row", bound=Made)
State = Made.State


def stalled() -> Q:
    """Its worker died, or none came: as Made.is_stalled says of one row."""
    before = timezone.now() - STALLED_AFTER
    return Q(state=State.RUNNING, started__lt=before) | Q(state=State.QUEUED, queued__lt=before)


def claim(rows: QuerySet[Row], pk: int) -> Row | None:
    """The row without its PDF, if it is ours now; None if it is gone, made or somebody else's."""
    dead = Q(state=State.RUNNING, started__lt=timezone.now() - STALLED_AFTER)
    free = rows.filter(Q(state=State.QUEUED) | dead, pk=pk)
    if not free.update(state=State.RUNNING, started=timezone.now()):
        return None
    return rows.defer("pdf").get(pk=pk)


def made(rows: QuerySet[Row], row: Row, **more: Any) -> None:
    """Save what was made; `more` are fields of its kind."""
    kept = {"pdf": row.pdf, "pages": row.pages, "size": row.size, "sha256": row.sha256}
    _finish(rows, row, State.DONE, **kept, **more)


def fail(rows: QuerySet[Row], row: Row, message: str) -> None:
    row.error = message
    _finish(rows, row, State.FAILED, pdf=None)


def _finish(rows: QuerySet[Row], row: Row, state: str, **fields: Any) -> None:
    """Nothing where the row went meanwhile, or was asked for anew."""
    mine = rows.filter(pk=row.pk, state=State.RUNNING, started=row.started)
    mine.update(state=state, finished=timezone.now(), error=row.error, gaps=row.gaps, **fields)
