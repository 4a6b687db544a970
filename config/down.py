"""Stops what `make up` started, and nothing else: `python -m config.down`, or `make down`."""

import os
import sys

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured

from config import datafolder, postgres, processes
from config.supervise import COMMANDS


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        stopped = stop()
    except ImproperlyConfigured as error:
        sys.stderr.write(f"footnote: {error}\n")
        return 1
    sys.stdout.write(f"Stopped: {', '.join(stopped)}\n" if stopped else "Nothing was running.\n")
    return 0


def stop() -> list[str]:
    """Stop supervisor, programs and embedded database; the names of those that ran."""
    if not settings.DATA.exists():
        return []
    stopped = []
    if processes.folder().exists():
        with datafolder.locked(processes.folder() / "up.lock"):
            stopped = _stop_programs()
    if settings.EMBEDDED is not None and postgres.stop(settings.EMBEDDED):
        stopped.append("database")
    return stopped


def _stop_programs() -> list[str]:
    # The supervisor stops the others itself; they are asked for in case it was killed.
    ran = [name for name in COMMANDS if processes.read(processes.record_of(name))]
    for name in ("supervisor", *COMMANDS):
        processes.stop(processes.record_of(name))
    return ran


if __name__ == "__main__":
    sys.exit(main())
