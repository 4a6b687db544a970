"""What the page of a run shows, for the page itself and for every event that follows it."""

from dataclasses import dataclass
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils import timezone
from django.utils.translation import gettext as _

from indexing.durations import about, took
from indexing.embed import embedding_model
from indexing.models import IndexRun, RunFailure
from indexing.preview import Group, left_out_groups, walked_rows
from indexing.progress import run_state
from indexing.vector_status import vector_lines
from repos.models import File, Repository, Snapshot

FAILURES = 100
WORKER_SECONDS = 15  # a worker that is there takes a run within a second
State = IndexRun.State
Stage = IndexRun.Stage


@dataclass(frozen=True, slots=True)
class StageView:
    """`state` is waiting, running, done, stopped or skipped; `percent` None: unknown."""

    name: str
    label: str
    state: str
    state_label: str
    counts: str = ""
    rate: str = ""
    time: str = ""
    percent: float | None = None


def progress_context(run: IndexRun, *, may_change: bool) -> dict[str, Any]:
    """The quick part: it is rendered for every event."""
    state = run_state(run)
    run.refresh_from_db()
    stages = _stages(run, {row["stage"]: row for row in state["stages"]})
    return {
        "run": run,
        "repository": run.repository,
        "stages": stages,
        "may_change": may_change,
        "is_current": run.repository.published_snapshot == run.snapshot,
        "failures": state["failures"],
        "nobody_came": _nobody_came(run),
        "advice": advice(run.error_code) if run.state == State.FAILED else "",
        "vectors": next((one for one in stages if one.name == Stage.EMBED), None),
        "embeds": bool(embedding_model()),
        "said": _said(run, stages),
        "version": _version(run, stages, state["failures"]),
    }


def details_context(run: IndexRun, *, page: int = 1) -> dict[str, Any]:
    """The slow part: what failed and what was left out; rendered when its version changes."""
    failures = RunFailure.objects.filter(run=run).order_by("path")
    count = failures.count()
    page = max(1, min(page, -(-count // FAILURES)))
    snapshot = Snapshot.objects.get(repository_id=run.repository_id, number=run.snapshot)
    published = snapshot.state == Snapshot.State.PUBLISHED
    current = run.repository.published_snapshot == run.snapshot
    return {
        "failed": list(failures[(page - 1) * FAILURES : page * FAILURES]),
        "failed_count": count,
        "failed_page": page,
        "failed_more": count > page * FAILURES,
        "groups": _left_out(run),
        "snapshot": snapshot,
        "linked": published,
        "at": "" if current else snapshot.commit,
        "retry_preview": run.preview,
        "vector_lines": vector_lines(run.repository) if current and not run.is_active else [],
    }


def _left_out(run: IndexRun) -> list[Group]:
    walked = run.stages.filter(stage=Stage.WALK, finished__isnull=False).exists()
    undone = run.state in {State.FAILED, State.CANCELLED} and run.searchable is None
    if not walked or undone:
        return []
    return left_out_groups(walked_rows(run, but=File.Classification.INDEXED))


def _stages(run: IndexRun, rows: dict[str, dict[str, Any]]) -> list[StageView]:
    return [
        _stage(run, stage, rows.get(stage.value))
        for stage in Stage
        if stage != Stage.EMBED or embedding_model() or stage.value in rows
    ]


def _stage(run: IndexRun, stage: Stage, row: dict[str, Any] | None) -> StageView:
    label = str(stage.label)
    if row is None:
        ended = not run.is_active
        words = _("not reached") if ended else _("waiting")
        return StageView(stage.value, label, "skipped" if ended else "waiting", words)
    broken = run.state in {State.FAILED, State.CANCELLED} and run.stage == stage
    if row["finished"] and not broken:
        shown = ("done", _("done"))
    elif run.state in {State.FAILED, State.CANCELLED}:
        shown = ("stopped", _("stopped"))
    else:
        shown = ("running", _("running"))
    return StageView(
        stage.value,
        label,
        *shown,
        counts=_counts(row),
        rate=_rate(row),
        time=_time(row, is_running=shown[0] == "running"),
        percent=_percent(row, is_done=shown[0] == "done"),
    )


def _units() -> dict[str, str]:
    return {
        "objects": _("objects"),
        "files": _("files"),
        "imports": _("imports"),
        "texts": _("texts"),
    }


def _counts(row: dict[str, Any]) -> str:
    if not row["unit"] or not (row["done"] or row["total"]):
        return ""
    shown = {
        "done": intcomma(row["done"]),
        "total": intcomma(row["total"]),
        "unit": _units().get(row["unit"], row["unit"]),
    }
    if row["total"] and row["done"] != row["total"]:
        return _("%(done)s of %(total)s %(unit)s") % shown
    return _("%(done)s %(unit)s") % shown


def _rate(row: dict[str, Any]) -> str:
    if not row["unit"] or row["rate"] < 0.1 or row["seconds"] < 0.5:
        return ""
    rate = row["rate"]
    return _("%(rate)s a second") % {"rate": intcomma(round(rate)) if rate >= 10 else rate}


def _time(row: dict[str, Any], *, is_running: bool) -> str:
    if not is_running:
        return took(row["seconds"])
    if row["seconds_left"] is None or row["seconds"] < 1:
        return ""
    return _("%(time)s left") % {"time": about(row["seconds_left"])}


def _percent(row: dict[str, Any], *, is_done: bool) -> float | None:
    if is_done:
        return 100.0
    return round(100 * min(row["done"] / row["total"], 1), 1) if row["total"] else None


def _nobody_came(run: IndexRun) -> bool:
    if run.state != State.QUEUED or run.attempt:
        return False
    handed_over = run.heartbeat or run.created
    return (timezone.now() - handed_over).total_seconds() > WORKER_SECONDS


def _said(run: IndexRun, stages: list[StageView]) -> str:
    """For ears: changes with the stage, not with every count."""
    if run.is_active and run.searchable:
        return _("Search is live. The vectors are being made.")
    running = next((i for i, one in enumerate(stages, 1) if one.state == "running"), None)
    if run.is_active and running:
        shown = {"n": running, "all": len(stages), "label": stages[running - 1].label}
        return _("Stage %(n)d of %(all)d: %(label)s.") % shown
    return _("Run %(number)d: %(state)s.") % {
        "number": run.number,
        "state": run.get_state_display(),
    }


def _version(run: IndexRun, stages: list[StageView], failures: int) -> str:
    walked = any(one.name == Stage.WALK and one.state == "done" for one in stages)
    live = run.repository.published_snapshot == run.snapshot
    return f"{run.state}-{run.attempt}-{walked:d}-{live:d}-{failures}"


def advice(code: str) -> str:
    """What to do next, beside the message of the failure, which says what was wrong."""
    ways = {
        "auth": _("Check the access token in the settings, then try again."),
        "no_such_ref": _("Import the address again with another branch or tag."),
        "unknown_host": _("Check the address and the network, then try again."),
        "unreachable": _("The host may be back later: try again then."),
        "timeout": _("Try again; an administrator can raise FOOTNOTE_IMPORT_MAX_SECONDS."),
        "too_large": _("An administrator can raise FOOTNOTE_IMPORT_MAX_MB."),
        "attempts": _("The log of the worker says why it ended each time."),
        "internal": _("Try again. If it fails again, the log of the worker says why."),
    }
    return ways.get(code, "")


def find_run(repository: Repository, number: int) -> IndexRun | None:
    rows = IndexRun.objects.select_related("repository", "started_by")
    return rows.filter(repository=repository, number=number).first()
