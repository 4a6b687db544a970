"""Filters of the console's pages."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.trail.actions import AREAS, Action
from compliance.activity import LEAST_TEXT, Asked


def _action_choices() -> list[tuple[Any, Any]]:
    groups: list[tuple[Any, Any]] = [("", _("everything"))]
    for area, words in AREAS.items():
        inside = [(a.value, a.label) for a in Action if a.value.startswith(f"{area}.")]
        groups.append((words, [(area, _("all of: %(area)s") % {"area": words}), *inside]))
    return groups


class ActivityForm(forms.Form):
    """In the address, so that a filter can be kept and sent to somebody."""

    person = forms.CharField(label=_("Person"), required=False, max_length=150)
    repository = forms.CharField(label=_("Repository"), required=False, max_length=200)
    action = forms.ChoiceField(label=_("What"), required=False, choices=_action_choices)
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    text = forms.CharField(
        label=_("Words"),
        required=False,
        min_length=LEAST_TEXT,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "spellcheck": "false"}),
    )
    before = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("person", "repository"):
            self.fields[name].widget.attrs |= {"list": f"{name}-names", "autocomplete": "off"}

    def clean_person(self) -> User | None:
        name = self.cleaned_data["person"]
        found = User.objects.filter(username=name).first() if name else None
        if name and found is None:
            raise forms.ValidationError(_("Nobody has this name."))
        return found

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        since, until = cleaned.get("since"), cleaned.get("until")
        if since and until and since > until:
            self.add_error("until", _("This day is before the first one."))
        return cleaned

    def asked(self) -> Asked:
        data = self.cleaned_data
        return Asked(
            person=data["person"],
            repository=data["repository"],
            action=data["action"],
            since=data["since"],
            until=data["until"],
            text=data["text"],
        )
