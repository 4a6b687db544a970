"""What the search page accepts. The query itself is never refused: search/query.py reads it."""

from django import forms
from django.utils.translation import gettext_lazy as _

PAGES = 100  # of results; deeper ones are not ranked


class SearchForm(forms.Form):
    # Not a CharField: that refuses NUL and strips, and a pasted query may hold both.
    q = forms.Field(required=False)
    page = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=PAGES,
        error_messages={
            "invalid": _("The page is a number."),
            "min_value": _("Pages count from 1."),
            "max_value": _("Results end at page %(limit_value)s; add a word or a filter."),
        },
    )
    after = forms.CharField(required=False)  # where a search line by line goes on
    repository = forms.SlugField(required=False, allow_unicode=False)
    at = forms.RegexField(
        r"^[0-9a-f]{4,64}$",
        required=False,
        error_messages={"invalid": _("`at` is a commit: 4 to 64 hexadecimal digits.")},
    )
