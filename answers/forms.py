"""The question form. What a question may be is said in answering.readable alone."""

import uuid
from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from answers.answering import QUESTION_CHARS
from answers.chosen import Chosen
from answers.chosen import read as read_chosen
from answers.models import Conversation
from repos.models import Repository
from search.query import parse_query


class QuestionText(forms.Field):
    """As it was sent: a CharField would refuse NUL with a message about null characters."""

    widget = forms.Textarea

    def to_python(self, value: object) -> str:
        return str(value or "")

    def validate(self, value: object) -> None:
        """An empty question is refused with what answering says of it."""


NARROWING_CHARS = 300


class Filters(forms.CharField):
    """Words of the search's language; what is no filter of it would be a question."""

    def clean(self, value: object) -> str:
        text = " ".join(str(value or "").replace("\x00", "").split())[:NARROWING_CHARS]
        return " ".join(str(one) for one in parse_query(text).filters)


class AskForm(forms.Form):
    use_required_attribute = False

    narrowing = Filters(required=False, widget=forms.HiddenInput)
    slug = forms.CharField(required=False, widget=forms.HiddenInput)
    path = forms.CharField(required=False, widget=forms.HiddenInput, strip=False)
    lines = forms.CharField(required=False, widget=forms.HiddenInput)
    # Drops what it was narrowed to, with what has been typed kept.
    everything = forms.BooleanField(required=False, label=_("Leave this out"))

    question = QuestionText(
        label=_("Question"),
        widget=forms.Textarea(attrs={"rows": 4, "maxlength": QUESTION_CHARS}),
    )
    repositories = forms.ModelMultipleChoiceField(
        queryset=Repository.objects.none(),
        to_field_name="slug",
        label=_("Repositories"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("None chosen: all of them."),
        error_messages={
            "invalid_choice": _("There is no repository “%(value)s” that you may see."),
            "invalid_pk_value": _("There is no repository “%(pk)s” that you may see."),
        },
    )

    def __init__(self, *args: Any, user: User | AnonymousUser, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        visible = Repository.objects.visible_to(user).filter(published_snapshot__isnull=False)
        self.visible = visible.order_by("name")
        field = cast("forms.ModelMultipleChoiceField[Repository]", self.fields["repositories"])
        field.queryset = self.visible
        self.person = user

    def chosen(self) -> list[Repository]:
        """The chosen repositories, or all that may be asked."""
        return list(self.cleaned_data["repositories"] or self.visible)

    def chosen_lines(self) -> list[Chosen]:
        """The lines or the file that the question begins with."""
        return [] if self.cleaned_data["everything"] else self._lines(self.cleaned_data)

    def filters(self) -> str:
        return "" if self.cleaned_data["everything"] else str(self.cleaned_data["narrowing"])

    def narrowed(self) -> str:
        """What the form is limited to, for the reader."""
        given = {name: self[name].value() or "" for name in ("slug", "path", "lines")}
        places = [one.place for one in self._lines(given)]
        return ", ".join([*places, *filter(None, [self["narrowing"].value()])])

    def _lines(self, given: Mapping[str, Any]) -> list[Chosen]:
        found = read_chosen(given["slug"], given["path"], given["lines"])
        return [found] if found else []

    def conversation(self) -> Conversation | None:
        """The person's own conversation that the question goes on with."""
        given = self.data.get("conversation", "")
        try:
            wanted = uuid.UUID(given)
        except ValueError:
            return None
        return Conversation.objects.filter(pk=wanted, person=self.person.pk).first()
