"""The real web server on a loopback port, over the database of the tests; and a worker."""

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from django.conf import settings
from django.db import connection, connections

from indexing.jobs import index_repository
from indexing.models import IndexRun

ROOT = Path(__file__).resolve().parents[2]


def database_url() -> str:
    entry = connection.settings_dict
    host = str(entry["HOST"])
    login = f"{quote(entry['USER'], safe='')}:{quote(entry['PASSWORD'], safe='')}"
    if host.startswith("/"):
        return f"postgresql://{login}@/{entry['NAME']}?host={quote(host, safe='/')}"
    return f"postgresql://{login}@{host}:{entry['PORT'] or 5432}/{entry['NAME']}"


def environment(data: Path, roots: Path) -> dict[str, str]:
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
    return kept | {
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "FOOTNOTE_DATA": str(data),
        "FOOTNOTE_EMBEDDING_MODEL": "none",
        "FOOTNOTE_FOLDER_ROOTS": str(roots),
        "FOOTNOTE_SECRET_KEY": settings.SECRET_KEY,
        "PYTHONWARNINGS": "error::DeprecationWarning:indexing",
    }


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


@contextmanager
def serving(data: Path, roots: Path, **more: str) -> Iterator[str]:
    """The address of a server with the settings that matter to an import, and others."""
    env = environment(data, roots) | more
    collect = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    subprocess.run(collect, cwd=ROOT, env=env, check=True)
    port = _free_port()
    command = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port)]
    command += ["--lifespan", "off", "--log-level", "warning", "--timeout-graceful-shutdown", "1"]
    log = (data.parent / "web.log").open("w+")
    server = subprocess.Popen(command, cwd=ROOT, env=env, stdout=log, stderr=subprocess.STDOUT)
    try:
        _wait_for(port, server)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(10)
        log.seek(0)
        said = log.read()
        log.close()
    assert "Traceback" not in said, said


def _wait_for(port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if server.poll() is not None:
            raise AssertionError("the web server ended at once")
        with socket.socket() as attempt:
            if attempt.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise AssertionError("the web server does not answer")


@contextmanager
def working() -> Iterator[None]:
    """A worker in a thread: takes every run that is queued."""
    stop = threading.Event()

    def work() -> None:
        try:
            while not stop.wait(0.1):
                for run in IndexRun.objects.filter(state=IndexRun.State.QUEUED):
                    index_repository(run.pk)
        finally:
            connections.close_all()

    thread = threading.Thread(target=work, name="worker of the tests")
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
