"""The question form. What a question may be is said in answering.readable alone."""

from typing import Any, cast

from django import forms
from django.contrib.auth.models import AnonymousUser
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from answers.answering import QUESTION_CHARS
from repos.models import Repository


class QuestionText(forms.Field):
    """As it was sent: a CharField would refuse NUL with a message about null characters."""

    widget = forms.Textarea

    def to_python(self, value: object) -> str:
        return str(value or "")

    def validate(self, value: object) -> None:
        """An empty question is refused with what answering says of it."""


class AskForm(forms.Form):
    use_required_attribute = False

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

    def chosen(self) -> list[Repository]:
        """The chosen repositories, or all that may be asked."""
        return list(self.cleaned_data["repositories"] or self.visible)
