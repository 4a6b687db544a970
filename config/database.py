"""Which database is used: the embedded server by default, or the one DATABASE_URL names."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

# A Unix socket's path holds at most 107 bytes on Linux; ".s.PGSQL.5432" needs 14 of them.
SOCKET_FOLDER_BYTES = 90
DATABASE_NAME = "footnote"
SUPERUSER = "postgres"
URL_SHAPE = "DATABASE_URL must look like postgresql://user:password@host:5432/name."
ESCAPES = "Write # @ / ? and % in a password as %23 %40 %2F %3F and %25."
# What may follow `?`; `host` is for a folder of Unix sockets.
URL_OPTIONS = frozenset(
    {
        "application_name",
        "connect_timeout",
        "host",
        "keepalives",
        "keepalives_idle",
        "sslcert",
        "sslkey",
        "sslmode",
        "sslrootcert",
        "target_session_attrs",
    }
)


@dataclass(frozen=True, slots=True)
class EmbeddedServer:
    """Where the embedded Postgres keeps its files, below the data folder."""

    data: Path

    @property
    def cluster(self) -> Path:
        return self.data / "postgres"

    @property
    def password_file(self) -> Path:
        return self.data / "secrets" / "postgres"

    @property
    def log(self) -> Path:
        return self.data / "postgres" / "server.log"

    @property
    def socket_folder(self) -> Path:
        """Inside the data folder, or below /tmp where that path is no place for a socket."""
        inside = self.data / "run"
        # libpq takes a comma for the end of a host.
        if len(bytes(inside)) <= SOCKET_FOLDER_BYTES and "," not in str(inside):
            return inside
        name = hashlib.sha256(bytes(self.data)).hexdigest()[:16]
        # Not tempfile.gettempdir(): every process must find the same folder, whatever TMPDIR says.
        return Path("/tmp") / f"footnote-{name}"  # noqa: S108


def embedded_settings(server: EmbeddedServer, password: str) -> dict[str, Any]:
    """The Django DATABASES entry for the embedded server."""
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": DATABASE_NAME,
        "USER": SUPERUSER,
        "PASSWORD": password,
        "HOST": str(server.socket_folder),
    }


def url_settings(url: str) -> dict[str, Any]:
    """The Django DATABASES entry for `postgresql://user:password@host:port/name?option=value`.

    Raises ImproperlyConfigured, never with the URL in the message: it holds a password.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:  # its text may hold a part of the password
        raise ImproperlyConfigured(f"{URL_SHAPE} {ESCAPES}") from None
    if parts.scheme not in {"postgres", "postgresql"} or not parts.path.strip("/"):
        raise ImproperlyConfigured(URL_SHAPE)
    if parts.fragment or "@" in (parts.path + parts.query):
        raise ImproperlyConfigured(f"{URL_SHAPE} {ESCAPES}")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        "OPTIONS": _options(parts.query),
    }


def _options(query: str) -> dict[str, str]:
    options = dict(parse_qsl(query))
    unknown = sorted(options.keys() - URL_OPTIONS)
    if unknown:
        message = (
            f"DATABASE_URL has unknown options: {', '.join(unknown)}. "
            f"Known: {', '.join(sorted(URL_OPTIONS))}."
        )
        raise ImproperlyConfigured(message)
    return options
