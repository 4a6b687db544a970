"""Bodies that are too long are answered by 413, and nothing of them reaches Django."""

import asyncio

import pytest

from config import asgi
from config.body_limit import FORM_BYTES, BodyLimit, longest

LIMIT = 1000


@pytest.fixture(autouse=True)
def _small(settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = LIMIT
    settings.ARCHIVE_MAX_BYTES = 5 * LIMIT


def answer(*blocks: bytes, declared: int | None = None, path: str = "/ask"):
    """(status, messages that the application saw) for a body that comes in these blocks."""
    seen, sent = [], []
    messages = [{"type": "http.request", "body": one, "more_body": True} for one in blocks]
    messages.append({"type": "http.request", "body": b"", "more_body": False})

    async def application(_scope, receive, send):
        while True:
            seen.append(message := await receive())
            if message["type"] == "http.disconnect":
                return
            if not message["more_body"]:
                break
        await send({"type": "http.response.start", "status": 200})

    async def receive():
        return messages.pop(0)

    async def send(message):
        sent.append(message)

    headers = [] if declared is None else [(b"content-length", str(declared).encode())]
    scope = {"type": "http", "path": path, "headers": headers}
    asyncio.run(BodyLimit(application)(scope, receive, send))
    return sent[0]["status"], seen


def test_what_fits_passes():
    assert answer(b"a" * LIMIT, declared=LIMIT)[0] == 200


def test_a_length_that_is_declared_is_refused_before_anything_is_kept():
    assert answer(b"a" * LIMIT, b"a", declared=LIMIT + 1) == (413, [])


def test_a_length_that_is_not_declared_is_counted():
    status, seen = answer(b"a" * LIMIT, b"a", b"a" * LIMIT)
    assert (status, seen[-1]) == (413, {"type": "http.disconnect"})
    assert sum(len(one.get("body", b"")) for one in seen) == LIMIT


def test_nobody_is_listened_to_for_ever():
    assert answer(*[b"a" * LIMIT] * 50)[0] == 413


def test_archives_may_be_longer():
    assert longest("/import") == 5 * LIMIT + FORM_BYTES
    assert answer(b"a" * LIMIT, b"a", path="/import")[0] == 200


def test_the_server_has_the_limit():
    assert isinstance(asgi.application, BodyLimit)
