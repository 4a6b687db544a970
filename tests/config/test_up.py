"""The commands behind make, run as a person runs them, on a data folder of their own.

The tests of an installation share it, in this order (make test gives a file to one process).
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from config import ports, processes
from tests.config.test_ports import free_port

BASE_DIR = Path(__file__).resolve().parent.parent.parent


class Installation:
    """Footnote with its own data folder and port."""

    def __init__(self, data: Path, port: int) -> None:
        self.data, self.port = data, port
        self.address = f"http://127.0.0.1:{port}"

    def run(self, module: str, **changed: str) -> subprocess.CompletedProcess[str]:
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "HOME") if name in os.environ}
        values = {"FOOTNOTE_DATA": str(self.data), "FOOTNOTE_PORT": str(self.port)}
        command = [sys.executable, *module.split()]
        environment = {**kept, **values, **changed}
        return subprocess.run(
            command, cwd=BASE_DIR, env=environment, capture_output=True, text=True, check=False
        )

    def pid(self, name: str) -> int:
        record = processes.read(self.data / "processes" / f"{name}.json")
        assert record is not None
        return record.pid

    def get(self, path: str) -> tuple[int, set[str]]:
        """The status and the names of the headers."""
        with urllib.request.urlopen(self.address + path, timeout=20) as response:
            return response.status, {name.lower() for name in response.headers}


def has_ended(process: psutil.Process) -> bool:
    """Also where an init that is slow to reap has left its entry."""
    try:
        return process.status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True


@pytest.fixture(scope="module")
def installation() -> Iterator[Installation]:
    # Not tmp_path, which is closed to the user that the database runs as under root.
    folder = Path(tempfile.mkdtemp(prefix="footnote-test-"))
    found = Installation(folder / "var", free_port())
    done = found.run("-m config.up")
    assert done.stdout.startswith(f"Footnote runs at {found.address} "), done.stderr
    yield found
    found.run("-m config.down")
    shutil.rmtree(folder)


def test_up_means_that_pages_are_served(installation):
    status, headers = installation.get("/sign-in")
    assert status == 200
    assert "content-security-policy" in headers
    assert "server" not in headers


def test_a_second_up_says_that_it_runs(installation):
    before = installation.pid("web")
    done = installation.run("-m config.up")
    assert done.stdout.startswith(f"Footnote is running already at {installation.address} ")
    assert installation.pid("web") == before


def test_another_port_while_it_runs(installation):
    done = installation.run("-m config.up", FOOTNOTE_PORT=str(free_port()))
    assert done.returncode == 1
    assert done.stderr == (
        f"footnote: Footnote already runs at {installation.address}. Stop it first: make down\n"
    )


def test_the_port_of_another_installation(installation, tmp_path):
    done = Installation(tmp_path / "other", installation.port).run("-m config.up")
    assert done.returncode == 1
    assert done.stderr.startswith(f"footnote: Port {installation.port} on 127.0.0.1 is taken by ")


def test_a_killed_web_server_is_started_again(installation):
    before = installation.pid("web")
    os.kill(before, signal.SIGKILL)
    assert ports.wait_for_answer("127.0.0.1", installation.port, 30, lambda: True) < 500
    assert installation.pid("web") != before


def test_after_a_killed_supervisor_nothing_runs_twice(installation):
    os.kill(installation.pid("supervisor"), signal.SIGKILL)
    web = psutil.Process(installation.pid("web"))
    assert installation.run("-m config.up").stdout.startswith("Footnote runs at ")
    assert not web.is_running()


def test_a_new_folder_root_restarts_the_programs(installation, tmp_path):
    before = installation.pid("web")
    done = installation.run("-m config.up", FOOTNOTE_FOLDER_ROOTS=str(tmp_path))
    assert done.stdout.startswith("Footnote runs at ")
    assert installation.pid("web") != before


def test_down_stops_what_up_started_and_only_once(installation):
    supervisor = psutil.Process(installation.pid("supervisor"))
    done = installation.run("-m config.down")
    assert (done.stdout, done.stderr) == ("Stopped: web, worker, database\n", "")
    assert has_ended(supervisor)
    assert installation.run("-m config.down").stdout == "Nothing was running.\n"


@pytest.mark.parametrize(
    "module", ["-m config.up", "-m config.down", "-m config.web", "manage.py check"]
)
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"FOOTNOTE_PORT": "80a"}, "FOOTNOTE_PORT is '80a'; write a whole number from 1 to 65535."),
        (
            {"FOOTNOTE_PROT": "80"},
            "FOOTNOTE_PROT is set, but there is no such setting. See README.md.",
        ),
    ],
)
def test_a_wrong_value_is_one_line(tmp_path, module, changed, message):
    done = Installation(tmp_path / "var", 8000).run(module, **changed)
    assert (done.returncode, done.stderr) == (1, f"footnote: {message}\n")


@pytest.mark.parametrize("module", ["-m config.up", "-m config.web", "manage.py check"])
def test_a_database_that_is_not_there_is_one_line(tmp_path, module):
    url = "postgresql://ada:geheim@127.0.0.1:1/notes"
    done = Installation(tmp_path / "var", free_port()).run(module, DATABASE_URL=url)
    assert done.returncode == 1
    assert done.stderr.startswith("footnote: The database 127.0.0.1/notes cannot be used: ")
    assert done.stderr.count("\n") == 1
    assert "geheim" not in done.stderr


def test_a_command_before_the_tables_are_made_is_one_line(tmp_path):
    fresh = Installation(tmp_path / "var", free_port())
    try:
        done = fresh.run("manage.py ask anything")
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1] == (
            "footnote: The database has not been made ready for this version. Run `make up`, "
            "which does it, or `.venv/bin/python manage.py migrate`, and try again."
        )
        assert "Traceback" not in done.stderr
    finally:
        fresh.run("-m config.down")


def test_a_reader_that_has_seen_enough_is_no_failure(tmp_path):
    command = ["manage.py", "help", "--commands"]
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run(
        [sys.executable, *command], cwd=BASE_DIR, stdout=write, stderr=subprocess.PIPE, check=False,
        env=os.environ | {"FOOTNOTE_DATA": str(tmp_path)},
    )  # fmt: skip
    os.close(write)
    assert (done.returncode, done.stderr) == (128 + signal.SIGPIPE, b"")


def test_a_data_folder_that_is_a_file_is_one_line(tmp_path):
    (tmp_path / "var").touch()
    done = Installation(tmp_path / "var", 8000).run("-m config.up")
    assert done.stderr.startswith(f"footnote: The data folder {tmp_path / 'var'} cannot be used by")
    assert done.stderr.count("\n") == 1
