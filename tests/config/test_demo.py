import os
import subprocess

import pytest

from config import demo
from config.refused import StartRefused


def test_the_default_is_footnote_itself():
    wish = demo.understand("", "")
    assert (wish.source, wish.question) == (str(demo.BASE_DIR), demo.OWN_QUESTION)
    assert wish.root == demo.BASE_DIR


def test_the_questions_stand_nowhere_else_that_is_indexed():
    listed = ["git", "grep", "-lF", "-e", demo.OWN_QUESTION, "-e", demo.OTHER_QUESTION]
    found = subprocess.run(listed, cwd=demo.BASE_DIR, capture_output=True, text=True, check=False)
    ignored = (demo.BASE_DIR / ".footnoteignore").read_text().splitlines()
    assert set(found.stdout.splitlines()) <= {"config/demo_questions.txt"} <= set(ignored)


def test_an_address_needs_no_root():
    wish = demo.understand(" https://code.example/a/b.git ", "Where?")
    assert (wish.source, wish.question) == ("https://code.example/a/b.git", "Where?")
    assert wish.root is None


def test_a_folder_is_its_own_root(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert demo.understand(".", "").root == tmp_path


def test_an_archive_is_found_from_here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.zip").touch()
    wish = demo.understand("a.zip", "")
    assert (wish.source, wish.root) == (str(tmp_path / "a.zip"), None)
    assert wish.question == demo.OTHER_QUESTION


def test_roots_are_added_once(tmp_path, monkeypatch):
    monkeypatch.setenv("FOOTNOTE_FOLDER_ROOTS", "/srv")
    demo.add_root(tmp_path)
    demo.add_root(tmp_path)
    assert os.environ["FOOTNOTE_FOLDER_ROOTS"] == f"/srv:{tmp_path}"


def test_a_colon_cannot_be_in_a_root(tmp_path):
    with pytest.raises(StartRefused, match="holds a colon"):
        demo.add_root(tmp_path / "a:b")
