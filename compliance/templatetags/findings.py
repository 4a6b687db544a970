"""Words of findings in templates, and the filter's values."""

from django import template

from compliance.findings.filters import Filter
from compliance.findings.labels import label

register = template.Library()


@register.simple_tag
def kind_label(kind: str) -> str:
    return label("kind", kind)


@register.simple_tag
def value_label(name: str, value: str) -> str:
    return label(name, value)


@register.filter
def filter_fields(chosen: Filter) -> list[tuple[str, str]]:
    """Name and value of what is set, for hidden fields."""
    return chosen.set_values()


@register.filter
def unlocalized(number: int) -> str:
    return str(number)
