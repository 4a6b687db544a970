"""Credentials in the names of files and folders."""

from indexing.models import Content
from indexing.scrubbing.marks import mark
from repos.models import File
from tests import factories
from tests.indexing.scrub_samples import FORMATS
from tests.indexing.test_planted_secrets import stored_text
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
