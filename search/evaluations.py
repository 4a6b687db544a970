"""Evaluations that are kept: from a file of questions to rows, in this process or by a worker.

A claim is a conditional update with a heartbeat, as for index runs; a run that is taken again
begins by taking back what the attempt before it wrote.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django_q.tasks import async_task

from accounts.models import User
from indexing.embed import embedding_model
from indexing.terms import TERMS_VERSION
from repos.gitprocess import GitError
from repos.gitread import head_commit
from repos.models import Repository, Snapshot
from search import channels, fusion
from search.evaluate import FUSED, questions_in
from search.models import STALLED_AFTER, EvaluationResult, EvaluationRun
from search.preparing import SourceMissing
from search.results import Result, figures, judge_for, measure
from search.retrieval import scope_of
from search.scope import Scope

JOB = "search.jobs.run_evaluation"
CHANNELS = (FUSED, channels.LEXICAL, channels.SEMANTIC)
AT_ONCE = 20  # questions between two heartbeats
State = EvaluationRun.State


def settings_that_matter() -> dict[str, Any]:
    return {
        "embedding_model": embedding_model(),
        "terms_version": TERMS_VERSION,
        "bm25": {"k1": channels.K1, "b": channels.B, "title": channels.TITLE, "doc": channels.DOC},
        "weights": fusion.WEIGHTS,
    }


def own_commit() -> str:
    """The commit of Footnote itself, "" where it does not run from a clone."""
    git_dir = Path(settings.BASE_DIR) / ".git"
    try:
        return head_commit(git_dir) if git_dir.is_dir() else ""
    except GitError:
        return ""


def new_run(*, name: str, source: str, text: str, person: User | None = None) -> EvaluationRun:
    """Checked and saved, not yet started; raises QuestionsUnreadable."""
    questions = questions_in(text, source)
    return EvaluationRun.objects.create(
        name=name or source,
        questions_name=source,
        questions_sha256=hashlib.sha256(text.encode()).hexdigest(),
        questions_text=text,
        commit=own_commit(),
        measured_with=settings_that_matter(),
        total=len(questions),
        person=person,
    )


def enqueue(run: EvaluationRun) -> None:
    """Hand it to a worker; one that stalled is taken anew. Nothing if it is under way."""
    with transaction.atomic():
        waiting = Q(state=State.QUEUED) | Q(state=State.FAILED) | _stalled()
        taken = EvaluationRun.objects.filter(waiting, pk=run.pk).update(
            state=State.QUEUED, heartbeat=timezone.now(), error="", asked=0
        )
        if taken:
            async_task(JOB, run.pk, task_name=f"evaluation-{run.pk}")


def claim(run_id: int) -> EvaluationRun | None:
    """The run, if it is ours now; None if it is gone, finished or somebody else's."""
    free = Q(state=State.QUEUED) | _stalled()
    taken = EvaluationRun.objects.filter(free, pk=run_id).update(
        state=State.RUNNING, heartbeat=timezone.now()
    )
    return EvaluationRun.objects.get(pk=run_id) if taken else None


def _stalled() -> Q:
    return Q(state=State.RUNNING, heartbeat__lt=timezone.now() - STALLED_AFTER)


def carry_out(run: EvaluationRun) -> None:
    """Ask every question of the run; raises SourceMissing."""
    run.results.all().delete()
    questions = questions_in(run.questions_text, run.questions_name)
    scopes = {key: scope_at(*key) for key in {(one.repository, one.commit) for one in questions}}
    judge = judge_for(questions)
    found: list[Result] = []
    for start in range(0, len(questions), AT_ONCE):
        part = questions[start : start + AT_ONCE]
        results = list(
            measure(part, lambda one: scopes[one.repository, one.commit], CHANNELS, judge)
        )
        save_results(run, results)
        found += results
        asked = start + len(part)
        EvaluationRun.objects.filter(pk=run.pk).update(asked=asked, heartbeat=timezone.now())
    finish(run, found)


def finish(run: EvaluationRun, found: Sequence[Result]) -> None:
    EvaluationRun.objects.filter(pk=run.pk).update(state=State.DONE, figures=figures(found))


def fail(run: EvaluationRun, message: str) -> None:
    EvaluationRun.objects.filter(pk=run.pk).update(state=State.FAILED, error=message)


def save_results(run: EvaluationRun, results: Iterable[Result]) -> None:
    rows = []
    for one in results:
        fields = {**asdict(one), "top": list(one.top)}
        rows.append(EvaluationResult(run=run, question_id=fields.pop("id"), **fields))
    EvaluationResult.objects.bulk_create(rows)


def results_of(run: EvaluationRun, channel: str = "") -> list[Result]:
    rows = run.results.filter(channel=channel) if channel else run.results.all()
    names = [name for name in Result.__slots__ if name not in {"id", "top"}]
    return [
        Result(
            id=row.question_id, top=tuple(row.top), **{name: getattr(row, name) for name in names}
        )
        for row in rows
    ]


def scope_at(name: str, commit: str) -> Scope:
    """A repository by slug or name, at a commit that is indexed or as published; "" is all."""
    if not name:
        return scope_of(Repository.objects.filter(published_snapshot__gt=0))
    known = Repository.objects.filter(Q(slug=name) | Q(name=name), published_snapshot__gt=0)
    repository = known.order_by("pk").first()
    if repository is None:
        raise SourceMissing(_("%(name)s is not indexed here.") % {"name": name})
    if not commit:
        return scope_of(Repository.objects.filter(pk=repository.pk))
    snapshot = Snapshot.objects.filter(
        repository__in=known, commit=commit, state=Snapshot.State.PUBLISHED
    ).last()
    if snapshot is None:
        message = _("%(name)s is not indexed at the commit %(commit)s.")
        raise SourceMissing(message % {"name": name, "commit": commit[:8]})
    chosen = Repository.objects.filter(pk=snapshot.repository_id)
    return scope_of(chosen, at={snapshot.repository_id: snapshot.number})
