from django import template

from search.wording import CHANNEL_LABELS

register = template.Library()


@register.filter
def channel_label(channel: str) -> str:
    return str(CHANNEL_LABELS.get(channel, channel))
