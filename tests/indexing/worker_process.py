"""Runs an index run in a worker process of its own, on the test's database and folders."""

import json
import subprocess
import sys
from dataclasses import dataclass

from django.conf import settings
from django.db import connection

from indexing.models import IndexRun
from tests.marked import marked_environment

NAMES = ("EMBEDDING_MODEL", "PARSER_PROCESSES", "DATA", "CLONES", "UPLOADS")


@dataclass(frozen=True)
class Ended:
    """How the process ended; `mark` finds what it left behind (tests/marked.py)."""

    status: int
    output: str
    errors: str
    mark: str


def run_worker(run: IndexRun, point: str = "") -> Ended:
    values = {name: getattr(settings, name) for name in NAMES}
    values["FOLDER_ROOTS"] = [str(root) for root in settings.FOLDER_ROOTS]
    values["database"] = connection.settings_dict["NAME"]
    given = json.dumps(values, default=str)
    mark, environment = marked_environment()
    environment["DJANGO_SETTINGS_MODULE"] = "config.settings"
    done = subprocess.run(
        [sys.executable, "-m", "tests.indexing.killed_worker", str(run.pk), point, given],
        env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    return Ended(done.returncode, done.stdout, done.stderr, mark)
