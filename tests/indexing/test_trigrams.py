from collections.abc import Callable

import pytest

from indexing import trigrams
from indexing.models import Content, IndexRun
from indexing.progress import Progress
from indexing.runs import claim, start_run
from repos.models import Repository
from tests import factories

FILES = {"a.py": "alpha = 1\n", "b.py": "beta = 2\n"}


def entered(repository: Repository) -> dict[bool, int]:
    flags = list(Content.objects.filter(repository=repository).values_list("trigram_indexed"))
    return {flag: flags.count((flag,)) for flag in (False, True) if (flag,) in flags}


@pytest.mark.django_db
def test_every_text_is_entered_after_a_run(index_files: Callable[..., Repository]):
    assert entered(index_files(FILES)) == {True: 2}


@pytest.mark.django_db
def test_searchable_comes_first(
    index_files: Callable[..., Repository], monkeypatch: pytest.MonkeyPatch
):
    seen = []

    def enter(repository_id: int, progress: Progress) -> int:
        seen.append(IndexRun.objects.get(pk=progress.run.pk).searchable is not None)
        return 0

    monkeypatch.setattr(trigrams, "enter_texts", enter)
    repository = index_files(FILES)
    assert (seen, entered(repository)) == ([True], {False: 2})


@pytest.mark.django_db
def test_the_next_run_enters_what_was_left(
    index_files: Callable[..., Repository], monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patch:
        patch.setattr(trigrams, "enter_texts", lambda *_: 0)
        repository = index_files(FILES)
    factories.index(repository)
    assert entered(repository) == {True: 2}


@pytest.mark.django_db
def test_texts_are_entered_in_batches(
    index_files: Callable[..., Repository], monkeypatch: pytest.MonkeyPatch
):
    repository = index_files({f"f{number}.txt": "x\n" for number in range(7)})
    Content.objects.update(trigram_indexed=False)
    monkeypatch.setattr(trigrams, "BATCH", 3)
    run = claim(start_run(repository).pk)
    assert run is not None
    assert trigrams.enter_texts(repository.pk, Progress(run)) == 7
    assert entered(repository) == {True: 7}


@pytest.mark.django_db
def test_one_statement_enters_no_more_than_a_few_texts(
    index_files: Callable[..., Repository], monkeypatch: pytest.MonkeyPatch
):
    with monkeypatch.context() as patch:
        patch.setattr(trigrams, "enter_texts", lambda *_: 0)
        repository = index_files({f"f{number}.txt": "word " * 400 for number in range(5)})
    monkeypatch.setattr(trigrams, "BATCH_BYTES", 3_000)
    steps: list[int] = []
    run = claim(start_run(repository).pk)
    assert run is not None
    progress = Progress(run)
    monkeypatch.setattr(progress, "add", steps.append)
    assert trigrams.enter_texts(repository.pk, progress) == 5
    assert steps == [2, 2, 1]  # one that is larger than the limit alone would go alone


@pytest.mark.django_db
def test_the_stage_is_shown_and_stops_when_somebody_asks(
    index_files: Callable[..., Repository], monkeypatch: pytest.MonkeyPatch
):
    repository = index_files(FILES)
    stage = repository.runs.get().stages.get(stage="exact")
    assert (stage.done, stage.total, stage.unit) == (2, 2, "files")
    Content.objects.update(trigram_indexed=False)
    monkeypatch.setattr(trigrams, "BATCH", 1)
    monkeypatch.setattr(trigrams, "waiting_texts", ask_to_cancel)
    run = factories.index(repository)
    assert (run.state, entered(repository)) == ("cancelled", {False: 2})
    repository.refresh_from_db()
    assert repository.published_snapshot == 2


def ask_to_cancel(_repository_id: int) -> int:
    IndexRun.objects.filter(state="running").update(cancel_requested=True)
    return 2


@pytest.mark.django_db
def test_a_new_run_does_not_wait_for_it(index_files: Callable[..., Repository]):
    repository = index_files(FILES)
    IndexRun.objects.filter(repository=repository).update(state="running", stage="exact")
    run = start_run(repository)
    assert (run.number, repository.runs.get(number=1).state) == (2, "done")
