"""Wakes the streams of a web process when a run they follow has changed.

One LISTEN connection serves all streams of an event loop. It opens with the first stream and
closes with the last one. While it is down the streams still look by themselves now and then.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from django.db import connections
from psycopg import sql

from indexing.runs import CHANNEL

RETRY_SECONDS = 1.0
# What Django adds for its own, synchronous connections.
NOT_FOR_US = frozenset({"context", "cursor_factory", "prepare_threshold"})

logger = logging.getLogger(__name__)


class Hub:
    """Hands notifications on to those who follow a run; lives in one event loop."""

    def __init__(self) -> None:
        self._followers: defaultdict[int, set[asyncio.Event]] = defaultdict(set)
        self._listener: asyncio.Task[None] | None = None

    @property
    def followers(self) -> int:
        return sum(map(len, self._followers.values()))

    @property
    def is_listening(self) -> bool:
        return self._listener is not None

    # Not an async context manager: nothing is awaited, so it ends even where a loop is closing.
    @contextmanager
    def follow(self, run_id: int) -> Iterator[asyncio.Event]:
        """An event that is set whenever the run has changed, or may have."""
        changed = asyncio.Event()
        self._followers[run_id].add(changed)
        if self._listener is None:
            self._listener = asyncio.create_task(self._listen())
        try:
            yield changed
        finally:
            self._leave(run_id, changed)

    def _leave(self, run_id: int, changed: asyncio.Event) -> None:
        self._followers[run_id].discard(changed)
        if not self._followers[run_id]:
            del self._followers[run_id]
        if not self._followers and self._listener is not None:
            self._listener.cancel()
            self._listener = None

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except psycopg.Error as error:
                logger.warning("no notifications of runs for now: %s", type(error).__name__)
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen_once(self) -> None:
        connection = await psycopg.AsyncConnection.connect(autocommit=True, **_parameters())
        async with connection:
            await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(CHANNEL)))
            # What changed before this moment was notified to nobody.
            for run_id in list(self._followers):
                self._wake(run_id)
            async for notification in connection.notifies():
                if notification.payload.isdigit():
                    self._wake(int(notification.payload))

    def _wake(self, run_id: int) -> None:
        for changed in self._followers.get(run_id, ()):
            changed.set()


def _parameters() -> dict[str, Any]:
    given = connections["default"].get_connection_params()
    return {name: value for name, value in given.items() if name not in NOT_FOR_US}


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop: in a web process there is one."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())
