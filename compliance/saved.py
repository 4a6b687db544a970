"""Filters that a person keeps under a name: what each page offers, and what may be kept of it."""

from collections.abc import Callable, Mapping
from typing import Any, cast
from urllib.parse import parse_qsl

from django import forms
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from compliance.calls.forms import CallsForm
from compliance.findings import filters
from compliance.forms import ActivityForm, FilterForm
from compliance.models import SavedFilter

Page = SavedFilter.Page


class SavedFilterForm(forms.ModelForm[SavedFilter]):
    class Meta:
        model = SavedFilter
        fields = ("page", "name")
        labels = {"name": _("Name")}


def offered(request: HttpRequest, page: Page, query: str) -> dict[str, Any]:
    """For templates/compliance/saved.html; `query` is what would be kept."""
    mine = SavedFilter.objects.filter(person=cast("User", request.user), page=page)
    return {"saved": mine, "saved_page": page, "kept": parse_qsl(query), "save": SavedFilterForm()}


def query_of(page: Page, given: Mapping[str, str]) -> str | None:
    """What the page would filter by; None where it would refuse to."""
    return QUERIES[page](given)


def _of_findings(given: Mapping[str, str]) -> str:
    return filters.read(given).query


def _of_form(kind: type[FilterForm]) -> Callable[[Mapping[str, str]], str | None]:
    def query(given: Mapping[str, str]) -> str | None:
        form = kind(dict(given))
        return form.query if form.is_valid() else None

    return query


QUERIES: dict[Page, Callable[[Mapping[str, str]], str | None]] = {
    Page.FINDINGS: _of_findings,
    Page.CALLS: _of_form(CallsForm),
    Page.ACTIVITY: _of_form(ActivityForm),
}
