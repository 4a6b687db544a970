from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
import pytest
from django.conf import settings
from psycopg import sql

from config import postgres, startup
from config.refused import StartRefused

SERVER = settings.DATABASES["default"]


@pytest.fixture(scope="module")
def administrator() -> Iterator[psycopg.Connection]:
    """A connection that may create databases and roles on the server of the tests."""
    startup.ensure_database()
    with psycopg.connect(
        **{**startup._connection_arguments(SERVER), "dbname": "postgres"}, autocommit=True
    ) as connection:
        yield connection


@contextmanager
def created(connection: psycopg.Connection, kind: str, rest: str = "") -> Iterator[str]:
    name = f"startup_{uuid4().hex[:12]}"
    make = sql.SQL("CREATE {} {} {}").format(sql.SQL(kind), sql.Identifier(name), sql.SQL(rest))
    connection.execute(make)
    try:
        yield name
    finally:
        connection.execute(sql.SQL("DROP {} {}").format(sql.SQL(kind), sql.Identifier(name)))


def refusal(**changed: object) -> str:
    with pytest.raises(StartRefused) as caught:
        startup.check_server({**SERVER, **changed})
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_the_server_of_the_tests_fits(administrator):
    startup.check_server(SERVER)


@pytest.mark.django_db
def test_a_fault_of_a_statement_is_not_taken_for_missing_tables():
    assert not startup.lacks_migrations()


def test_a_database_that_does_not_exist(administrator):
    message = refusal(NAME="no_such_database")
    assert 'database "no_such_database" does not exist' in message


def test_a_wrong_password_is_named_and_not_shown(administrator):
    message = refusal(PASSWORD="geheim")
    assert "password authentication failed" in message
    assert "geheim" not in message


def test_a_server_that_is_not_there():
    message = refusal(HOST="127.0.0.1", PORT="1", PASSWORD="geheim")
    assert message.startswith(f"The database 127.0.0.1/{SERVER['NAME']} cannot be used: ")
    assert "Connection refused" in message


def test_an_option_that_does_not_fit():
    assert "invalid sslmode value" in refusal(OPTIONS={"sslmode": "maybe"})


def test_the_advice_for_another_server(settings):
    settings.EMBEDDED = None
    assert refusal(HOST="127.0.0.1", PORT="1").endswith(
        "Correct DATABASE_URL, or unset it to use the embedded server."
    )


def test_an_old_server():
    with pytest.raises(StartRefused, match=r"too old: Postgres 13\. Footnote needs 15 or newer"):
        startup._check_version(130014)


def test_another_encoding(administrator):
    rest = "ENCODING 'SQL_ASCII' LOCALE 'C' TEMPLATE template0"
    with created(administrator, "DATABASE", rest) as name:
        assert "encoding is SQL_ASCII, and Footnote needs UTF8" in refusal(NAME=name)


def test_a_missing_extension(administrator, monkeypatch):
    monkeypatch.setattr(postgres, "EXTENSIONS", ("vector", "telepathy"))
    assert refusal().startswith("The database server lacks the extensions telepathy. Install")


def test_an_old_extension():
    with pytest.raises(StartRefused, match=r"extension vector is 0\.4\.2, and Footnote needs 0\.7"):
        startup._check_available(("vector",), {"vector": "0.4.2"})


def test_a_user_who_may_not_create_the_extension(administrator):
    with (
        created(administrator, "ROLE", "LOGIN PASSWORD 'plain'") as user,
        created(administrator, "DATABASE", f'OWNER "{user}"') as name,
    ):
        assert refusal(NAME=name, USER=user, PASSWORD="plain") == (
            f"The database user {user} may not create the extensions vector. Let an administrator "
            "of the server run in this database: CREATE EXTENSION vector;"
        )


def test_a_user_who_may_not_create_tables(administrator):
    with (
        created(administrator, "ROLE", "LOGIN PASSWORD 'plain'") as user,
        created(administrator, "DATABASE") as name,
    ):
        arguments = {**startup._connection_arguments(SERVER), "dbname": name}
        with psycopg.connect(**arguments) as connection:
            connection.execute("CREATE EXTENSION vector")
        message = refusal(NAME=name, USER=user, PASSWORD="plain")
        assert message.endswith(f'GRANT CREATE ON SCHEMA public TO "{user}";')
