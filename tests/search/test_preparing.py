"""Repositories for an evaluation are asked as those of a worker are."""

import subprocess
from pathlib import Path

import pytest
from django.test import override_settings

from indexing.models import Content
from search.postings import totals_of
from search.preparing import prepare
from search.retrieval import scope_of
from tests import factories


def commit(folder: Path) -> str:
    factories.write_files(folder, {"app.py": "def run():\n    return 1\n"})
    person = ("-c", "user.name=A", "-c", "user.email=a@localhost")
    for arguments in (("init", "-q"), ("add", "-A"), (*person, "commit", "-qm", "one")):
        subprocess.run(["git", *arguments], cwd=folder, check=True)
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True)
    return head.stdout.decode().strip()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("here")
def test_questions_are_asked_of_postings_and_trigrams(tmp_path: Path):
    sha = commit(tmp_path / "acme" / "app")
    with override_settings(EMBEDDING_MODEL="none", CLONES=tmp_path / "clones"):
        repository = prepare("acme/app", sha, tmp_path)
    scope = scope_of(type(repository).objects.filter(pk=repository.pk))
    waiting = Content.objects.filter(repository_id=repository.pk, trigram_indexed=False)
    assert (totals_of(scope).complete, waiting.exists()) == (True, False)
