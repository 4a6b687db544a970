"""What a person fills in to review findings, to ask after a value, and to set the policy."""

import re
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from compliance.findings.lookup import SHORTEST
from indexing.policy_models import FindingReview, ScrubPattern, ScrubSettings
from indexing.scrubbing.custom import PatternRefused, check
from indexing.scrubbing.kinds import BUILT_IN
from repos.models import Repository

Scope = FindingReview.Scope
HERE, EVERYWHERE = "here", "everywhere"
_OFF = {"autocomplete": "off", "spellcheck": "false", "autocapitalize": "off"}
_KIND = re.compile(r"[a-z][a-z0-9_]{1,39}")


class ReviewForm(forms.Form):
    decision = forms.ChoiceField(
        label=_("Decision"),
        choices=[
            ("dismissed", _("Dismiss: it is no secret. The next run leaves it in the text")),
            ("confirmed", _("Confirm: it is one. The next run redacts it where it is flagged")),
        ],
        widget=forms.RadioSelect,
    )
    scope = forms.ChoiceField(label=_("What it speaks of"), widget=forms.RadioSelect)
    glob = forms.CharField(
        label=_("Files"),
        required=False,
        max_length=1000,
        help_text=_("For files: a path, * within a folder, ** across folders."),
        widget=forms.TextInput(attrs={**_OFF, "class": "mono"}),
    )
    where = forms.ChoiceField(label=_("Where"), widget=forms.RadioSelect)
    reason = forms.CharField(
        label=_("Reason"), max_length=500, widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(
        self,
        *args: Any,
        kinds: list[str],
        slugs: list[str],
        by_value: bool = True,
        **more: Any,
    ) -> None:
        super().__init__(*args, **more)
        scopes: list[tuple[str, Any]] = []
        if by_value:
            scopes = [(Scope.VALUE, _("These values, wherever they stand"))]
        if len(kinds) == 1:
            scopes += [
                (Scope.PATH, _("Every %(kind)s in the files named below") % {"kind": kinds[0]}),
                (Scope.KIND, _("Every %(kind)s: the rule is wrong here") % {"kind": kinds[0]}),
            ]
        else:
            del self.fields["glob"]
        self._choose("scope", scopes, scopes[0][0])
        places: list[tuple[str, Any]] = [(EVERYWHERE, _("In every repository"))]
        if len(slugs) == 1:
            places.insert(0, (HERE, _("In %(name)s only") % {"name": slugs[0]}))
        self._choose("where", places, places[0][0])

    def _choose(self, name: str, choices: list[Any], initial: str) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - declared above
        field.choices = choices
        field.initial = initial

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("scope") == Scope.PATH and not cleaned.get("glob"):
            self.add_error("glob", _("Which files?"))
        return cleaned


class LookupForm(forms.Form):
    value = forms.CharField(
        label=_("The value"),
        max_length=20_000,
        min_length=SHORTEST,
        strip=False,
        widget=forms.Textarea(attrs={**_OFF, "rows": 3}),
        help_text=_("A key, a password, a number. It is kept nowhere, and not shown again."),
    )

    def clean_value(self) -> str:
        value = str(self.cleaned_data["value"])
        if len(value.strip()) < SHORTEST:
            raise forms.ValidationError(_("Too short to be told from other text."))
        return value


class PatternForm(forms.ModelForm[ScrubPattern]):
    words = forms.CharField(
        label=_("Keywords"),
        required=False,
        max_length=500,
        widget=forms.TextInput(attrs=_OFF),
        help_text=_("Separated by blanks, in any case; one must stand in a file. Makes it faster."),
    )

    class Meta:
        model = ScrubPattern
        fields = ("name", "kind", "pattern", "confidence", "repository")
        labels = {
            "name": _("Name"),
            "kind": _("Kind"),
            "pattern": _("Regular expression"),
            "confidence": _("Confidence"),
            "repository": _("Repository"),
        }
        help_texts = {
            "kind": _("Small letters, digits and _; it is the name of its findings."),
            "pattern": _("RE2 syntax. With a group ( ), the first one is the secret."),
        }
        widgets = {
            "kind": forms.TextInput(attrs=_OFF),
            "pattern": forms.TextInput(attrs={**_OFF, "class": "mono"}),
        }

    field_order = ("name", "kind", "pattern", "words", "confidence", "repository")

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        field = self.fields["repository"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 - of a foreign key
        field.empty_label = str(_("Every repository"))
        field.queryset = Repository.objects.order_by("slug")
        self.fields["words"].initial = " ".join(self.instance.keywords)

    def clean_kind(self) -> str:
        kind = str(self.cleaned_data["kind"])
        if not _KIND.fullmatch(kind):
            raise forms.ValidationError(_("Small letters, digits and _, at most 40."))
        if kind in BUILT_IN:
            raise forms.ValidationError(_("A built-in rule has this kind already."))
        return kind

    def clean_pattern(self) -> str:
        pattern = str(self.cleaned_data["pattern"])
        try:
            check(pattern)
        except PatternRefused as error:
            message = _("Not a pattern that can be used: %(why)s.") % {"why": error}
            raise forms.ValidationError(message) from error
        return pattern

    def save(self, commit: bool = True) -> ScrubPattern:  # noqa: FBT001, FBT002 - Django's signature
        self.instance.keywords = str(self.cleaned_data["words"]).lower().split()
        return super().save(commit=commit)


class PolicyForm(forms.ModelForm[ScrubSettings]):
    class Meta:
        model = ScrubSettings
        fields = (
            "emails", "phones", "social_security_numbers", "payment_numbers", "cover_flagged",
        )  # fmt: skip
        labels = {
            "emails": _("E-mail addresses"),
            "phones": _("Phone numbers (North America)"),
            "social_security_numbers": _("Social security numbers (USA)"),
            "payment_numbers": _("Card numbers and IBANs"),
            "cover_flagged": _("Redact flagged values in what is embedded or sent"),
        }
