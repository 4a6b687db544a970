"""Reviews of findings: made, undone, and carried over to a new fingerprint key.

A review changes no stored text by itself: it is recorded with the files that it reaches, and the
next run derives just those again.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from accounts.models import User
from indexing.policy_changes import Reach, record_change
from indexing.policy_models import FindingReview, PolicyChange, ReviewedValue
from indexing.scrubbing.reviews import path_pattern
from repos.models import Repository

Decision, Scope = FindingReview.Decision, FindingReview.Scope
_REACH = {Scope.VALUE: Reach.VALUES, Scope.PATH: Reach.PATH, Scope.KIND: Reach.KINDS}
_BATCH = 5_000


@dataclass(frozen=True, slots=True)
class Value:
    """A value as findings know it."""

    kind: str
    fingerprint: bytes
    key_id: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person decided and why; `repository` None is everywhere."""

    decision: FindingReview.Decision
    reason: str
    person: User
    repository: Repository | None


@transaction.atomic
def review_values(verdict: Verdict, values: Iterable[Value]) -> FindingReview:
    """One decision about these values, which is undone as a whole."""
    distinct = list(dict.fromkeys(values))
    review = _new(verdict, Scope.VALUE)
    ReviewedValue.objects.bulk_create(
        [
            ReviewedValue(
                review=review, kind=one.kind, key_id=one.key_id, fingerprint=one.fingerprint
            )
            for one in distinct
        ],
        batch_size=_BATCH,
    )
    _record(review)
    return review


@transaction.atomic
def review_path(verdict: Verdict, *, kind: str, glob: str) -> FindingReview:
    review = _new(verdict, Scope.PATH, kind=kind, glob=glob, path_regex=path_pattern(glob))
    _record(review)
    return review


@transaction.atomic
def review_kind(verdict: Verdict, *, kind: str) -> FindingReview:
    review = _new(verdict, Scope.KIND, kind=kind)
    _record(review)
    return review


@transaction.atomic
def undo_review(review: FindingReview, person: User) -> bool:
    """False where somebody else has undone it already."""
    mine = FindingReview.objects.filter(pk=review.pk, undone__isnull=True)
    if not mine.update(undone=timezone.now(), undone_by=person):
        return False
    _record(review)
    return True


def _new(verdict: Verdict, scope: FindingReview.Scope, **more: str) -> FindingReview:
    return FindingReview.objects.create(
        decision=verdict.decision,
        scope=scope,
        reason=verdict.reason,
        person=verdict.person,
        repository=verdict.repository,
        **more,
    )


def _record(review: FindingReview) -> PolicyChange:
    values = review.values.values_list("fingerprint", flat=True)
    return record_change(
        _REACH[Scope(review.scope)],
        repository=review.repository,
        kinds=[review.kind] if review.kind else [],
        path_regex=review.path_regex,
        fingerprints=[bytes(one) for one in values],
    )


def remember_recognised(pairs: Sequence[tuple[bytes, bytes]], key_id: str) -> None:
    """Values that a review knew by an earlier key go on being known by the present one."""
    present = dict(pairs)
    known = ReviewedValue.objects.filter(fingerprint__in=list(present))
    ReviewedValue.objects.bulk_create(
        [
            ReviewedValue(
                review_id=row.review_id,
                kind=row.kind,
                key_id=key_id,
                fingerprint=present[bytes(row.fingerprint)],
            )
            for row in known
        ],
        ignore_conflicts=True,
        batch_size=_BATCH,
    )
