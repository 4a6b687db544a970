"""Which database is used: the embedded server by default, or the one DATABASE_URL names."""

import hashlib
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

# A Unix socket's path holds at most 107 bytes on Linux; ".s.PGSQL.5432" needs 14 of them.
SOCKET_FOLDER_BYTES = 90
DATABASE_NAME = "footnote"
SUPERUSER = "postgres"


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
        """Inside the data folder, or under the temporary folder where that path is too long."""
        inside = self.data / "run"
        if len(bytes(inside)) <= SOCKET_FOLDER_BYTES:
            return inside
        name = hashlib.sha256(bytes(self.data)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"footnote-{name}"


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
    """The Django DATABASES entry for `postgresql://user:password@host:port/name?option=value`."""
    parts = urlsplit(url)
    if parts.scheme not in {"postgres", "postgresql"} or not parts.path.strip("/"):
        message = "DATABASE_URL must look like postgresql://user:password@host:5432/name."
        raise ImproperlyConfigured(message)
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or ""),
        "PORT": str(parts.port or ""),
        "OPTIONS": dict(parse_qsl(parts.query)),
    }
