"""What every page of the console has: navigation, times, and what it can prove."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from compliance.limits import LIMITS, Limits
from compliance.sections import sections_for
from repos.templatetags.footnote import relative

register = template.Library()


@register.inclusion_tag("compliance/navigation.html", takes_context=True)
def console_navigation(context: template.Context) -> dict[str, Any]:
    """The sections this person may open; the one whose address the page is under is current."""
    request = context["request"]
    links = [(section, reverse(section.url_name)) for section in sections_for(request.user)]
    here = [
        address
        for section, address in links
        if request.path.startswith((address, *section.elsewhere))
    ]
    return {"links": links, "here": max(here, key=len, default=reverse("compliance:front"))}


@register.simple_tag
def moment(when: datetime | None) -> SafeString | str:
    """`2026-11-30 17:10 UTC`: on these pages as on paper, where "two days ago" says nothing."""
    if when is None:
        return _("never")
    exact = when.astimezone(UTC)
    return format_html(
        '<time datetime="{}" title="{}">{} UTC</time>',
        exact.isoformat(timespec="seconds"),
        relative(when),
        exact.strftime("%Y-%m-%d %H:%M"),
    )


@register.inclusion_tag("compliance/limits.html")
def limits(page: str) -> dict[str, Limits]:
    return {"limits": LIMITS[page]}


@register.filter
def cells(row: Sequence[object], table: dict[str, Any]) -> list[tuple[str, str]]:
    """Of a table of a report: the head of each column with what stands in it."""
    texts = [intcomma(one) if isinstance(one, int) else str(one or "") for one in row]
    return list(zip(table["head"], texts, strict=True))
