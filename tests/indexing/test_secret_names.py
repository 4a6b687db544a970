"""Credentials in the names of files and folders."""

import pytest
from django.core.management import CommandError, call_command

from indexing.models import Content
from indexing.scrubbing.marks import mark
from repos.importing import create_repository, understand
from repos.models import File, Repository
from tests import factories
from tests.indexing.scrub_samples import FORMATS
from tests.indexing.test_planted_secrets import stored_text
from tests.repos.githost import checkout, git, serve
from tests.rows import intervals

PAT, AWS = FORMATS["github_pat"], FORMATS["aws_access_key_id"]


def test_a_credential_in_a_name_is_stored_nowhere(here, index_files):
    index_files({f"keys/{PAT}.txt": "x\n", f"{AWS}/a.py": "y = 1\n", "b.py": "z = 1\n"})
    rows = {row.path: row for row in File.objects.all()}
    assert sorted(rows) == [
        "[REDACTED]__________/a.py", "b.py", f"keys/{mark('github_pat', len(PAT))}.txt",
    ]  # fmt: skip
    secret = rows["[REDACTED]__________/a.py"]
    assert (secret.classification, secret.reason, secret.raw_path) == (
        "secret", "its name holds a credential: aws_access_key_id", None,
    )  # fmt: skip
    assert [row.text for row in Content.objects.all()] == ["z = 1\n"]
    held = [name for name, text in stored_text().items()
            if PAT.lower() in text or AWS.lower() in text]  # fmt: skip
    assert held == []


def test_names_that_differ_in_the_secret_alone_stay_two(here, index_files):
    other = AWS[:-1] + ("Q" if AWS[-1] != "Q" else "R")
    lib = index_files({f"{AWS}.txt": "x\n", f"{other}.txt": "x\n"})
    names = ["[REDACTED]__________.txt", "[REDACTED]__________.txt (2)"]
    assert sorted(File.objects.values_list("path", flat=True)) == names
    factories.index(lib)
    assert [intervals(lib, name) for name in names] == [[(1, None)], [(1, None)]]


def test_a_name_that_only_looks_random_is_kept(here, index_files):
    index_files({"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b.md": "x\n", "ann@kitehouse.net": "x\n"})
    assert sorted(File.objects.values_list("classification", flat=True)) == ["indexed", "indexed"]


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serve(tmp_path_factory.mktemp("srv"), tmp_path_factory.mktemp("keys")) as host:
        yield host


def test_a_credential_in_the_name_of_the_default_branch_is_covered(served, settings, owner, here):
    settings.GIT_HOSTS, settings.GIT_CA_FILE = [served.name], str(served.ca_file)
    folder = served.root / "acme/app"
    checkout(folder, {"a.py": "a = 1\n"})
    git(folder, "branch", "-M", f"try-{PAT}")
    lib = create_repository(understand(served.url("acme/app")), owner=owner)
    run = factories.index(lib)
    assert (run.state, lib.snapshots.get().ref) == ("done", f"try-{mark('github_pat', len(PAT))}")
    assert [name for name, text in stored_text().items() if PAT.lower() in text] == []


@pytest.mark.parametrize(
    "fields",
    [
        {"source": "https://github.com/acme/app", "ref": PAT},
        {"source": f"https://github.com/acme/app/tree/{PAT}/src"},
        {"source": "https://github.com/acme/app", "name": f"app {PAT}"},
    ],
)
def test_a_name_with_a_credential_is_refused(client_of, owner, fields):
    answer = client_of(owner).post("/import", {"audience": "everyone", **fields})
    assert answer.status_code == 422
    assert "This name holds a credential (github_pat)" in answer.content.decode()
    assert not Repository.objects.exists()


@pytest.mark.django_db
def test_the_command_refuses_it_too():
    with pytest.raises(CommandError, match=r"holds a credential \(github_pat\)"):
        call_command("import_repository", "https://github.com/acme/app", "--ref", PAT)
    assert not Repository.objects.exists()
