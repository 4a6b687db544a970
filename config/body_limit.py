"""Bodies that are too long are thrown away as they come, before anything of them is kept.

Django writes a body to the disk first and asks who sends it afterwards, however long it is.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from django.conf import settings
from django.urls import reverse

Scope = dict[str, Any]
Message = Mapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

FORM_BYTES = 2**20  # what an upload's other fields may take
# A browser shows the answer only once it has sent all; one that sends without end is cut off.
PATIENCE = 4


class BodyLimit:
    """Answers 413 in place of an ASGI application where the body is longer than it may be."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = _Body(receive, longest(scope["path"]))
        if scope["type"] == "http" and _declared(scope) > body.most:
            await body.throw_away()
        else:
            await self._application(scope, body.receive, send)
        if body.is_too_long:
            await _refuse(send, body.most)


class _Body:
    def __init__(self, receive: Receive, most: int) -> None:
        self._receive = receive
        self._count = 0
        self.most = most
        self.is_too_long = False

    async def receive(self) -> Message:
        """The next message; "disconnected" in place of the one with which it gets too long."""
        message = await self._receive()
        self._count += len(message.get("body", b""))
        if self._count <= self.most:
            return message
        if message.get("more_body"):
            await self.throw_away()
        self.is_too_long = True
        return {"type": "http.disconnect"}

    async def throw_away(self) -> None:
        self.is_too_long = True
        more = True
        while more and self._count <= PATIENCE * self.most:
            message = await self._receive()
            self._count += len(message.get("body", b""))
            more = bool(message.get("more_body"))


def longest(path: str) -> int:
    """How many bytes a body may have that is sent to this path."""
    if path == reverse("indexing:import"):
        return int(settings.ARCHIVE_MAX_BYTES) + FORM_BYTES
    return int(settings.DATA_UPLOAD_MAX_MEMORY_SIZE)


def _declared(scope: Scope) -> int:
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length) if length.isdigit() else 0


async def _refuse(send: Send, most: int) -> None:
    text = f"What was sent is longer than {most >> 20} MB. Nothing was kept.".encode()
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": text})
