"""Stores what the parser children gave; a file the database refuses costs that file alone."""

from collections.abc import Sequence

from django.db import DatabaseError, DataError
from psycopg.errors import InternalError_, ProgramLimitExceeded

from indexing import store
from indexing.progress import Progress
from indexing.reviews import remember_recognised
from indexing.workers import FailedFile, Outcome
from repos.models import Snapshot


def store_outcomes(progress: Progress, snapshot: Snapshot, outcomes: Sequence[Outcome]) -> None:
    """All rows of a batch in one transaction; where a value is refused, file by file."""
    try:
        _write(progress, snapshot, outcomes)
    except DatabaseError as error:
        if not _is_about_values(error):
            raise
        if len(outcomes) > 1:
            for one in outcomes:
                store_outcomes(progress, snapshot, [one])
        else:
            # The type alone: the server's message quotes the row.
            reason = f"the database could not store it ({type(error.__cause__).__name__})"
            _write(progress, snapshot, [FailedFile(*_named(outcomes[0]), reason)])


def _is_about_values(error: DatabaseError) -> bool:
    # InternalError_ is what a type says of binary input that breaks its bounds.
    refused = (ProgramLimitExceeded, InternalError_)
    return isinstance(error, DataError) or isinstance(error.__cause__, refused)


def _named(outcome: Outcome) -> tuple[int, str]:
    return outcome.file_id, outcome.path


def _write(progress: Progress, snapshot: Snapshot, outcomes: Sequence[Outcome]) -> None:
    failed = [one for one in outcomes if isinstance(one, FailedFile)]
    derived = [one for one in outcomes if not isinstance(one, FailedFile)]
    reasons = [(one.path, one.reason) for one in failed]
    reasons += [(one.path, one.failure) for one in derived if one.failure]
    with progress.writing():
        store.write_derived(snapshot.repository_id, snapshot.number, derived)
        for one in derived:
            if one.recognised:
                remember_recognised(one.recognised, one.key_id)
        store.record_failures(progress.run.pk, reasons)
