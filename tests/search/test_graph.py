import pytest

from indexing.models import Import
from repos.models import File, Repository
from search.fusion import Fused
from search.graph import imported
from search.scope import Scope


def seed(path: str, score: float, lib: Repository) -> Fused:
    file = File.objects.get(path=path)
    return Fused(lib.pk, file.id, 1, score, score, ())


@pytest.fixture
def links(lib: Repository) -> None:
    """server imports sessions, as written; the guide is made to import client and sessions."""
    guide = File.objects.get(path="docs/guide.md")
    for number, target in enumerate(["src/web/client.ts", "src/app/sessions.py"]):
        Import.objects.create(
            repository=lib,
            id=900 + number,
            file_id=guide.id,
            module="x",
            names="",
            line=1,
            target_path=target,
            first_snapshot=1,
        )


def targets(fused: list[Fused], scope: Scope) -> list[str]:
    paths = {file.id: file.path for file in File.objects.all()}
    return [paths[row.file_id] for row in imported(fused, scope)]


def test_what_the_best_files_import(links: None, lib: Repository, scope: Scope):
    fused = [seed("docs/guide.md", 1.0, lib), seed("src/app/server.py", 2.0, lib)]
    assert targets(fused, scope) == ["src/app/sessions.py", "src/web/client.ts"]


def test_imports_of_other_snapshots_do_not_count(links: None, lib: Repository, scope: Scope):
    Import.objects.update(last_snapshot=0)
    assert targets([seed("docs/guide.md", 1.0, lib)], scope) == []


def test_nothing_found_imports_nothing(scope: Scope):
    assert imported([], scope) == []
