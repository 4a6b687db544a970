"""What the templates of an answer's page are given, as a whole and part by part."""

from typing import Any

from django.http import HttpRequest

from accounts.models import User
from accounts.roles import may_enter_console
from answers import wording
from answers.models import AnswerRating
from answers.queries import newer_than, spent_on
from answers.reading import Shown


def context_of(request: HttpRequest, shown: Shown) -> dict[str, Any]:
    answer = shown.answer
    person = request.user if isinstance(request.user, User) else None
    conversation = answer.question.conversation
    is_mine = conversation.person_id is not None and conversation.person == person
    spent = spent_on(answer) if not answer.is_running else None
    return {
        "answer": answer,
        "shown": shown,
        "searched": answer.searched,
        "label": wording.label(answer),
        "steps": wording.steps(answer.searched),
        "found_by": wording.found_by(answer.searched),
        "notes": wording.notes(answer),
        "why": wording.why_abstained(answer),
        "advice": wording.advice(answer.searched),
        "reason": wording.reason(answer),
        "narrowed": wording.narrowed(answer.question),
        "spent": spent,
        "may_see_calls": spent is not None and (is_mine or may_enter_console(request.user)),
        "is_mine": is_mine,
        "newer": newer_than(answer),
        "rating": AnswerRating.objects.filter(answer=answer, person=person).first(),
    }
