"""Ask the questions of an evaluation, one after the other, as people ask them.

Evidence, prompt, stream, check and rows are those of every answer; the answer is claimed in the
transaction that makes it, so that no worker of the installation writes it, and goes afterwards.
"""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from django.conf import settings
from django.db import transaction

from answers import claims, voice
from answers.answering import QuestionRefused, ask_in
from answers.evaluating import judging
from answers.evaluating.measures import Measured, measured
from answers.evaluating.questions import AskedQuestion
from answers.evaluating.replies import Heard, Listening, Recorded, ReplyMissing
from answers.jobs import write_answer
from answers.models import Answer
from repos.models import Repository, RepositoryQuerySet
from search.channels import QueryTooSlow
from search.evaluations import scope_at
from search.preparing import SourceMissing, indexed_at, prepare

EXTRACTS = "extracts"  # stands for a model where there is none


@dataclass(slots=True)
class Evaluation:
    """`voice` is who replies; `sources` are clones to index where a commit is not indexed."""

    voice: Listening
    sources: Path | None = None
    forbidden: Collection[str] = ()
    keeps: bool = False
    _places: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def measure(self, questions: Iterable[AskedQuestion], model: str) -> Iterator[Measured]:
        """Raises SourceMissing, and ReplyMissing where replies are played back."""
        for question in questions:
            repositories = self._repositories(question)
            with answered_by(model), voice.speaking(self.voice):
                yield self._one(question, repositories, model)

    def _one(
        self, question: AskedQuestion, repositories: RepositoryQuerySet, model: str
    ) -> Measured:
        self.voice.heard = heard = Heard()
        try:
            answer = _answered(question.text, repositories, by_model=model != EXTRACTS)
        except (QuestionRefused, QueryTooSlow) as error:
            return _refused(question, model, str(error) or type(error).__name__)
        self._check_replies()
        found = measured(question, answer, model=model, heard=heard, forbidden=self.forbidden)
        if settings.JUDGE_MODEL and question.reference:
            found = replace(found, score=judging.score(answer, question.text, question.reference))
        if not self.keeps:
            answer.question.conversation.delete()
        return found

    def _check_replies(self) -> None:
        if isinstance(self.voice.voice, Recorded) and self.voice.voice.missing:
            raise ReplyMissing(self.voice.voice.missing[0])

    def _repositories(self, question: AskedQuestion) -> RepositoryQuerySet:
        key = question.repository, question.commit
        if key not in self._places:
            self._places[key] = self._place(*key)
        return Repository.objects.filter(pk__in=self._places[key])

    def _place(self, name: str, commit: str) -> list[int]:
        if not (name and commit):
            return list(scope_at(name, "").repositories)
        if self.sources is not None:
            return [prepare(name, commit, self.sources).pk]
        found = indexed_at(name, commit)
        if found is None:
            # An older snapshot will not do: questions are answered from what is published.
            raise SourceMissing(f"{name} at {commit[:8]} is not what is published here.")
        return [found.pk]


@contextmanager
def answered_by(model: str) -> Iterator[None]:
    """With this model and no fallback, or it would be another that is measured."""
    before = settings.ANSWER_MODEL, settings.ANSWER_FALLBACK_MODEL
    settings.ANSWER_MODEL = "" if model == EXTRACTS else model
    settings.ANSWER_FALLBACK_MODEL = ""
    try:
        yield
    finally:
        settings.ANSWER_MODEL, settings.ANSWER_FALLBACK_MODEL = before


def _answered(text: str, repositories: RepositoryQuerySet, *, by_model: bool) -> Answer:
    with transaction.atomic():
        answer = ask_in(repositories, text, by_model=by_model)
        claimed = claims.claim(answer.pk) if answer.is_running else None
    if claimed is not None:
        write_answer(claimed)
        answer.refresh_from_db()
    return answer


def _refused(question: AskedQuestion, model: str, error: str) -> Measured:
    return Measured(
        group=question.group,
        id=question.id,
        model=model,
        repository=question.repository,
        question=question.text,
        answerable=question.answerable,
        state=Answer.State.FAILED,
        error=error,
    )
