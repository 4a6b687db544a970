#!/usr/bin/env python3
"""Runs a management command, with the embedded database started where it is needed."""

import os
import signal
import sys

WITHOUT_DATABASE = {
    "help",
    "--help",
    "--version",
    "makemessages",
    "compilemessages",
    "collectstatic",
}

UNPREPARED = (
    "The database has not been made ready for this version. Run `make up`, which does it, "
    "or `.venv/bin/python manage.py migrate`, and try again."
)


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # Both imports read the settings: a bad value must end in one line, not in a stack trace.
    from django.core.exceptions import ImproperlyConfigured  # noqa: PLC0415
    from django.core.management import execute_from_command_line  # noqa: PLC0415
    from django.db import ProgrammingError  # noqa: PLC0415

    from config.startup import StartRefused, ensure_database, lacks_migrations  # noqa: PLC0415

    try:
        if len(sys.argv) > 1 and sys.argv[1] not in WITHOUT_DATABASE:
            ensure_database()
        execute_from_command_line(sys.argv)
        sys.stdout.flush()
    except (ImproperlyConfigured, StartRefused) as error:
        sys.stderr.write(f"footnote: {error}\n")
        return 1
    except ProgrammingError:
        if not lacks_migrations():
            raise
        sys.stderr.write(f"footnote: {UNPREPARED}\n")
        return 1
    except BrokenPipeError:
        # `... | head` has seen enough; the interpreter's last flush must not complain either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    except KeyboardInterrupt:
        return 128 + signal.SIGINT
    return 0


if __name__ == "__main__":
    sys.exit(main())
