import os
import stat
from pathlib import Path

import pytest

from config import datafolder
from config.refused import StartRefused
from tests.config.as_user import as_nobody

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may become another user")


def test_a_secret_is_made_once_and_closed_to_others(tmp_path):
    path = tmp_path / "data" / "secrets" / "django"
    first = datafolder.read_or_create_secret(path)
    assert len(first) == 64
    assert datafolder.read_or_create_secret(path) == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert [p.name for p in path.parent.iterdir()] == ["django"]


def test_the_first_of_several_secrets_wins(tmp_path):
    path = tmp_path / "secrets" / "django"
    path.parent.mkdir()
    path.write_text("from another process")
    datafolder._create_secret(path)
    assert path.read_text() == "from another process"


def test_an_empty_secret_is_not_replaced(tmp_path):
    (tmp_path / "django").touch()
    with pytest.raises(StartRefused, match="is empty"):
        datafolder.read_or_create_secret(tmp_path / "django")


def test_a_secret_of_other_bytes(tmp_path):
    (tmp_path / "django").write_bytes(b"\xff\xfe")
    with pytest.raises(StartRefused, match="not ASCII"):
        datafolder.read_or_create_secret(tmp_path / "django")


def test_a_file_in_the_place_of_the_folder(tmp_path):
    (tmp_path / "var").touch()
    with pytest.raises(StartRefused, match=r"var cannot be used by .*: File exists\. Make it"):
        datafolder.make(tmp_path / "var")


def test_the_folder_is_closed_to_others(tmp_path):
    datafolder.make(tmp_path / "var")
    assert stat.S_IMODE((tmp_path / "var").stat().st_mode) & 0o066 == 0
    assert [one.name for one in (tmp_path / "var").iterdir()] == ["uploads"]


@needs_root
def test_a_folder_that_is_not_writable(closed_folder: Path):
    assert as_nobody(lambda: datafolder.make(closed_folder)) == (
        f"refused: The data folder {closed_folder} cannot be used by nobody: Permission denied. "
        "Make it writable, or set FOOTNOTE_DATA to a folder that is."
    )


@needs_root
def test_a_secret_of_somebody_else(open_folder: Path):
    path = open_folder / "secrets" / "django"
    path.parent.mkdir(mode=0o755)
    path.write_text("root's")
    path.chmod(0o600)
    assert as_nobody(lambda: datafolder.read_or_create_secret(path)) == (
        f"refused: {path} cannot be read or written by nobody: Permission denied. Run Footnote as "
        "the user that created the data folder, or set FOOTNOTE_DATA to another folder."
    )


@needs_root
def test_a_lock_of_somebody_else(open_folder: Path):
    lock = open_folder / "postgres.lock"
    lock.touch(mode=0o600)

    def hold() -> str:
        with datafolder.locked(lock):
            return "held"

    assert as_nobody(hold).startswith(f"refused: {lock} cannot be read or written by nobody:")


def test_an_unknown_user_has_a_number():
    assert datafolder.user_name(4_000_000) == "user number 4000000"
