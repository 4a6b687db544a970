"""What a person fills in to import, and the excludes edited in the preview."""

from typing import Any, cast

from django import forms
from django.conf import settings
from django.contrib.auth.models import Group
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from indexing.secret_names import kinds_in
from repos.excludes import PatternList
from repos.forms import EVERYONE, GROUPS
from repos.importing import (
    REF_LENGTH,
    ImportRefused,
    Understood,
    already_imported,
    understand,
    understand_archive,
)
from repos.models import Repository

EXCLUDES_LENGTH = 20_000
FOR_EVERYONE = (EVERYONE, _("Everyone who signs in"))
OPTION_NOT_REF = "-"


class ImportForm(forms.Form):
    source = forms.CharField(
        label=_("Address or folder"),
        required=False,
        max_length=2000,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", "spellcheck": "false", "autocapitalize": "off"}
        ),
    )
    upload = forms.FileField(
        label=_("Or an archive"),
        required=False,
        allow_empty_file=False,
        widget=forms.FileInput(attrs={"accept": ".zip,.tgz,.tar.gz,application/gzip"}),
    )
    ref = forms.CharField(
        label=_("Branch, tag or commit"),
        required=False,
        max_length=REF_LENGTH,
        help_text=_("Left empty: the default branch, or the one in the address."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    token = forms.CharField(
        label=_("Access token"),
        required=False,
        max_length=1000,
        help_text=_("For private repositories. It is stored encrypted and never shown."),
        widget=forms.PasswordInput(attrs={"autocomplete": "off"}),
    )
    name = forms.CharField(
        label=_("Name"),
        required=False,
        max_length=200,
        help_text=_("Left empty: the name of the project or folder."),
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    audience = forms.ChoiceField(
        label=_("Who may see it"),
        choices=[FOR_EVERYONE, (GROUPS, _("You and these groups"))],
        initial=EVERYONE,
        widget=forms.RadioSelect,
    )
    groups = forms.ModelMultipleChoiceField(
        Group.objects.order_by("name"),
        label=_("Groups"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )
    again = forms.BooleanField(label=_("Import it a second time"), required=False)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        self.understood: Understood | None = None
        self.imported: Repository | None = None
        for name in ("source", "ref", "token", "upload"):
            self.fields[name].widget.attrs["aria-describedby"] = f"id_{name}_helptext"
        if not Group.objects.exists():
            del self.fields["groups"]
            audience = cast("forms.ChoiceField", self.fields["audience"])
            audience.choices = [FOR_EVERYONE, (GROUPS, _("You and administrators"))]

    def clean_source(self) -> str:
        text = str(self.cleaned_data["source"]).strip()
        if text:
            self.understood = self._understand(text)
        return text

    def clean_upload(self) -> Any:
        upload = self.cleaned_data["upload"]
        if upload and upload.size > settings.ARCHIVE_MAX_BYTES:
            message = _("The archive is larger than %(limit)d MB (FOOTNOTE_ARCHIVE_MAX_MB).")
            raise forms.ValidationError(
                message, params={"limit": settings.ARCHIVE_MAX_BYTES // 2**20}
            )
        if upload:
            self._archive = self._understand_archive(upload.name)
        return upload

    def clean_ref(self) -> str:
        ref = str(self.cleaned_data["ref"])
        if ref.startswith(OPTION_NOT_REF) or any(not c.isprintable() or c == " " for c in ref):
            raise forms.ValidationError(_("No branch or tag can have such a name."))
        return ref

    def clean_token(self) -> str:
        token = str(self.cleaned_data["token"])
        if any(not char.isprintable() or char.isspace() for char in token):
            raise forms.ValidationError(_("A token holds no blanks or invisible characters."))
        return token

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if self.errors:
            return data
        if bool(data.get("source")) == bool(data.get("upload")):
            both = _("Give an address or an archive, not both.")
            none = _("Paste an address, choose a folder, or upload an archive.")
            self.add_error("source", both if data.get("upload") else none)
            return data
        if data.get("upload"):
            self.understood = self._archive
        if self._names_a_secret():
            return data
        self._look_for_the_same()
        return data

    def _names_a_secret(self) -> bool:
        """Names are kept and shown to everybody who may see the repository."""
        upload = self.cleaned_data.get("upload")
        texts = {name: str(self.cleaned_data.get(name, "")) for name in ("source", "ref", "name")}
        texts["upload"] = upload.name if upload else ""
        for field, text in texts.items():
            if kinds := kinds_in(text):
                message = _("This name holds a credential (%(kinds)s), and names are kept.")
                self.add_error(
                    field, forms.ValidationError(message, params={"kinds": ", ".join(kinds)})
                )
        return bool(self.errors)

    def _look_for_the_same(self) -> None:
        if self.understood is None or self.cleaned_data["again"]:
            return
        ref = self.cleaned_data["ref"]
        self.imported = already_imported(self.understood, self.user, ref=ref)
        if self.imported is not None:
            self.add_error("source", _("This is imported already."))

    @staticmethod
    def _understand(text: str) -> Understood:
        try:
            return understand(text, from_shell=False)
        except ImportRefused as error:
            raise forms.ValidationError(str(error)) from error

    @staticmethod
    def _understand_archive(name: str) -> Understood:
        try:
            return understand_archive(name)
        except ImportRefused as error:
            raise forms.ValidationError(str(error)) from error


class ExcludesForm(forms.Form):
    excludes = forms.CharField(
        label=_("Leave out"),
        required=False,
        max_length=EXCLUDES_LENGTH,
        strip=False,
        help_text=_(
            "One gitignore pattern a line, such as docs/ or *.csv. It becomes a setting of "
            "the repository."
        ),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["excludes"].widget.attrs["aria-describedby"] = "id_excludes_helptext"

    def clean_excludes(self) -> str:
        text = str(self.cleaned_data["excludes"]).replace("\r\n", "\n")
        refused = PatternList(text).refused
        if refused:
            shown = ", ".join(line.strip()[:80] for line in refused[:5])
            message = _("Not a pattern that can be used: %(lines)s")
            raise forms.ValidationError(message, params={"lines": shown})
        return text
