"""export_index gives every path with its rows, streamed, for any published snapshot."""

import io
import json
import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.models import AuditEvent
from indexing.export import exported_files
from repos.models import File, Repository, Snapshot
from tests import factories

FILES = {
    ".env": "A=1\n",
    "a.py": "from b import g, h\nimport os\n\n\nclass K:\n    def f(self):\n        return g()\n",
    "b.py": "def g():\n    '''Gives one.'''\n    return 1\n",
}


@pytest.fixture
def lib(here, index_files):
    return index_files(FILES)


def export(*arguments: str) -> str:
    out = io.StringIO()
    call_command("export_index", *arguments, stdout=out)
    return out.getvalue()


def lines(*arguments: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in export(*arguments).splitlines()]


def test_the_first_line_is_about_the_snapshot(lib):
    head = lines("lib")[0]
    assert (head["repository"], head["snapshot"], head["ref"]) == ("lib", 1, "")
    assert head["commit"] == lib.snapshots.get().commit
    assert head["counts"] == {
        "files": 3, "indexed_files": 2, "lines": 10, "bytes": 119, "symbols": 3, "chunks": 2,
    }  # fmt: skip


def test_a_path_comes_with_all_that_hangs_off_it(lib):
    file = lines("lib")[2]
    symbols, chunks = file.pop("symbols"), file.pop("chunks")
    blob = File.objects.get(path="a.py").blob_sha
    assert file == {
        "path": "a.py", "raw_path": None, "blob": blob, "mode": "100644", "bytes": 76,
        "classification": "indexed", "reason": "", "language": "python", "line_count": 7,
        "since_snapshot": 1, "encoding": "utf-8", "remarks": "",
        "imports": [
            {"module": "b", "names": ["g", "h"], "line": 1, "target_path": "b.py"},
            {"module": "os", "names": [], "line": 2, "target_path": None},
        ],
    }  # fmt: skip
    assert symbols[1] == {
        "name": "f", "qualified_name": "K.f", "kind": "method", "parent": "K", "start_line": 6,
        "name_line": 6, "end_line": 7, "lead_line": 6, "signature": "def f(self)", "doc": "",
        "exported": True,
    }  # fmt: skip
    assert [(one["ordinal"], one["start_line"], one["end_line"]) for one in chunks] == [(0, 1, 7)]


def test_what_was_left_out_is_listed_with_its_reason(lib):
    secret = lines("lib")[1]
    assert (secret["path"], secret["classification"]) == (".env", "secret")
    assert secret["reason"]
    assert (secret["symbols"], secret["imports"], secret["chunks"]) == ([], [], [])


def test_the_document_holds_the_same_as_the_lines(lib):
    document = json.loads(export("lib", "--json"))
    files = document.pop("files")
    assert [document, *files] == lines("lib")


def test_an_older_commit_shows_what_stood_then(lib, tmp_path: Path):
    commit = lib.snapshots.get().commit
    (tmp_path / "sources/lib/b.py").unlink()
    factories.index(lib)
    then, now = lines("lib", "--at", commit[:10]), lines("lib")
    assert [one["path"] for one in then[1:]] == [".env", "a.py", "b.py"]
    assert [one["path"] for one in now[1:]] == [".env", "a.py"]
    assert then[2]["imports"][0]["target_path"] == "b.py"
    assert now[2]["imports"][0]["target_path"] is None


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nothing"], "There is no repository nothing."),
        (["lib", "--at", "abcdef"], "lib was never indexed at commit abcdef."),
        (["draft"], "draft has not been indexed yet."),
    ],
)
def test_what_cannot_be_exported_is_said(lib, arguments, said):
    factories.repository_for(None, slug="draft")
    with pytest.raises(CommandError) as caught:
        export(*arguments)
    assert str(caught.value) == said


MANY_FILES = """
INSERT INTO repos_file (repository_id, id, path, blob_sha, mode, size, lines, language,
                        classification, reason, first_snapshot)
SELECT %s, n, 'src/' || n || '.py', '', '100644', 1, 0, '', 'indexed', '', 1
FROM generate_series(1, 40000) n
"""


@pytest.mark.slow
@pytest.mark.django_db
def test_forty_thousand_files_take_no_more_memory_than_a_few():
    repository = Repository.objects.create(slug="big", source="folder", address="/x")
    snapshot = Snapshot.objects.create(repository=repository, number=1)
    with connection.cursor() as cursor:
        cursor.execute(MANY_FILES, [repository.pk])
    tracemalloc.start()
    count = sum(1 for _ in exported_files(snapshot))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 40_000
    assert peak < 15_000_000


def test_an_export_is_recorded(lib):
    export("lib", "--json")
    event = AuditEvent.objects.get(action="export.index")
    assert (event.repository_slug, event.detail["format"]) == ("lib", "json")
