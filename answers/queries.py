"""Which answers a person may read, and whether what they quote still stands."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from answers.models import Answer, Citation, Evidence, Question
from indexing.decode import split_lines
from indexing.models import Content
from outbound.models import ModelCall
from repos.models import File, Repository

RECENT = 10


@dataclass(frozen=True, slots=True)
class Spent:
    """All model calls of one answer; `cost` in USD, None where a price is not known."""

    calls: int
    tokens: int
    cost: Decimal | None


@dataclass(frozen=True, slots=True)
class Changed:
    """Cited ranges whose lines no longer stand in the current text of their file."""

    count: int
    total: int
    is_behind: bool  # a newer snapshot of one of the repositories is published


def readable_by(user: User | AnonymousUser) -> QuerySet[Answer]:
    """Answers about repositories that `user` may see, all of them, now."""
    about = Question.repositories.through.objects.filter(question=OuterRef("question"))
    visible = Repository.objects.visible_to(user).values("pk")
    hidden = about.exclude(repository__in=visible)
    # One whose repositories are all deleted is nobody's to read.
    return Answer.objects.filter(Exists(about), ~Exists(hidden))


def recent_answers(user: User | AnonymousUser, limit: int = RECENT) -> list[Answer]:
    """The newest that `user` asked, or that was asked on the command line."""
    asked = Q(question__conversation__person=None)
    if user.is_authenticated:
        asked |= Q(question__conversation__person=user.pk)
    rows = readable_by(user).filter(asked).select_related("question")
    return list(rows.prefetch_related("question__repositories").order_by("-created")[:limit])


def newer_than(answer: Answer) -> Answer | None:
    """The last answer to the same question, where it was asked again since."""
    later = Answer.objects.filter(question=answer.question_id, created__gt=answer.created)
    return later.order_by("-created").first()


def spent_on(answer: Answer) -> Spent | None:
    """None where no model was asked."""
    rows = ModelCall.objects.filter(subject=answer.subject)
    rows = rows.exclude(state__in=ModelCall.KEPT_BACK)
    calls = list(rows.values_list("prompt_tokens", "completion_tokens", "cost"))
    if not calls:
        return None
    costs = [cost for _, _, cost in calls]
    known = None if None in costs else sum((cost for cost in costs if cost), Decimal(0))
    return Spent(len(calls), sum(sent + got for sent, got, _ in calls), known)


def changed_since(citations: Sequence[Citation]) -> Changed:
    """`citations` with evidence and its repository; all of one answer."""
    behind = [one for one in citations if _is_behind(one.evidence)]
    pairs = {(one.evidence.repository_id, one.evidence.path) for one in behind}
    current = {pair: _current_text(*pair, behind) for pair in pairs}
    gone = [
        one
        for one in behind
        if not _holds(current[one.evidence.repository_id, one.evidence.path], one.quote)
    ]
    return Changed(len(gone), len(citations), bool(behind))


def _is_behind(evidence: Evidence) -> bool:
    published = evidence.repository.published_snapshot
    return published is not None and published != evidence.snapshot


def _current_text(repository: int, path: str, citations: Sequence[Citation]) -> str:
    """The lines of the file as published now, "" where it is gone."""
    number = next(
        one.evidence.repository.published_snapshot
        for one in citations
        if one.evidence.repository_id == repository
    )
    file = File.objects.in_snapshot(repository, number or 0).filter(path=path).first()
    if file is None:
        return ""
    rows = Content.objects.filter(repository=repository, file_id=file.id)
    text = rows.values_list("text", flat=True).first() or ""
    return "\n".join(split_lines(text))


def _holds(text: str, quote: str) -> bool:
    """Whether the quote stands in the text as whole lines, wherever."""
    return f"\n{quote}\n" in f"\n{text}\n"
