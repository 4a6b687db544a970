"""What must hold before a process serves: the database runs and can do what is needed."""

from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from config import datafolder, postgres
from config.refused import StartRefused

__all__ = ["StartRefused", "check_server", "ensure_database", "lacks_migrations"]

OLDEST_SERVER = 150000  # as libpq writes 15.0
OLDEST_VECTOR = (0, 7)  # the first with `halfvec`
ENCODING = "UTF8"

AVAILABLE = """
/* startup: extensions */
SELECT v.name, v.version, v.installed, (v.superuser AND NOT v.trusted) AS needs_superuser
FROM pg_available_extension_versions v
JOIN pg_available_extensions e ON e.name = v.name
WHERE v.name = ANY(%(names)s) AND v.version = coalesce(e.installed_version, e.default_version)
"""
RIGHTS = """
/* startup: rights */
SELECT current_user, r.rolsuper, has_schema_privilege('public', 'CREATE')
FROM pg_roles r WHERE r.rolname = current_user
"""


def ensure_database() -> None:
    """Make the data folder, start the embedded server if it is ours, check the extensions.

    Raises StartRefused.
    """
    datafolder.make(settings.DATA)
    if settings.EMBEDDED is not None:
        postgres.ensure_running(settings.EMBEDDED)
    check_server(settings.DATABASES["default"])


def lacks_migrations() -> bool:
    """Whether tables are missing, or are those of an older version."""
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def check_server(parameters: dict[str, Any]) -> None:
    """Raise StartRefused where the database named by Django's parameters does not fit."""
    try:
        with psycopg.connect(**_connection_arguments(parameters)) as connection:
            _check_version(connection.info.server_version)
            _check_encoding(connection.info.parameter_status("server_encoding"))
            _check_rights(connection, postgres.EXTENSIONS)
    except psycopg.Error as error:
        where = f"{parameters['HOST'] or 'the local socket'}/{parameters['NAME']}"
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        message = f"The database {where} cannot be used: {reason}. {_advice()}"
        raise StartRefused(message) from error


def _connection_arguments(parameters: dict[str, Any]) -> dict[str, Any]:
    given = {
        "host": parameters["HOST"],
        "port": parameters.get("PORT"),
        "user": parameters["USER"],
        "password": parameters["PASSWORD"],
        "dbname": parameters["NAME"],
    }
    # What is empty must not overrule an option: `?host=/folder` names a socket.
    named = {name: value for name, value in given.items() if value}
    return {"connect_timeout": 10, **parameters.get("OPTIONS", {}), **named}


def _advice() -> str:
    if settings.EMBEDDED is not None:
        return f"The log of the embedded server: {settings.EMBEDDED.log}"
    return "Correct DATABASE_URL, or unset it to use the embedded server."


def _check_version(version: int) -> None:
    if version < OLDEST_SERVER:
        message = (
            f"The database server is too old: Postgres {version // 10000}. Footnote needs "
            f"{OLDEST_SERVER // 10000} or newer. Name another one in DATABASE_URL, or unset it."
        )
        raise StartRefused(message)


def _check_encoding(encoding: str | None) -> None:
    if encoding != ENCODING:
        message = (
            f"The database's encoding is {encoding}, and Footnote needs {ENCODING}: create it "
            "anew with CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0."
        )
        raise StartRefused(message)


def _check_rights(connection: psycopg.Connection, names: tuple[str, ...]) -> None:
    """Whether the extensions are there or can be created, and tables can be."""
    found = {row[0]: row[1:] for row in connection.execute(AVAILABLE, {"names": list(names)})}
    row = connection.execute(RIGHTS).fetchone()
    user, superuser, may_create = row or ("", False, False)
    _check_available(names, {name: version for name, (version, _, _) in found.items()})
    barred = sorted(
        name for name, (_, installed, needs) in found.items() if needs and not installed
    )
    if barred and not superuser:
        commands = " ".join(f"CREATE EXTENSION {name};" for name in barred)
        message = (
            f"The database user {user} may not create the extensions {', '.join(barred)}. Let "
            f"an administrator of the server run in this database: {commands}"
        )
        raise StartRefused(message)
    if not may_create:
        message = (
            f"The database user {user} may not create tables. Let an administrator of the "
            f'server run in this database: GRANT CREATE ON SCHEMA public TO "{user}";'
        )
        raise StartRefused(message)


def _check_available(names: tuple[str, ...], versions: dict[str, str]) -> None:
    missing = sorted(set(names) - versions.keys())
    if missing:
        message = (
            f"The database server lacks the extensions {', '.join(missing)}. Install them on the "
            "server (Debian: postgresql-contrib and postgresql-NN-pgvector), or unset DATABASE_URL."
        )
        raise StartRefused(message)
    vector = versions.get("vector")
    if vector and _numbers(vector) < OLDEST_VECTOR:
        message = (
            f"The server's extension vector is {vector}, and Footnote needs 0.7 or newer: "
            "update pgvector, or unset DATABASE_URL."
        )
        raise StartRefused(message)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if part.isdigit())
