"""Lists of answers for pages of apps that must not import this one."""

from typing import Any

from django import template
from django.template import RequestContext

from answers import queries, wording

register = template.Library()


@register.inclusion_tag("answers/recent_list.html", takes_context=True)
def recent_answers(context: RequestContext, limit: int = queries.RECENT) -> dict[str, Any]:
    """`{% load answer_lists %}{% recent_answers 5 %}`: what this person asked last."""
    return {"answers": queries.recent_answers(context["user"], limit)}


@register.filter
def took(milliseconds: int) -> str:
    """`840 ms`, `18.1 s`, `2 min 5 s`."""
    return wording.took(milliseconds)


@register.filter
def found_by_labels(channels: str) -> list[str]:
    """`symbol,lexical` of an Evidence row in words."""
    return wording.channel_labels(channels)
