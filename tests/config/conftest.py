import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import postgres
from config.database import EmbeddedServer
from tests.config.as_user import NOBODY


@pytest.fixture
def server() -> Iterator[EmbeddedServer]:
    """An embedded server in a folder of its own, stopped at the end if the test started it."""
    # Not tmp_path, which is closed to the user that the server runs as under root.
    folder = Path(tempfile.mkdtemp(prefix="footnote-test-"))
    folder.chmod(0o711)
    found = EmbeddedServer(folder / "data")
    yield found
    if found.cluster.exists():
        postgres.stop(found)
    shutil.rmtree(folder)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that the user without rights owns."""
    folder = Path(tempfile.mkdtemp(prefix="footnote-test-"))
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def closed_folder() -> Iterator[Path]:
    """A folder that the user without rights may read, but not write to."""
    folder = Path(tempfile.mkdtemp(prefix="footnote-test-"))
    folder.chmod(0o555)
    yield folder
    shutil.rmtree(folder)
