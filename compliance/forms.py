"""Filters of the console's pages."""

from typing import Any
from urllib.parse import urlencode

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.trail.actions import AREAS, Action
from compliance.activity import LEAST_TEXT, Asked
from repos.models import Repository

OFFERED = 500  # names that a filter offers while one types


def _action_choices() -> list[tuple[Any, Any]]:
    groups: list[tuple[Any, Any]] = [("", _("everything"))]
    for area, words in AREAS.items():
        inside = [(a.value, a.label) for a in Action if a.value.startswith(f"{area}.")]
        groups.append((words, [(area, _("all of: %(area)s") % {"area": words}), *inside]))
    return groups


class FilterForm(forms.Form):
    """In the address, so that a filter can be kept and sent to somebody. Days are UTC."""

    person = forms.CharField(label=_("Person"), required=False, max_length=150)
    repository = forms.CharField(label=_("Repository"), required=False, max_length=200)
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name in ("person", "repository"):
            if name in self.fields:
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

    @property
    def query(self) -> str:
        """The filter as it stands in the address, without the place in the list."""
        return self.query_with()

    def query_with(self, **changes: str) -> str:
        kept = {name: self.data.get(name, "") for name in self.fields if name != "before"}
        return urlencode({name: value for name, value in (kept | changes).items() if value})


def offers(form: FilterForm) -> dict[str, Any]:
    """The form, and the names that it offers while one types."""
    people = User.objects.order_by("username").values_list("username", flat=True)
    slugs = Repository.objects.order_by("slug").values_list("slug", flat=True)
    return {"form": form, "people": people[:OFFERED], "slugs": slugs[:OFFERED]}


class ActivityForm(FilterForm):
    field_order = ("person", "repository", "action", "since", "until", "text")

    action = forms.ChoiceField(label=_("What"), required=False, choices=_action_choices)
    text = forms.CharField(
        label=_("Words"),
        required=False,
        min_length=LEAST_TEXT,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "spellcheck": "false"}),
    )
    before = forms.UUIDField(required=False, widget=forms.HiddenInput)

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
