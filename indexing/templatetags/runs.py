"""Words and numbers of runs in templates."""

from typing import Any

from django import template

from indexing import durations
from indexing.models import IndexRun

register = template.Library()
register.filter("about", durations.about)

_TONES = {
    IndexRun.State.RUNNING: "warn",
    IndexRun.State.PREVIEW: "warn",
    IndexRun.State.DONE: "good",
    IndexRun.State.FAILED: "bad",
}


@register.inclusion_tag("indexing/run_state.html")
def run_state(run: IndexRun) -> dict[str, Any]:
    """A badge with the state of a run."""
    return {"label": run.get_state_display(), "tone": _TONES.get(IndexRun.State(run.state), "")}


@register.filter
def took_in_all(run: IndexRun) -> str:
    if run.started is None or run.finished is None:
        return ""
    return durations.took((run.finished - run.started).total_seconds())


@register.filter
def unlocalize_number(value: float) -> str:
    """For SVG attributes, which know the decimal point only."""
    return str(value)
