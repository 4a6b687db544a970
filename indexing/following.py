"""Follow a run from another process: woken by NOTIFY, and looking once a second anyway."""

import select
from collections.abc import Iterator
from typing import Any

from django.db import connections

from indexing.models import IndexRun
from indexing.progress import run_state
from indexing.runs import CHANNEL

LOOK_SECONDS = 1.0


def follow(run: IndexRun) -> Iterator[dict[str, Any]]:
    """The state of the run at every look, changed or not, ending with its final state."""
    connection = connections.create_connection("default")
    try:
        with connection.cursor() as cursor:
            cursor.execute(f"LISTEN {CHANNEL}")
        while True:
            state = run_state(run)
            yield state
            if not state["active"]:
                return
            _sleep(connection.connection)
    finally:
        connection.close()


def _sleep(raw: Any) -> None:
    """Until something is notified on the connection, at most LOOK_SECONDS."""
    select.select([raw.fileno()], [], [], LOOK_SECONDS)
    for _ in raw.notifies(timeout=0):
        pass
