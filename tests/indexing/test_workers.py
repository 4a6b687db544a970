"""Child processes that crash, hang or raise cost their own file, and end with their parent."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from indexing import workers
from indexing.deriving import FileInput
from indexing.models import Content, Symbol
from indexing.scrubbing.policy import Policy
from indexing.workers import BATCH_BYTES, DerivePool, FailedFile, derive_batch
from repos.models import File
from tests import factories
from tests.indexing.bad_derive import derive_with_faults
from tests.marked import eventually, living, marked_environment

POLICY = Policy(key=b"k" * 32)
SOURCE = "def {}():\n    return 1\n"
BAD = ("crash", "hang", "raise", "memory")


@pytest.fixture
def faulty(monkeypatch, settings) -> None:
    monkeypatch.setattr("indexing.workers.derive_batch", derive_with_faults)
    settings.PARSE_SECONDS = 3


def derive_all(files: list[FileInput], **options) -> dict[str, Any]:
    with DerivePool(**{"processes": 1, "seconds": 20, "policy": POLICY, **options}) as pool:
        return {one.path: one for batch in pool.outcomes(files) for one in batch}


def named(name: str, number: int = 0) -> FileInput:
    return FileInput(number, f"{name}.py", SOURCE.format(name).encode())


def test_a_bad_file_in_a_batch_costs_its_symbols_and_nothing_else(faulty, index_files):
    files = {f"{name}.py": SOURCE.format(name) for name in ("a", *BAD, "always", "z")}
    lib = index_files(files)
    run = lib.runs.get()
    reasons = dict(run.failures.values_list("path", "reason"))
    left_out = "symbols left out: the grammar crashed or took too long"
    assert run.state == "done"
    assert reasons == {
        **{f"{name}.py": left_out for name in BAD},
        "always.py": "the process that read it ended (ProcessExpired)",
    }
    assert sorted(Symbol.objects.values_list("name", flat=True)) == ["a", "z"]
    paths = File.objects.filter(id__in=Content.objects.values("file_id")).values_list("path")
    assert {path for (path,) in paths} == set(files) - {"always.py"}
    assert run.stages.filter(stage="derive", done=7, total=7).exists()


@pytest.mark.usefixtures("faulty")
def test_a_file_that_takes_too_long_says_so_in_its_remarks():
    outcomes = derive_all([named("hang"), named("a")], seconds=2)
    assert outcomes["hang.py"].remarks == (
        "symbols left out: the grammar crashed or took too long",
    )
    assert len(outcomes["a.py"].symbols) == 1
    assert outcomes["hang.py"].symbols == ()


@pytest.mark.usefixtures("faulty")
def test_a_file_that_waits_for_the_processor_keeps_its_symbols():
    outcomes = derive_all([named("wait"), named("a")], seconds=1)
    assert [len(one.symbols) for one in outcomes.values()] == [1, 1]


def test_a_limit_of_the_administrator_stays_in_force():
    program = """
import resource
from indexing.workers import within
resource.setrlimit(resource.RLIMIT_CPU, (40, 50))
within(600, lambda files, policy: [], (), None)
print(resource.getrlimit(resource.RLIMIT_CPU))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "(50, 50)\n"


@pytest.mark.usefixtures("faulty")
def test_a_file_that_sleeps_for_ever_loses_its_symbols(monkeypatch):
    monkeypatch.setattr("indexing.workers.PATIENCE", 1)
    outcomes = derive_all([named("sleep"), named("a")], seconds=3)
    assert [len(one.symbols) for one in outcomes.values()] == [0, 1]


@pytest.mark.usefixtures("faulty")
@pytest.mark.slow
def test_many_crashes_in_a_row_lose_no_file():
    names = [f"crash.{number}" if number % 2 else f"ok{number}" for number in range(40)]
    outcomes = derive_all([named(name, at) for at, name in enumerate(names)], processes=2)
    assert len(outcomes) == 40
    assert not [one for one in outcomes.values() if isinstance(one, FailedFile)]


def test_what_a_child_raised_is_named_by_its_type(monkeypatch):
    monkeypatch.setattr("indexing.workers.derive_batch", json.loads)  # cannot take a batch
    outcomes = derive_all([named("a")])
    assert outcomes["a.py"].reason == "the process that read it ended (TypeError)"


def test_an_undecodable_file_is_an_outcome():
    outcomes = derive_batch((FileInput(3, "x.txt", b"\xff\xfe\0\0x\0\0\0"),), POLICY)
    assert outcomes == [FailedFile(3, "x.txt", "UTF-32 text is not read; save the file as UTF-8")]


NESTED = {
    "deep.kt": "fun f() = " + "(" * 3_000 + "1" + ")" * 3_000 + "\n",
    "deep.js": "x = " + "[" * 30_000 + "\n",
    "deep.py": "x = " + "(" * 30_000 + "\n",
    "deep.rs": "fn f() { " + "{" * 20_000 + "\n",
    "deep.md": "> " * 5_000 + "deep\n",
    "deep.yaml": "[" * 5_000 + "\n",
    "deep.json": "[" * 50_000 + "\n",
    "deep.html": "<b>" * 20_000 + "\n",
    "deep.cpp": "int x = " + "a<" * 10_000 + "\n",
    "deep.rb": "x = " + "[" * 20_000 + "\n",
    "deep.swift": "let x = " + "(" * 10_000 + "\n",
    "deep.ex": "x = " + "{" * 20_000 + "\n",
    "deep.sql": "SELECT " + "(" * 20_000 + "\n",
    "deep.lua": "x = " + "{" * 20_000 + "\n",
    "deep.sh": "$(" * 10_000 + "\n",
    "deep.php": "<?php $x = " + "[" * 20_000 + "\n",
    "deep.scala": "val x = " + "(" * 10_000 + "\n",
    "deep.cs": "var x = " + "(" * 20_000 + ";\n",
    "deep.ps1": "$x = " + "@(" * 10_000 + "\n",
    "last.pl": "sub f { 1 } #" + "{" * 2_000,
}


def test_nested_shapes_lose_no_text_and_no_neighbour(index_files, settings):
    settings.PARSE_SECONDS = 5
    lib = index_files({**NESTED, "a.py": SOURCE.format("a"), "z.py": SOURCE.format("z")})
    kept = File.objects.filter(id__in=Content.objects.values("file_id"))
    assert lib.runs.get().state == "done"
    assert set(kept.values_list("path", flat=True)) == {*NESTED, "a.py", "z.py"}
    names = set(Symbol.objects.values_list("name", flat=True))
    assert {"a", "z"} <= names


def test_batches_are_bounded():
    sent = [FileInput(at, f"{at}.txt", b"x" * (BATCH_BYTES // 3)) for at in range(7)]
    with DerivePool(processes=1, seconds=20, policy=POLICY) as pool:
        sizes = [len(batch) for batch in pool.outcomes(sent)]
    assert sizes == [3, 3, 1]


def test_few_batches_are_read_ahead():
    read = []

    def files():
        for at in range(400):
            read.append(at)
            yield FileInput(at, f"{at}.txt", b"line\n")

    with DerivePool(processes=1, seconds=20, policy=POLICY) as pool:
        next(pool.outcomes(files()))
    assert len(read) < 5 * 64


def test_what_was_begun_comes_first_and_without_a_number():
    big = b"y" * workers.AHEAD_BYTES
    with DerivePool(processes=1, seconds=20, policy=POLICY) as pool:
        pool.begin("a.txt", b"one\n", "sha-a")
        pool.begin("big.txt", big, "sha-big")
        pool.begin("b.txt", b"two\n", "sha-b")
        found = [[(one.file_id, one.path) for one in batch] for batch in pool.outcomes(_two())]
    assert found == [[(0, "a.txt"), (0, "b.txt")], [(1, "c.txt"), (2, "d.txt")]]
    assert pool.begun == {"a.txt": "sha-a", "b.txt": "sha-b"}


def _two() -> list[FileInput]:
    return [FileInput(1, "c.txt", b"three\n"), FileInput(2, "d.txt", b"four\n")]


def test_a_bad_file_that_was_begun_costs_itself(faulty):
    with DerivePool(processes=1, seconds=20, policy=POLICY) as pool:
        for name in ("a", "always", "b"):
            pool.begin(f"{name}.py", SOURCE.format(name).encode(), name)
        outcomes = [one for batch in pool.outcomes([]) for one in batch]
    assert [(one.path, isinstance(one, FailedFile)) for one in outcomes] == [
        ("a.py", False),
        ("always.py", True),
        ("b.py", False),
    ]


PARENT = """
import sys
from indexing import workers
from indexing.deriving import FileInput
from indexing.scrubbing.policy import Policy
from indexing import workers
from tests.indexing.bad_derive import derive_with_faults

if __name__ == "__main__":
    workers.derive_batch = derive_with_faults
    file = FileInput(1, "hang.py", b"x")
    with workers.DerivePool(processes=2, seconds=900, policy=Policy(key=b"k")) as pool:
        list(pool.outcomes([file]))
"""


def test_children_end_with_their_parent(tmp_path):
    script = tmp_path / "parent.py"
    script.write_text(PARENT)
    mark, environment = marked_environment()
    environment["PYTHONPATH"] = str(Path.cwd())
    with subprocess.Popen([sys.executable, str(script)], env=environment) as parent:
        try:  # the parent, two children, and their tracker of semaphores
            assert eventually(lambda: len(living(mark)) == 4)
        finally:
            parent.kill()
    assert eventually(lambda: not living(mark))


def test_the_index_goes_on_after_a_bad_file_was_mended(faulty, index_files, tmp_path):
    lib = index_files({"always.py": "x\n", "a.py": SOURCE.format("a")})
    factories.write_files(tmp_path / "sources/lib", {"always.py": SOURCE.format("mended")})
    (tmp_path / "sources/lib/always.py").rename(tmp_path / "sources/lib/well.py")
    assert factories.index(lib).failures.count() == 0
    assert Symbol.objects.filter(name="mended").exists()
