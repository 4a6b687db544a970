"""The upload of a file of questions."""

from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from search.evaluate import Question, QuestionsUnreadable, questions_in

MAX_BYTES = 4 * 1024 * 1024
MAX_QUESTIONS = 2_000


class EvaluationForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=100, required=False)
    questions = forms.FileField(
        label=_("Questions"),
        help_text=_(
            "JSON lines: id, repository, question, gold_files; gold_lines, commit, answerable."
        ),
    )

    def clean_questions(self) -> tuple[str, str]:
        """(name of the file, its text)"""
        file: UploadedFile[Any] = self.cleaned_data["questions"]
        if (file.size or 0) > MAX_BYTES:
            raise forms.ValidationError(_("The file is larger than 4 MiB."))
        name = (file.name or "questions")[-200:]
        try:
            text = file.read().decode("utf-8-sig")
            questions = questions_in(text, name)
        except UnicodeDecodeError:
            raise forms.ValidationError(_("The file is not UTF-8 text.")) from None
        except QuestionsUnreadable as error:
            raise forms.ValidationError(str(error)) from None
        _check(questions, text)
        return name, text


def _check(questions: list[Question], text: str) -> None:
    wrong: Any = None
    if not any(one.answerable for one in questions):
        wrong = _("The file holds no question with a known file.")
    elif len(questions) > MAX_QUESTIONS:
        wrong = _("The file holds more than 2,000 questions.")
    elif len({one.id for one in questions}) < len(questions):
        wrong = _("Two questions have the same id.")
    elif "\0" in text or "\\u0000" in text:
        wrong = _("The file holds a NUL character.")
    if wrong:
        raise forms.ValidationError(wrong)


class CompareForm(forms.Form):
    """Which two runs, and of which channel; the first is the older one."""

    before = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    after = forms.IntegerField(min_value=1, max_value=2**31 - 1)
    channel = forms.CharField(max_length=20, required=False)
