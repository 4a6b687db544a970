"""Words and numbers of model calls in templates."""

from decimal import Decimal

from django import template
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from outbound.models import ModelCall

register = template.Library()

State = ModelCall.State
TONES = {State.DONE: "good", State.FAILED: "bad", State.BLOCKED: "bad", State.REFUSED: "warn"}
SHORT = {
    State.REFUSED: gettext_lazy("refused"),
    State.BLOCKED: gettext_lazy("blocked"),
    State.STOPPED: gettext_lazy("stopped"),
}


@register.simple_tag
def usd(amount: Decimal | None) -> str:
    """Four places, or as many as make it more than nothing; unknown is not 0."""
    if amount is None:
        return _("unknown")
    if not amount:
        return "$0"
    return f"${amount:,.4f}" if amount >= Decimal("0.0001") else f"${amount:.8f}"


@register.simple_tag
def usd_sum(amount: Decimal, calls: int, unpriced: int) -> str:
    """Of several calls: unknown where none has a price, and marked where some have none."""
    if calls and calls == unpriced:
        return usd(None)
    return _("%(known)s + unknown") % {"known": usd(amount)} if unpriced else usd(amount)


@register.simple_tag
def call_state(call: ModelCall) -> SafeString:
    """A badge; why it failed is beside it."""
    words = SHORT.get(State(call.state), call.get_state_display())
    badge = format_html('<span class="badge {}">{}</span>', TONES.get(State(call.state), ""), words)
    failure = call.failure if call.failure != call.state else ""
    if not failure:
        return badge
    return format_html('{} <span class="quiet small">{}</span>', badge, failure.replace("_", " "))


@register.simple_tag
def call_tokens(call: ModelCall) -> str:
    """Sent and received; "~" where we counted because the provider does not say."""
    total = intcomma(call.prompt_tokens + call.completion_tokens)
    counted = call.estimated and call.state not in ModelCall.KEPT_BACK
    return f"~{total}" if counted else total


@register.simple_tag
def facet_label(name: str) -> str:
    words = {
        "state": _("State"), "purpose": _("Purpose"), "model": _("Model"), "person": _("Person"),
    }  # fmt: skip
    return words[name]
