"""Settings of a repository."""

from typing import Any

from django import forms
from django.contrib.auth.models import Group
from django.utils.translation import gettext_lazy as _

from repos import tokens
from repos.excludes import PatternList
from repos.fetching import token_keys
from repos.models import Repository

EVERYONE, GROUPS = "everyone", "groups"


class SettingsForm(forms.ModelForm[Repository]):
    audience = forms.ChoiceField(
        label=_("Who may see it"),
        choices=[
            (EVERYONE, _("Everyone who signs in")),
            (GROUPS, _("The owner, administrators and chosen groups")),
        ],
        widget=forms.RadioSelect,
    )
    groups = forms.ModelMultipleChoiceField(
        Group.objects.order_by("name"),
        label=_("Groups"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    new_token = forms.CharField(
        label=_("Access token"),
        required=False,
        max_length=1000,
        strip=True,
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    clear_token = forms.BooleanField(label=_("Remove the stored token"), required=False)

    class Meta:
        model = Repository
        fields = ("name", "excludes", "groups")
        labels = {"name": _("Name"), "excludes": _("Left out")}
        help_texts = {
            "excludes": _("One gitignore pattern a line. It takes effect with the next run.")
        }
        widgets = {"excludes": forms.Textarea(attrs={"rows": 6, "spellcheck": "false"})}

    field_order = ("name", "audience", "groups", "excludes", "new_token", "clear_token")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not Group.objects.exists():
            del self.fields["groups"]
        self.fields["audience"].initial = EVERYONE if self.instance.everyone else GROUPS
        if self.instance.source != Repository.Source.GIT:
            del self.fields["new_token"], self.fields["clear_token"]
            return
        if not self.instance.token:
            del self.fields["clear_token"]
        stored = _("One is stored; a new one replaces it.")
        unset = _("For private repositories. It is stored encrypted and never shown.")
        self.fields["new_token"].help_text = stored if self.instance.token else unset

    def clean_excludes(self) -> str:
        text = str(self.cleaned_data["excludes"]).replace("\r\n", "\n")
        if refused := PatternList(text).refused:
            message = _("Not a pattern that can be used: %(line)s") % {"line": refused[0][:200]}
            raise forms.ValidationError(message)
        return text

    def clean_new_token(self) -> str:
        token = str(self.cleaned_data["new_token"])
        if any(not char.isprintable() or char.isspace() for char in token):
            raise forms.ValidationError(_("A token holds no blanks or invisible characters."))
        return token

    def save(self, commit: bool = True) -> Repository:  # noqa: FBT001, FBT002 - Django's signature
        self.instance.everyone = self.cleaned_data["audience"] == EVERYONE
        if token := self.cleaned_data.get("new_token"):
            self.instance.token = tokens.encrypt(token, token_keys())
        elif self.cleaned_data.get("clear_token"):
            self.instance.token = b""
        return super().save(commit=commit)


class DeleteForm(forms.Form):
    typed = forms.CharField(label=_("Type the name to confirm"), strip=True)
    why = forms.CharField(
        label=_("Why"),
        required=False,
        max_length=500,
        help_text=_("It stands in the record of the deletion."),
    )

    def __init__(self, *args: Any, name: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.name = name

    def clean_typed(self) -> str:
        typed = str(self.cleaned_data["typed"])
        if typed != self.name.strip():
            raise forms.ValidationError(_("This is not the name of the repository."))
        return typed

    def reason(self) -> str:
        return str(self.cleaned_data["why"]).replace("\x00", "")
