"""How numbers, times, commits and file addresses are written on every page."""

from datetime import UTC, datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from repos import paths

register = template.Library()

_UNITS = ("KiB", "MiB", "GiB", "TiB")
_STEPS = (  # seconds of the unit, and from how many seconds on it is used
    (60, 60),
    (3600, 3600),
    (86400, 86400),
    (86400 * 30, 86400 * 60),
    (86400 * 365, 86400 * 730),
)


@register.filter
def size(count: int) -> str:
    """`12.3 KiB`: binary units, one decimal below 100."""
    if count < 1024:
        return ngettext("%(n)d byte", "%(n)d bytes", count) % {"n": count}
    value = float(count)
    for unit in _UNITS:
        value /= 1024
        if value < 1024 or unit == _UNITS[-1]:
            break
    return f"{value:.1f} {unit}" if value < 100 else f"{value:.0f} {unit}"


@register.simple_tag
def ago(moment: datetime | None) -> SafeString | str:
    """`<time>` with the relative time as text and the exact one in its title."""
    if moment is None:
        return _("never")
    exact = moment.astimezone(UTC)
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        exact.isoformat(timespec="seconds"),
        exact.strftime("%Y-%m-%d %H:%M:%S UTC"),
        relative(moment),
    )


def relative(moment: datetime) -> str:
    seconds = int((timezone.now() - moment).total_seconds())
    unit = max((step for step, least in _STEPS if seconds >= least), default=0)
    if not unit:
        return _("just now")
    n = seconds // unit
    return {
        60: ngettext("%(n)d minute ago", "%(n)d minutes ago", n),
        3600: ngettext("%(n)d hour ago", "%(n)d hours ago", n),
        86400: ngettext("%(n)d day ago", "%(n)d days ago", n),
        86400 * 30: ngettext("%(n)d month ago", "%(n)d months ago", n),
        86400 * 365: ngettext("%(n)d year ago", "%(n)d years ago", n),
    }[unit] % {"n": n}


@register.inclusion_tag("components/commit.html")
def commit(sha: str) -> dict[str, Any]:
    """Eight characters of a commit with a copy button for all of it."""
    return {"sha": sha, "short": sha[:8]}


@register.inclusion_tag("components/copy.html")
def copy(text: str, label: str) -> dict[str, Any]:
    """A button that copies `text`; `label` says what, for those who do not see it."""
    return {"text": text, "label": label}


@register.simple_tag
def file_url(
    slug: str, path: str, start: int | None = None, end: int | None = None, at: str = ""
) -> str:
    return paths.file_url(slug, path, start=start, end=end, at=at)


@register.simple_tag
def tree_url(slug: str, path: str = "", at: str = "") -> str:
    return paths.tree_url(slug, path, at=at)


@register.simple_tag
def raw_url(slug: str, path: str, at: str = "") -> str:
    return paths.raw_url(slug, path, at=at)


# By the values of indexing.models.IndexRun.State, which this app must not import.
_RUN_STATES = {
    "queued": (gettext_lazy("waiting"), ""),
    "running": (gettext_lazy("running"), "warn"),
    "preview": (gettext_lazy("needs your confirmation"), "warn"),
    "done": (gettext_lazy("done"), "good"),
    "failed": (gettext_lazy("failed"), "bad"),
    "cancelled": (gettext_lazy("cancelled"), ""),
}


@register.inclusion_tag("components/run_badge.html")
def run_badge(slug: str, number: int | None, state: str) -> dict[str, Any]:
    """The state of a run, linked to its page."""
    label, tone = _RUN_STATES.get(state, (state, ""))
    return {"slug": slug, "number": number, "state": state, "label": label, "tone": tone}
