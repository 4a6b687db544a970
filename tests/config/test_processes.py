import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import psutil
import pytest

from config import processes

SLEEP = (sys.executable, "-c", "import time; time.sleep(60)")
# Ignores the polite signal, and has a child.
STUBBORN = f"""
import signal, subprocess, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(subprocess.Popen({list(SLEEP)!r}).pid, flush=True)
time.sleep(60)
"""


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(SLEEP, start_new_session=True) as process:
        yield process
        process.kill()


def test_a_running_process_is_known_again(tmp_path, sleeper):
    record = processes.describe(sleeper.pid, SLEEP, address="http://127.0.0.1:8000")
    processes.write(tmp_path / "web.json", record)
    assert processes.read(tmp_path / "web.json") == record


def test_stop_ends_it_and_forgets_it(tmp_path, sleeper):
    processes.write(tmp_path / "web.json", processes.describe(sleeper.pid, SLEEP))
    assert processes.stop(tmp_path / "web.json") is True
    assert sleeper.wait(timeout=10) == -15
    assert list(tmp_path.iterdir()) == []
    assert processes.stop(tmp_path / "web.json") is False


@pytest.mark.parametrize("change", [{"started": 12.0}, {"command": ("vi", "thesis.txt")}])
def test_a_process_that_got_the_number_later_is_left_alone(tmp_path, sleeper, change):
    record = replace(processes.describe(sleeper.pid, SLEEP), **change)
    processes.write(tmp_path / "web.json", record)
    assert processes.stop(tmp_path / "web.json") is False
    assert sleeper.poll() is None


def test_a_process_that_ended_is_not_running(tmp_path, sleeper):
    processes.write(tmp_path / "web.json", processes.describe(sleeper.pid, SLEEP))
    sleeper.kill()
    psutil.wait_procs([psutil.Process(sleeper.pid)], timeout=0.5)
    assert processes.read(tmp_path / "web.json") is None


@pytest.mark.parametrize("text", ["", "{}", "[1]", "null", '{"pid": 1, "command": 5}'])
def test_a_damaged_record_is_none(tmp_path, text):
    (tmp_path / "web.json").write_text(text)
    assert processes.read(tmp_path / "web.json") is None


def test_the_whole_group_is_ended_where_it_does_not_listen():
    command = [sys.executable, "-c", STUBBORN]
    with subprocess.Popen(command, start_new_session=True, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        child = psutil.Process(int(process.stdout.readline()))
        processes.stop_groups([process.pid], seconds=0.3)
        assert process.wait(timeout=10) == -9
        child.wait(timeout=10)
