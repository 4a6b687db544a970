"""What a report is to cover."""

from datetime import date, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from repos.models import Repository

DAYS = 30
LONGEST = 5 * 366


class ReportForm(forms.Form):
    since = forms.DateField(label=_("From"), widget=forms.DateInput(attrs={"type": "date"}))
    until = forms.DateField(label=_("To"), widget=forms.DateInput(attrs={"type": "date"}))
    repository = forms.ModelChoiceField(
        Repository.objects.order_by("slug"),
        to_field_name="slug",
        required=False,
        label=_("Repository"),
        empty_label=_("All repositories"),
    )

    def clean(self) -> dict[str, Any]:
        found = super().clean() or {}
        since, until = found.get("since"), found.get("until")
        if since and until and since > until:
            self.add_error("until", _("The end lies before the beginning."))
        if since and until and (until - since).days > LONGEST:
            self.add_error("since", _("Five years are the most."))
        return found


def last_days() -> dict[str, date]:
    today = timezone.now().date()
    return {"since": today - timedelta(days=DAYS - 1), "until": today}
