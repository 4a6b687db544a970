"""Code on paper: the HTML of a row, which exports/lines.py has escaped."""

from django import template
from django.utils.safestring import SafeString, mark_safe

from answers.exports.lines import Row

register = template.Library()


@register.filter
def source(row: Row) -> SafeString:
    return mark_safe(row.html)  # noqa: S308 - lines._shown escapes every character
