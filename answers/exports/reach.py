"""Which conversations a person may take away: every repository of every question, now."""

from collections.abc import Sequence

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, QuerySet

from accounts.models import User
from answers.models import Answer, Conversation, Question
from repos.models import Repository


def conversations_readable_by(user: User | AnonymousUser) -> QuerySet[Conversation]:
    about = Question.repositories.through.objects.filter(question__conversation=OuterRef("pk"))
    visible = Repository.objects.visible_to(user).values("pk")
    hidden = about.exclude(repository__in=visible)
    return Conversation.objects.filter(Exists(about), ~Exists(hidden))


def newest_answers(conversation: Conversation) -> Sequence[Answer]:
    """The newest answer of each question that has one, in the order of the questions."""
    rows = Answer.objects.filter(question__conversation=conversation)
    newest = rows.order_by("question_id", "-created").distinct("question_id")
    return list(newest.select_related("question__conversation__person"))
