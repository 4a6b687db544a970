"""What must hold before a process serves: the database runs and can do what is needed."""

import psycopg
from django.conf import settings

from config import postgres


class StartRefused(Exception):
    """Footnote cannot start; the message says why and what to do."""


def ensure_database() -> None:
    """Start the embedded server if it is ours, and check the extensions. Raises StartRefused."""
    try:
        if settings.EMBEDDED is not None:
            postgres.ensure_running(settings.EMBEDDED)
    except postgres.DatabaseUnavailable as error:
        raise StartRefused(str(error)) from error
    _check_server()


def _check_server() -> None:
    parameters = settings.DATABASES["default"]
    try:
        with psycopg.connect(
            host=parameters["HOST"],
            port=parameters.get("PORT") or None,
            user=parameters["USER"],
            password=parameters["PASSWORD"],
            dbname=parameters["NAME"],
            connect_timeout=10,
            **parameters.get("OPTIONS", {}),
        ) as connection:
            _check_version(connection)
            _check_extensions(connection)
    except psycopg.OperationalError as error:
        where = f"{parameters['HOST']}/{parameters['NAME']}"
        reason = str(error).strip().splitlines()[-1]
        raise StartRefused(f"The database {where} cannot be reached: {reason}") from error


def _check_version(connection: psycopg.Connection) -> None:
    if connection.info.server_version < 150000:
        raise StartRefused("The database server is too old: Postgres 15 or newer is needed.")


def _check_extensions(connection: psycopg.Connection) -> None:
    query = "SELECT name FROM pg_available_extensions WHERE name = ANY(%s)"
    available = {row[0] for row in connection.execute(query, [list(postgres.EXTENSIONS)])}
    missing = sorted(set(postgres.EXTENSIONS) - available)
    if missing:
        names = ", ".join(missing)
        message = (
            f"The database server lacks the extensions {names}. Install them on the server "
            "(Debian: postgresql-contrib and postgresql-NN-pgvector), or unset DATABASE_URL."
        )
        raise StartRefused(message)
