"""The flow of an index run on one screen: fetch, walk, derive, resolve, publish, embed.

Each stage can be killed at any point and run again: what a stage has committed is either
whole and recognised, or undone first. A stage writes inside `progress.writing()`, which a
worker that has lost the run cannot commit. Failures go up to indexing/jobs.py, which writes
them on the run.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from indexing import import_targets, postings, publish, runs, store, trigrams
from indexing.derivation import files_to_derive, outdated_files
from indexing.deriving import read_text
from indexing.embed import Sender, count_set, embedding_model
from indexing.local_model import ModelUnavailable
from indexing.models import IndexRun, RunFailure, RunStage
from indexing.outcomes import store_outcomes
from indexing.progress import Progress
from indexing.reembed import embed_in_run, note_problem
from indexing.scrub import scrub
from indexing.scrub_policy import policy_for
from indexing.scrubbing.policy import Policy
from indexing.secret_names import without_secret_names, without_secrets
from indexing.undo import undo_snapshot
from indexing.workers import DerivePool, Outcome
from outbound.failures import ModelFailed
from repos.classify import Classification, Verdict
from repos.fetching import commit_of_files, fetch, forget_trees, open_source
from repos.git import blob_sha
from repos.models import File, Repository, Snapshot
from repos.snapshots import live_files, write_difference
from repos.walk import WalkedFile, walk

Stage = IndexRun.Stage


def run_stages(run: IndexRun, progress: Progress) -> bool:
    """Bring the repository to the run's snapshot; False where it waits for a confirmation."""
    snapshot = Snapshot.objects.select_related("repository").get(
        repository_id=run.repository_id, number=run.snapshot
    )
    with derive_pool(snapshot.repository) as pool:
        if not _is_finished(run, Stage.WALK):
            start_anew(run, snapshot, progress)
            fetch_source(snapshot, progress)
            ahead = pool if _derives_much(run, snapshot) else None
            walk_files(run, snapshot, progress, ahead)
        if run.preview:
            return False
        if run.searchable is None:
            derive_files(run, snapshot, progress, pool)
    if run.searchable is None:
        resolve(snapshot, progress)
        publish_snapshot(run, snapshot, progress)
    postings.write_postings(snapshot.repository_id, progress)
    enter_trigrams(snapshot, progress)
    embed(run, snapshot, progress)
    return True


def derive_pool(repository: Repository) -> DerivePool:
    """The children start when the first file is there, or when they are told to."""
    return DerivePool(
        processes=settings.PARSER_PROCESSES,
        seconds=settings.PARSE_SECONDS,
        policy=policy_for(repository),
    )


def _derives_much(run: IndexRun, snapshot: Snapshot) -> bool:
    """Then the children begin while the walk, which is one process, leaves cores idle."""
    first = snapshot.repository.published_snapshot is None
    return (first or run.full) and not run.preview


def _is_finished(run: IndexRun, stage: str) -> bool:
    return RunStage.objects.filter(run=run, stage=stage, finished__isnull=False).exists()


def start_anew(run: IndexRun, snapshot: Snapshot, progress: Progress) -> None:
    """Take back what an attempt before this one left half done."""
    with progress.writing():
        undo_snapshot(snapshot)
        RunFailure.objects.filter(run=run).delete()


def fetch_source(snapshot: Snapshot, progress: Progress) -> None:
    def told(_what: str, done: int, total: int) -> None:
        progress.set(done, total)

    with progress.stage(Stage.FETCH, unit="objects"):
        found = fetch(
            snapshot.repository, snapshot.number, progress=told, cancelled=progress.cancelled
        )
        with progress.writing():
            snapshot.commit, snapshot.ref = found.commit, without_secrets(found.ref)
            snapshot.save(update_fields=["commit", "ref"])


def walk_files(
    run: IndexRun, snapshot: Snapshot, progress: Progress, ahead: DerivePool | None = None
) -> None:
    """Classify every path and write the difference; the stage ends in the same transaction.

    `ahead` is given the first texts, so that they are not read twice.
    """
    repository = snapshot.repository
    if ahead:
        ahead.start()
    with progress.stage(Stage.WALK, unit="files"):
        renew = outdated_files(repository, every=run.full)
        known = {
            path: file
            for path, (number, file) in live_files(repository).items()
            if file.classification is Classification.INDEXED and number not in renew
        }
        found = walk(
            open_source(repository, snapshot.number, snapshot.commit),
            excludes=repository.excludes,
            max_bytes=settings.FILE_MAX_BYTES,
            read_text=partial(_read_text, ahead),
            known=known,
            progress=progress.set,
        )
        walked = _with_scrubbed_reasons(list(found), policy_for(repository))
        walked = without_secret_names(walked)
        with progress.writing():
            write_difference(snapshot, walked, renew=renew)
            store.record_failures(run.pk, _failures(walked))
            _name_commit(snapshot, walked)
            RunStage.objects.filter(run=run, stage=Stage.WALK).update(finished=timezone.now())


def _with_scrubbed_reasons(walked: list[WalkedFile], policy: Policy) -> list[WalkedFile]:
    """A reason may quote the repository: where a link leads, a pattern of an ignore file."""
    reasons = {file.reason for file in walked}
    clean = {reason: scrub("", reason, policy=policy).text for reason in reasons}
    changed = {reason for reason, text in clean.items() if reason != text}
    return [
        replace(file, reason=clean[file.reason]) if file.reason in changed else file
        for file in walked
    ]


def _read_text(ahead: DerivePool | None, path: str, data: bytes) -> tuple[Verdict | None, int, str]:
    problem, lines, language = read_text(path, data)
    if ahead and lines and not problem:
        ahead.begin(path, data, blob_sha(data))
    verdict = Verdict(Classification.UNDECODABLE, problem) if problem else None
    return verdict, lines, language


def _failures(walked: list[WalkedFile]) -> Iterator[tuple[str, str]]:
    return ((file.path, file.failure) for file in walked if file.failure)


def _name_commit(snapshot: Snapshot, walked: list[WalkedFile]) -> None:
    if not snapshot.commit:
        snapshot.commit = commit_of_files([(file.path, file.sha) for file in walked])
        snapshot.save(update_fields=["commit"])


def derive_files(run: IndexRun, snapshot: Snapshot, progress: Progress, pool: DerivePool) -> None:
    """Scrub, parse, chunk and store the new files that have no rows yet, in batches."""
    mine = File.objects.filter(
        repository_id=run.repository_id,
        first_snapshot=snapshot.number,
        classification=Classification.INDEXED,
    )
    with progress.stage(Stage.DERIVE, total=mine.count(), unit="files"):
        left_out = partial(_left_out, progress)
        waiting = files_to_derive(snapshot, left_out, pool.begun)
        numbers = waiting.numbers
        progress.set(mine.count() - waiting.count)
        for outcomes in pool.outcomes(waiting.inputs()):
            named = list(_named(outcomes, numbers))
            store_outcomes(progress, snapshot, named)
            progress.add(len(named))


def _named(outcomes: list[Outcome], numbers: Mapping[str, int]) -> Iterator[Outcome]:
    """With the numbers of rows that were not there when the children began; others are dropped."""
    for one in outcomes:
        if one.file_id:
            yield one
        elif one.path in numbers:
            yield replace(one, file_id=numbers[one.path])


def _left_out(progress: Progress, path: str, reason: str) -> None:
    store.record_failures(progress.run.pk, [(path, reason)])
    progress.add(1)


def resolve(snapshot: Snapshot, progress: Progress) -> None:
    with progress.stage(Stage.RESOLVE, unit="imports"), publish.settling_terms():
        publish.refresh_planner(snapshot)
        with progress.writing():
            imports = import_targets.resolve_imports(snapshot)
            publish.count_terms(snapshot)
            publish.reuse_vectors(snapshot)
            publish.count_totals(snapshot)
        progress.set(imports, imports)


def publish_snapshot(run: IndexRun, snapshot: Snapshot, progress: Progress) -> None:
    with progress.stage(Stage.PUBLISH):
        with progress.writing():
            publish.publish(run, snapshot)
        forget_trees(snapshot.repository, but=snapshot.number)


def enter_trigrams(snapshot: Snapshot, progress: Progress) -> None:
    """Exact search reads the texts that are not entered yet as they stand: nobody waits for it."""
    waiting = trigrams.waiting_texts(snapshot.repository_id)
    with progress.stage(Stage.EXACT, total=waiting, unit="files"):
        trigrams.enter_texts(snapshot.repository_id, progress)


def embed(run: IndexRun, snapshot: Snapshot, progress: Progress) -> None:
    """Vectors come last and are not needed: without a model that answers the run ends well."""
    if not embedding_model():
        return
    repository = snapshot.repository
    subject = f"run:{repository.slug}/{run.number}"
    sender = Sender(
        repository.pk, repository.slug, snapshot.number, snapshot.commit, run.started_by, subject
    )
    row = count_set(sender, embedding_model())
    with progress.stage(Stage.EMBED, total=row.texts, unit="texts"):
        progress.set(row.embedded)
        try:
            embed_in_run(sender, progress)
        except (ModelUnavailable, ModelFailed) as error:
            note_problem(sender, error)
            message = _("Searchable, but without vectors: %s") % error
            row.refresh_from_db()
            if row.embedded:
                message = _("Searchable, but not all vectors are made: %s") % error
            runs.remark(progress.run, "no_vectors", message)
