"""Wakes the streams of a web process when what they follow has changed.

One LISTEN connection serves all streams of an event loop and a channel: runs, and what apps to
the right have. It opens with the first stream and
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
    """Hands notifications on to those who follow a key; lives in one event loop."""

    def __init__(self, channel: str = CHANNEL) -> None:
        self._channel = channel
        self._followers: defaultdict[str, set[asyncio.Event]] = defaultdict(set)
        self._listener: asyncio.Task[None] | None = None

    @property
    def followers(self) -> int:
        return sum(map(len, self._followers.values()))

    @property
    def is_listening(self) -> bool:
        return self._listener is not None

    # Not an async context manager: nothing is awaited, so it ends even where a loop is closing.
    @contextmanager
    def follow(self, key: object) -> Iterator[asyncio.Event]:
        """An event that is set whenever the run (or the like) has changed, or may have."""
        changed = asyncio.Event()
        self._followers[str(key)].add(changed)
        if self._listener is None:
            self._listener = asyncio.create_task(self._listen())
        try:
            yield changed
        finally:
            self._leave(str(key), changed)

    def _leave(self, key: str, changed: asyncio.Event) -> None:
        self._followers[key].discard(changed)
        if not self._followers[key]:
            del self._followers[key]
        if not self._followers and self._listener is not None:
            self._listener.cancel()
            self._listener = None

    async def _listen(self) -> None:
        while True:
            try:
                await self._listen_once()
            except psycopg.Error as error:
                name = type(error).__name__
                logger.warning("no notifications of %s for now: %s", self._channel, name)
            await asyncio.sleep(RETRY_SECONDS)

    async def _listen_once(self) -> None:
        connection = await psycopg.AsyncConnection.connect(autocommit=True, **_parameters())
        async with connection:
            await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(self._channel)))
            # What changed before this moment was notified to nobody.
            for key in list(self._followers):
                self._wake(key)
            async for notification in connection.notifies():
                self._wake(notification.payload)

    def _wake(self, key: str) -> None:
        for changed in self._followers.get(key, ()):
            changed.set()


def _parameters() -> dict[str, Any]:
    given = connections["default"].get_connection_params()
    return {name: value for name, value in given.items() if name not in NOT_FOR_US}


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, dict[str, Hub]] = WeakKeyDictionary()


def hub(channel: str = CHANNEL) -> Hub:
    """The hub of the running event loop: in a web process there is one."""
    hubs = _hubs.setdefault(asyncio.get_running_loop(), {})
    return hubs.setdefault(channel, Hub(channel))
