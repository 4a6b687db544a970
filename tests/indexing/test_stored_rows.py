"""What no column could hold is replaced on the way: one odd file never fails a batch."""

import json
from dataclasses import replace
from struct import pack

import pytest
from django.db import connection

from indexing import terms
from indexing.models import Chunk, Content, Symbol
from repos.models import File

GOOD = "def neighbour():\n    return 1\n"
NOTEBOOK = {
    "nbformat": 4,
    "metadata": {"language_info": {"name": "python"}},
    "cells": [
        {"cell_type": "code", "source": ["def low\x00():\n", "    return '\ud800'\n"]},
        {"cell_type": "markdown", "source": ["# T\x00itle \udfff\n"]},
    ],
}
ODD = {
    "nul.py": "def f():\n    return 'a\0b'\n" + "# padding\n" * 900,
    "late.py": "# padding\n" * 900 + "def g\0():\n    return '\0'\n",
    "keys.json": '{"\\u0000": {"\\ud800": 1}, "a\\udfffb": 2}\n',
    "keys.yaml": '"a\\0b": 1\n"\\uD83D": 2\n',
    "keys.toml": '"\\u0000" = 1\n"\\\\uD800" = 2\n',
    "low.py": b"def h():\n    return '\xed\xa0\x80'\n",
    "wide.txt": "caf\u00e9 \U0001f600 \ufffe \uffff\n".encode(),
    "utf16.txt": "\ufeffline\ud800\n".encode("utf-16-le", "surrogatepass"),
    "book.ipynb": json.dumps(NOTEBOOK),
    "long.py": f"def {'n' * 200_000}():\n    return 1\n",
    "word.md": f"# {'w' * 5_000}\n\n{'x' * 300_000}\n",
    "line.txt": " ".join(f"word{n}" for n in range(90_000)),
    "line.json": json.dumps({f"key{n}": f"value {n}" for n in range(25_000)}),
    "tall.md": "".join(f"# {n} {'t' * 60}\n\n" for n in range(9_000)),
    "quote.sql": 'CREATE TABLE "it\'s\\ :*&|!" (id int);\n',
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_file_is_stored_and_its_neighbours_are(here, index_files, name):
    here_files = {"a.py": GOOD, name: ODD[name], "z.py": GOOD}
    lib = index_files(here_files)
    run = lib.runs.get()
    assert (run.state, run.error) == ("done", "")
    assert Symbol.objects.filter(name="neighbour").count() == 2
    file = File.objects.get(path=name)
    assert Content.objects.filter(file_id=file.id).exists() or file.reason


@pytest.mark.parametrize(
    ("hidden", "error"),
    [
        ("indexing.packing.storable", "CharacterNotInRepertoire"),
        ("indexing.deriving.terms.chunk_terms", ""),
    ],
)
def test_a_file_that_the_database_refuses_costs_itself(
    here, index_files, monkeypatch, hidden, error
):
    if error:
        monkeypatch.setattr(hidden, lambda value: value)
    else:
        refuse_terms_of(monkeypatch, hidden)
    lib = index_files({"a.py": GOOD, "book.ipynb": ODD["book.ipynb"], "z.py": GOOD})
    failure = lib.runs.get().failures.get()
    assert failure.path == "book.ipynb"
    assert failure.reason.startswith("the database could not store it (")
    assert error in failure.reason
    assert Symbol.objects.filter(name="neighbour").count() == 2


TOO_LONG = pack(">i", 1) + b"x" * 3_000 + b"\0" + pack(">HH", 1, 1)  # one lexeme, one position


def refuse_terms_of(monkeypatch, name: str) -> None:
    """Make the lexemes of the notebook longer than the server takes."""
    original = terms.chunk_terms

    def too_long(*, path: str, **options):
        found = original(path=path, **options)
        return replace(found, vector=TOO_LONG) if "book" in path else found

    monkeypatch.setattr(name, too_long)


def test_no_stored_text_holds_a_nul(here, index_files):
    index_files({name: text for name, text in ODD.items() if name in {"nul.py", "late.py"}})
    late = Content.objects.get(file_id=File.objects.get(path="late.py").id)
    assert late.text.count("\ufffd") == 2
    assert "NUL character(s) replaced" in late.remarks
    assert late.text.split("\n")[900] == "def g\ufffd():"


def test_every_term_can_be_asked_for(here, index_files):
    index_files(ODD)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM ts_stat('SELECT terms FROM indexing_chunk')")
        (terms,) = cursor.fetchone()
    assert terms > 20
    assert Chunk.objects.filter(length__gt=0).exists()


LONG = "/".join("d" * 200 for _ in range(12))


def test_a_path_too_long_for_the_database_is_listed_by_its_beginning(here, index_files, settings):
    lib = index_files({"a.py": GOOD, f"{LONG}/deep.py": GOOD})
    deep = File.objects.exclude(path="a.py").get()
    assert deep.path.startswith("d" * 200 + "\u2026")
    assert (deep.classification, bytes(deep.raw_path or b"")) == (
        "undecodable", f"{LONG}/deep.py".encode()
    )  # fmt: skip
    assert deep.reason == "its path is longer than 2,000 bytes"
    assert lib.runs.get().failures.get().path == deep.path


def test_a_name_that_is_no_text_is_shown_with_escapes(here, index_files, tmp_path):
    folder = tmp_path / "sources/odd"
    folder.mkdir(parents=True)
    (folder / b"caf\xe9.py".decode(errors="surrogateescape")).write_text(GOOD)
    lib = index_files({"caf\\xe9.py": "x = 1\n"}, slug="odd")
    rows = File.objects.filter(repository=lib).values_list("path", "raw_path")
    assert {path: raw and bytes(raw) for path, raw in rows} == {
        "caf\\xe9.py": None,
        "caf\\xe9\ufffd.py": b"caf\xe9.py",
    }
    assert Symbol.objects.filter(name="neighbour").count() == 1


def test_a_mark_hides_no_secret(here, index_files, tmp_path):
    folder = tmp_path / "sources/odd"
    folder.mkdir(parents=True)
    (folder / b"\xe9.pem".decode(errors="surrogateescape")).write_text(GOOD)
    index_files({"\\xe9.pem": GOOD}, slug="odd")
    assert set(File.objects.values_list("classification", flat=True)) == {"secret"}
