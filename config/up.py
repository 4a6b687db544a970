"""Starts Footnote in the background: `python -m config.up`, which is `make up`."""

import os
import sys

import django
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command

from config import datafolder, ports, processes
from config.refused import StartRefused
from config.startup import ensure_database
from config.supervise import COMMANDS, start_detached

SUPERVISOR = (sys.executable, "-m", "config.supervise")
ANSWER_SECONDS = 60


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        started = start()
    except ImproperlyConfigured as error:
        sys.stderr.write(f"footnote: {error}\n")
        return 1
    word = "runs" if started else "is running already"
    address = ports.address(settings.BIND, settings.PORT)
    sys.stdout.write(f"Footnote {word} at {address} (logs: {processes.folder()})\n")
    return 0


def start() -> bool:
    """Start web, worker and database; False where they run already. Raises StartRefused."""
    datafolder.make(settings.DATA)
    processes.folder().mkdir(mode=0o700, exist_ok=True)
    with datafolder.locked(processes.folder() / "up.lock"):
        if _runs_as_wanted():
            return False
        _stop_leftovers()
        ports.refuse_taken(settings.BIND, settings.PORT)
        _prepare()
        _launch()
    return True


def _runs_as_wanted() -> bool:
    record = processes.read(processes.record_of("supervisor"))
    if record is None:
        return False
    if record.address != ports.address(settings.BIND, settings.PORT):
        message = f"Footnote already runs at {record.address}. Stop it first: make down"
        raise StartRefused(message)
    return set(_roots().split(":")) <= set(record.roots.split(":"))


def _roots() -> str:
    return ":".join(str(folder) for folder in settings.FOLDER_ROOTS)


def _stop_leftovers() -> None:
    """End a supervisor with other settings, and programs whose supervisor was killed."""
    for name in ("supervisor", *COMMANDS):
        processes.stop(processes.record_of(name))


def _prepare() -> None:
    ensure_database()
    django.setup()
    call_command("migrate", interactive=False, verbosity=0)
    if settings.STATIC_ROOT:
        call_command("collectstatic", interactive=False, verbosity=0)


def _launch() -> None:
    address = ports.address(settings.BIND, settings.PORT)
    supervisor = start_detached(SUPERVISOR, "supervisor", address=address, roots=_roots())
    status = ports.wait_for_answer(
        settings.BIND, settings.PORT, ANSWER_SECONDS, lambda: supervisor.poll() is None
    )
    # Whoever answered, it must be ours.
    if processes.read(processes.record_of("web")) is None:
        status = 0
    if status == 0 or status >= 500:
        _stop_leftovers()
        answer = f"answered with status {status}" if status else "did not answer"
        raise StartRefused(f"The web server {answer}; see {processes.log_of('web')}")
    supervisor.returncode = 0  # it stays behind; without this Python warns of a lost child


if __name__ == "__main__":
    sys.exit(main())
