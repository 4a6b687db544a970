"""Filters of model calls and of what they cost."""

from datetime import timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from compliance.forms import FilterForm, offers
from outbound.ledger import CallFilter, models_called, numbers_of
from outbound.models import ModelCall

DAYS, MOST_DAYS = 30, 366
BY = {"model": _("model"), "person": _("person"), "repository": _("repository")}
OF = {"cost": _("cost in USD"), "tokens": _("tokens")}
ALL = ("", _("all"))


class CallsForm(FilterForm):
    field_order = ("person", "repository", "model", "purpose", "state", "since", "until")

    model = forms.CharField(label=_("Model"), required=False, max_length=200)
    purpose = forms.ChoiceField(
        label=_("Purpose"), required=False, choices=[ALL, *ModelCall.Purpose.choices]
    )
    state = forms.ChoiceField(
        label=_("State"), required=False, choices=[ALL, *ModelCall.State.choices]
    )
    subject = forms.CharField(required=False, max_length=300, widget=forms.HiddenInput)
    before = forms.IntegerField(
        required=False, min_value=1, max_value=2**63 - 1, widget=forms.HiddenInput
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["model"].widget.attrs |= {"list": "model-names", "autocomplete": "off"}

    def clean_repository(self) -> tuple[int, ...]:
        """All that have or had the name."""
        slug = self.cleaned_data["repository"]
        found = numbers_of(slug) if slug else ()
        if slug and not found:
            raise forms.ValidationError(_("No repository has or had this name."))
        return found

    def chosen(self) -> CallFilter:
        data = self.cleaned_data
        return CallFilter(
            person=data["person"],
            repository_ids=data["repository"],
            model=data["model"],
            purpose=data["purpose"],
            state=data["state"],
            subject=data["subject"],
            since=data["since"],
            until=data["until"],
        )

    @property
    def is_set(self) -> bool:
        return bool(self.query)


class SpendForm(FilterForm):
    """Without days: the last `DAYS`."""

    field_order = ("by", "of", "since", "until")

    by = forms.ChoiceField(label=_("By"), required=False, choices=list(BY.items()))
    of = forms.ChoiceField(label=_("Of"), required=False, choices=list(OF.items()))
    person = repository = None  # type: ignore[assignment]  # all of them are shown

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        today = timezone.now().date()
        until = cleaned.get("until") or today
        since = cleaned.get("since") or until - timedelta(days=DAYS - 1)
        if (until - since).days >= MOST_DAYS:
            self.add_error("until", _("At most %(n)d days.") % {"n": MOST_DAYS})
        return cleaned | {
            "since": since,
            "until": until,
            "by": cleaned.get("by") or "model",
            "of": cleaned.get("of") or "cost",
        }

    def shown(self) -> dict[str, str]:
        """With the days that are meant where none were given."""
        return {name: str(self.cleaned_data[name]) for name in self.field_order}


def offered(form: CallsForm) -> dict[str, Any]:
    return offers(form) | {"models": models_called()}
