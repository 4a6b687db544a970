"""Forms about people. New people choose their own password behind a one-time link."""

from typing import Any

from django import forms
from django.contrib.auth.forms import BaseUserCreationForm
from django.contrib.auth.models import Group
from django.utils.translation import gettext_lazy as _

from accounts.models import User

ROLE_HELP = _(
    "Compliance officers enter the console and decide there; auditors enter it and only read. "
    "Neither sees more code than a member."
)


class FirstAdministratorForm(BaseUserCreationForm[User]):
    class Meta:
        model = User
        fields = ("username", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = ""

    def save(self, commit: bool = True) -> User:  # noqa: FBT001, FBT002 - Django's signature
        self.instance.is_superuser = self.instance.is_staff = True
        return super().save(commit=commit)


class ThemeForm(forms.ModelForm[User]):
    class Meta:
        model = User
        fields = ("theme",)
        widgets = {"theme": forms.RadioSelect}
        labels = {"theme": _("Theme")}


class _GroupsForm(forms.ModelForm[User]):
    groups = forms.ModelMultipleChoiceField(
        Group.objects.order_by("name"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        label=_("Groups"),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not Group.objects.exists():
            del self.fields["groups"]
        if self.is_bound and self.add_prefix("role") not in self.data:
            del self.fields["role"]  # what is not sent stays as it is


class NewPersonForm(_GroupsForm):
    class Meta:
        model = User
        fields = ("username", "email", "role", "groups")
        help_texts = {"username": "", "role": ROLE_HELP}


class PersonForm(_GroupsForm):
    """What an administrator may change of a person; `acting` is that administrator."""

    administrator = forms.BooleanField(
        required=False,
        label=_("Administrator"),
        help_text=_("Sees and changes every repository, and manages people."),
    )

    class Meta:
        model = User
        fields = ("email", "role", "groups", "is_active")
        labels = {"is_active": _("May sign in")}
        help_texts = {"is_active": "", "role": ROLE_HELP}

    field_order = ("email", "administrator", "role", "groups", "is_active")

    def __init__(self, *args: Any, acting: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.acting = acting
        self.fields["administrator"].initial = self.instance.is_superuser

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        stays = cleaned.get("administrator") and cleaned.get("is_active")
        # So that there is always one administrator left.
        if self.instance == self.acting and not stays:
            raise forms.ValidationError(
                _("You cannot take the administrator's rights from yourself. Ask another one.")
            )
        return cleaned

    def save(self, commit: bool = True) -> User:  # noqa: FBT001, FBT002 - Django's signature
        rights = bool(self.cleaned_data["administrator"])
        self.instance.is_superuser = self.instance.is_staff = rights
        return super().save(commit=commit)


class GroupForm(forms.ModelForm[Group]):
    class Meta:
        model = Group
        fields = ("name",)
