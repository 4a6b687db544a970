"""What a run writes about itself while it works, and what pages and terminals read of it."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from indexing.models import IndexRun, RunStage
from indexing.runs import State, notify
from outbound.failures import Stopped

WRITE_EVERY_SECONDS = 0.25


class ClaimLost(Stopped):
    """This worker no longer holds the run; it must stop without writing anything."""


class RunCancelled(Stopped):
    """Somebody asked the run to stop."""


class Progress:
    """Writes the counters of a claimed run, not more often than WRITE_EVERY_SECONDS."""

    def __init__(self, run: IndexRun) -> None:
        self.run = run
        self._row: RunStage | None = None
        self._written = 0.0

    @contextmanager
    def stage(self, stage: str, *, total: int = 0, unit: str = "") -> Iterator[None]:
        self.check()
        # A worker that slept since the look must not open a stage that its heir has closed.
        with self.writing():
            self._row = self._begin(stage, total=total, unit=unit)
        self.run.stage = stage
        notify(self.run.pk)
        yield
        self._write(finished=timezone.now())
        self._row = None

    def _begin(self, stage: str, *, total: int, unit: str) -> RunStage:
        IndexRun.objects.filter(pk=self.run.pk, claim=self.run.claim).update(stage=stage)
        # One that is done again, as after a preview, takes its own time.
        again = RunStage.objects.filter(run=self.run, stage=stage, finished__isnull=False)
        again.update(started=timezone.now())
        defaults = {"total": total, "unit": unit, "done": 0, "finished": None}
        row, _ = RunStage.objects.update_or_create(
            run=self.run,
            stage=stage,
            defaults=defaults,
            create_defaults={**defaults, "started": timezone.now()},
        )
        return row

    def set(self, done: int, total: int | None = None) -> None:
        """Absolute counts of the current stage. Raises RunCancelled or ClaimLost in time."""
        if self._row is None:
            return
        self._row.done = done
        self._row.total = self._row.total if total is None else total
        if time.monotonic() - self._written >= WRITE_EVERY_SECONDS:
            self._write()
            self.check()

    def add(self, count: int) -> None:
        if self._row is not None:
            self.set(self._row.done + count)

    def check(self) -> None:
        row = IndexRun.objects.filter(pk=self.run.pk, claim=self.run.claim, state=State.RUNNING)
        cancel = row.values_list("cancel_requested", flat=True).first()
        if cancel is None:
            raise ClaimLost
        if cancel:
            raise RunCancelled

    @contextmanager
    def writing(self) -> Iterator[None]:
        """A transaction that commits only if the run is still this worker's; else ClaimLost."""
        with transaction.atomic():
            yield
            # Last, not first: until the commit the lock keeps heartbeats and claims waiting.
            mine = IndexRun.objects.select_for_update().filter(
                pk=self.run.pk, claim=self.run.claim, state=State.RUNNING
            )
            if not mine.values_list("pk").first():
                raise ClaimLost

    def pause(self, seconds: float) -> None:
        """Wait, and look meanwhile. Raises RunCancelled or ClaimLost in time."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.check()
            time.sleep(min(left, 1.0))

    def cancelled(self) -> bool:
        """For callbacks that must not raise; looks at most every WRITE_EVERY_SECONDS."""
        if time.monotonic() - self._written < WRITE_EVERY_SECONDS:
            return False
        self._written = time.monotonic()
        mine = IndexRun.objects.filter(pk=self.run.pk, claim=self.run.claim)
        return not mine.filter(cancel_requested=False).exists()

    def _write(self, finished: datetime | None = None) -> None:
        if self._row is not None:
            self._written = time.monotonic()
            # An update, not a save: the rows of a deleted repository may be gone.
            mine = RunStage.objects.filter(pk=self._row.pk, run__claim=self.run.claim)
            mine.update(done=self._row.done, total=self._row.total, finished=finished)
            notify(self.run.pk)


def run_state(run: IndexRun) -> dict[str, Any]:
    """The state of a run as JSON-able values, read afresh: what the run page and the CLI show.

    Times are ISO 8601; `rate` is units a second; `seconds_left` is None where unknown.
    """
    run = IndexRun.objects.annotate(failed=Count("failures")).get(pk=run.pk)
    return {
        "number": run.number,
        "state": run.state,
        "state_label": run.get_state_display(),
        "stage": run.stage,
        "active": run.is_active,
        "error": run.error,
        "error_code": run.error_code,
        "attempt": run.attempt,
        "failures": run.failed,
        "created": _iso(run.created),
        "started": _iso(run.started),
        "searchable": _iso(run.searchable),
        "finished": _iso(run.finished),
        "stages": [_stage_state(row, run) for row in run.stages.order_by("started")],
    }


def _stage_state(row: RunStage, run: IndexRun) -> dict[str, Any]:
    seconds = ((row.finished or timezone.now()) - row.started).total_seconds()
    rate = row.done / seconds if seconds > 0 else 0.0
    left = max(row.total - row.done, 0)
    known = row.finished is None and run.is_active and rate > 0 and left > 0
    return {
        "stage": row.stage,
        "label": row.get_stage_display(),
        "done": row.done,
        "total": row.total,
        "unit": row.unit,
        "started": _iso(row.started),
        "finished": _iso(row.finished),
        "seconds": round(seconds, 2),
        "rate": round(rate, 1),
        "seconds_left": round(left / rate) if known else None,
    }


def _iso(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
