"""Conversations and who may read them: whoever sees the repositories, asked anew every time."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from accounts.models import User
from answers import queries
from answers.models import Answer, Conversation


def readable_by(user: User | AnonymousUser) -> QuerySet[Conversation]:
    """Those with at least one answer that `user` may read."""
    answers = queries.readable_by(user).filter(question__conversation=OuterRef("pk"))
    return Conversation.objects.filter(Exists(answers)).select_related("person")


def own(user: User | AnonymousUser, words: str = "") -> QuerySet[Conversation]:
    """What `user` has asked, the newest first; every word must be in a title or a question."""
    rows = Conversation.objects.filter(person=user.pk)
    for word in words.split():
        asked = Q(title__icontains=word) | Q(questions__text__icontains=word)
        rows = rows.filter(pk__in=Conversation.objects.filter(asked).values("pk"))
    return rows.annotate(count=Count("questions", distinct=True)).order_by("-created", "pk")


def answers_of(conversation: Conversation, user: User | AnonymousUser) -> list[Answer]:
    """The newest answer of each question, as far as `user` may read them, in order."""
    rows = queries.readable_by(user).filter(question__conversation=conversation)
    newest = rows.order_by("question_id", "-created").distinct("question_id")
    return list(newest.select_related("question__conversation__person"))


def hidden_count(conversation: Conversation, user: User | AnonymousUser) -> int:
    """Questions about repositories that `user` may not see."""
    seen = queries.readable_by(user).filter(question__conversation=conversation)
    return conversation.questions.exclude(pk__in=seen.values("question")).count()


def slugs_of(conversation: Conversation) -> list[str]:
    """The repositories of the last question, for the one that follows."""
    last = conversation.questions.order_by("-pk").first()
    return list(last.repositories.values_list("slug", flat=True)) if last else []
