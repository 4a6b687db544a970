"""The navigation of the console, for its frame."""

from typing import Any

from django import template
from django.urls import reverse

from compliance.sections import sections_for

register = template.Library()


@register.inclusion_tag("compliance/navigation.html", takes_context=True)
def console_navigation(context: template.Context) -> dict[str, Any]:
    """The sections this person may open; the one whose address the page is under is current."""
    request = context["request"]
    links = [(section, reverse(section.url_name)) for section in sections_for(request.user)]
    here = [address for _, address in links if request.path.startswith(address)]
    return {"links": links, "here": max(here, key=len, default=reverse("compliance:front"))}
