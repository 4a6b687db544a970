"""`make test` starts the embedded database by this, for speed without waiting for the disk.

Nothing in it must survive a power failure. A server that DATABASE_URL names stays as it is.
"""

import os
import sys
from pathlib import Path

import psycopg
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config.startup import ensure_database


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        ensure_database()
    except ImproperlyConfigured as error:
        sys.stderr.write(f"footnote: {error}\n")
        return 1
    if settings.EMBEDDED is not None:
        do_without_fsync()
    if settings.STATIC_ROOT:
        Path(settings.STATIC_ROOT).mkdir(exist_ok=True)  # whitenoise warns where it is missing
    return 0


def do_without_fsync() -> None:
    entry = settings.DATABASES["default"]
    with psycopg.connect(
        host=entry["HOST"],
        user=entry["USER"],
        password=entry["PASSWORD"],
        dbname=entry["NAME"],
        autocommit=True,
    ) as connection:
        connection.execute("ALTER SYSTEM SET fsync = off")
        connection.execute("ALTER SYSTEM SET full_page_writes = off")
        connection.execute("SELECT pg_reload_conf()")


if __name__ == "__main__":
    sys.exit(main())
