import os
import resource
import shutil
import subprocess
import sys
from pathlib import Path

import psutil
import psycopg
import pytest
from psycopg import sql

from config import cluster, postgres
from config.database import EmbeddedServer
from config.refused import DatabaseUnavailable, StartRefused
from tests.config.as_user import NOBODY, as_nobody

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root may become another user")
START = """
import sys
from pathlib import Path
from config import postgres
from config.database import EmbeddedServer
print(postgres.ensure_running(EmbeddedServer(Path(sys.argv[1]))))
"""


def connect(
    server: EmbeddedServer, name: str = "footnote", password: str = "", *, autocommit: bool = False
) -> psycopg.Connection:
    return psycopg.connect(
        host=str(server.socket_folder),
        user="postgres",
        password=password or postgres.read_password(server),
        dbname=name,
        autocommit=autocommit,
    )


def show(server: EmbeddedServer, setting: str) -> object:
    with connect(server) as connection:
        row = connection.execute(sql.SQL("SHOW {}").format(sql.Identifier(setting))).fetchone()
    return row and row[0]


def pid_of(server: EmbeddedServer) -> int:
    return int((server.cluster / "postmaster.pid").read_text().split()[0])


def kill(pid: int) -> None:
    process = psutil.Process(pid)
    process.kill()
    process.wait(timeout=10)


def create_without_starting(server: EmbeddedServer) -> None:
    server.data.mkdir(mode=0o711)
    cluster.prepare(server, cluster.server_user())


def test_four_first_starts_create_one_server(server):
    command = [sys.executable, "-c", START, str(server.data)]
    started = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]
    answers = sorted(process.communicate(timeout=120)[0].strip() for process in started)
    assert answers == ["False", "False", "False", "True"]
    assert show(server, "server_encoding") == "UTF8"


def test_a_server_is_closed_to_the_network_and_to_other_people(server):
    postgres.ensure_running(server)
    assert show(server, "listen_addresses") == ""
    assert show(server, "unix_socket_directories") == f'"{server.socket_folder}"'
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        connect(server, password="guessed")


def test_a_killed_server_is_started_again_with_its_data(server):
    postgres.ensure_running(server)
    with connect(server) as connection:
        connection.execute("SET synchronous_commit = on")
        connection.execute("CREATE TABLE kept AS SELECT 7 AS n")
    connection.close()
    with connect(server) as idle:  # its backend outlives the server for a moment
        kill(pid_of(server))
        assert postgres.ensure_running(server) is True
    with connect(server) as connection:
        assert connection.execute("SELECT n FROM kept").fetchone() == (7,)
    assert idle.closed


def test_a_number_that_another_program_has_now(server):
    create_without_starting(server)
    (server.cluster / "postmaster.pid").write_text(f"{os.getpid()}\n{server.cluster}\n")
    assert postgres.is_running(server) is False
    assert postgres.ensure_running(server) is True


def test_a_running_server_without_its_database_gets_it(server):
    postgres.ensure_running(server)
    with connect(server, "postgres", autocommit=True) as connection:
        connection.execute("DROP DATABASE footnote")
    assert postgres.ensure_running(server) is False
    connect(server).close()


def test_stop_stops_once(server):
    postgres.ensure_running(server)
    assert [postgres.stop(server), postgres.stop(server)] == [True, False]


def test_a_folder_that_holds_something_else_is_left_alone(server):
    postgres.stop(server)
    server.cluster.mkdir(parents=True)
    (server.cluster / "thesis.txt").write_text("mine")
    owner = cluster.server_user()
    if owner:
        shutil.chown(server.cluster, owner)
    with pytest.raises(DatabaseUnavailable, match="holds something else than a database"):
        postgres.ensure_running(server)
    assert (server.cluster / "thesis.txt").read_text() == "mine"


def test_a_cluster_of_another_version_is_named(server):
    create_without_starting(server)
    (server.cluster / "PG_VERSION").write_text("13\n")
    with pytest.raises(DatabaseUnavailable, match=r"was made by Postgres 13, and this is Postgres"):
        postgres.ensure_running(server)


@needs_root
def test_a_cluster_of_another_user_is_named(server):
    create_without_starting(server)
    shutil.chown(server.cluster, NOBODY)
    with pytest.raises(DatabaseUnavailable, match="belongs to nobody, but the database would run"):
        postgres.ensure_running(server)


@needs_root
def test_a_server_of_root_seen_by_another_user(server):
    postgres.ensure_running(server)
    server.data.chmod(0o777)
    assert as_nobody(lambda: postgres.ensure_running(server)).startswith(
        f"refused: {server.data / 'postgres.lock'} cannot be read or written by nobody"
    )


@needs_root
def test_a_user_without_rights_runs_a_server_as_themselves(open_folder: Path):
    server = EmbeddedServer(open_folder / "var")
    assert as_nobody(lambda: (postgres.ensure_running(server), postgres.stop(server))) == (
        "(True, True)"
    )
    assert server.cluster.stat().st_uid == NOBODY
    assert server.data.stat().st_mode & 0o077 == 0


@needs_root
def test_a_socket_folder_that_somebody_else_made(server, open_folder, monkeypatch):
    monkeypatch.setattr(EmbeddedServer, "socket_folder", property(lambda _: open_folder))
    with pytest.raises(DatabaseUnavailable, match=rf"{open_folder} belongs to nobody; remove it"):
        postgres.ensure_running(server)


def test_a_socket_folder_that_is_a_link(server, tmp_path, monkeypatch):
    (tmp_path / "link").symlink_to(tmp_path)
    monkeypatch.setattr(EmbeddedServer, "socket_folder", property(lambda _: tmp_path / "link"))
    with pytest.raises(DatabaseUnavailable, match="remove it, and start again"):
        postgres.ensure_running(server)


def test_a_password_that_is_not_the_servers(server):
    postgres.ensure_running(server)
    server.password_file.write_text("restored-from-elsewhere")
    with pytest.raises(DatabaseUnavailable, match="restore both from the same backup"):
        postgres.ensure_running(server)


def test_a_disk_that_takes_no_more_leaves_nothing_behind(server):
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    command = [sys.executable, "-c", START, str(server.data)]
    done = subprocess.run(command, preexec_fn=limit, capture_output=True, text=True, check=False)
    last = done.stderr.strip().splitlines()[-1]
    assert f"The database cannot be created in {server.cluster}: " in last
    assert "File too large" in last
    left = {path.name for path in server.data.iterdir()}
    assert left == {"postgres.lock", "secrets", "uploads"}


def test_a_server_that_cannot_start_is_named_with_its_reason(server):
    create_without_starting(server)
    with (server.cluster / "postgresql.conf").open("a") as file:
        file.write("shared_buffers = lots\n")
    with pytest.raises(DatabaseUnavailable) as caught:
        postgres.ensure_running(server)
    assert "The embedded Postgres did not start: " in str(caught.value)
    assert f"(its log: {server.log})" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ['quo"te', "dol$lar", "back`tick", "back\\slash"])
def test_a_path_that_a_shell_would_read_is_refused(tmp_path, name):
    with pytest.raises(StartRefused, match="cannot run below"):
        postgres.ensure_running(EmbeddedServer(tmp_path / name))


def test_a_path_with_blanks_and_quotes(server):
    odd = EmbeddedServer(server.data.parent / "it's a, folder")
    try:
        assert postgres.ensure_running(odd) is True
    finally:
        postgres.stop(odd)
        shutil.rmtree(odd.socket_folder)


def test_a_large_log_is_put_aside(tmp_path):
    log = tmp_path / "server.log"
    with log.open("wb") as file:
        file.truncate(postgres.LOG_BYTES + 1)
    postgres._limit_log(log)
    assert [path.name for path in tmp_path.iterdir()] == ["server.log.1"]


def test_a_missing_package_is_named(monkeypatch):
    monkeypatch.setattr(cluster, "PACKAGE", "no_such_package")
    with pytest.raises(DatabaseUnavailable, match="run `make setup`"):
        cluster.programs()


def test_little_shared_memory_is_not_used(server, monkeypatch):
    monkeypatch.setattr(cluster, "SMALL_SHARED_MEMORY", 2**60)
    postgres.ensure_running(server)
    assert show(server, "dynamic_shared_memory_type") == "mmap"
