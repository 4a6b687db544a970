"""The event stream of an answer: each part of its page when it is new or has changed, then its end.

A part is an element with an id. The browser replaces the one it has, or appends it where the
part says, so a reload, a second tab and a break in the line all end in the same page.
"""

import asyncio
import re
import uuid
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import HttpRequest
from django.template.loader import render_to_string

from accounts.models import User
from answers import claims, queries
from answers.models import Answer
from answers.page import context_of
from answers.reading import show
from indexing import events
from indexing.streaming import HEARTBEAT, frame, heard

# Forms carry a token that is written differently each time.
_TOKEN = re.compile(r'(name="csrfmiddlewaretoken" value=)"[^"]*"')
LEAST_SECONDS = 0.05  # between two looks; what happens meanwhile goes into the later one


def said(html: str) -> str:
    """What tells one state of a part from another."""
    return _TOKEN.sub(r"\1", html)


@dataclass(frozen=True, slots=True)
class Look:
    """The parts of the page by their ids, at one moment."""

    parts: tuple[tuple[str, str], ...] = ()
    has_ended: bool = False
    is_gone: bool = False

    @property
    def key(self) -> str:
        text = "\0".join(f"{name}\0{said(html)}" for name, html in self.parts)
        return blake2b(text.encode(), digest_size=8).hexdigest()


@dataclass(slots=True)
class Watcher:
    """Looks at one answer for one person; every look asks again whether the person may read it.

    `pieces` is how many pieces of evidence the page has already.
    """

    request: HttpRequest
    pk: uuid.UUID
    pieces: int = 0
    sent: dict[str, str] = field(default_factory=dict)

    def know(self, seen: Look) -> None:
        """The browser has all of this."""
        self.sent.update({name: said(html) for name, html in seen.parts})

    def find(self) -> Answer | None:
        if isinstance(self.request.user, User):
            # Who is deactivated while a stream goes on sees no more of it.
            self.request.user.refresh_from_db(fields=["is_active", "is_superuser"])
        rows = queries.readable_by(self.request.user)
        return rows.filter(pk=self.pk).select_related("question__conversation__person").first()

    def look(self) -> Look:
        try:
            answer = self.find()
            if answer is None:
                return Look(is_gone=True, has_ended=True)
            return Look(tuple(self._parts(answer)), has_ended=not answer.is_running)
        finally:
            # The stream lasts, and no connection may wait in its thread until it ends.
            close_old_connections()

    def _parts(self, answer: Answer) -> Iterator[tuple[str, str]]:
        shown = show(answer)
        context = {**context_of(self.request, shown), "live": True}

        def part(name: str, template: str, **more: object) -> tuple[str, str]:
            html = render_to_string(f"answers/{template}.html", {**context, **more}, self.request)
            return name, html.strip()

        yield part("searched", "searched")
        for piece in shown.pieces[self.pieces :]:
            yield part(f"piece-{piece.row.ordinal}", "piece", piece=piece)
        if shown.is_written:
            for statement in shown.statements:
                yield part(f"statement-{statement.row.ordinal}", "statement", statement=statement)
        yield part("status", "status")
        if not answer.is_running:
            if not shown.is_written:
                yield part("body", "body")
            yield part("rest", "rest")


async def stream(watcher: Watcher, last_key: str) -> AsyncGenerator[bytes, None]:
    """`last_key` is the id of the last event the browser has; its parts are not sent once more."""
    with events.hub(claims.CHANGED).follow(watcher.pk) as changed:
        while True:
            changed.clear()
            seen = await sync_to_async(watcher.look)()
            if seen.key == last_key:
                watcher.know(seen)
            for event in _changes(watcher, seen):
                yield event
            last_key = seen.key
            if seen.has_ended:
                yield frame("end", "", f"end-{seen.key}")
                return
            if not await heard(changed):
                yield HEARTBEAT
            await asyncio.sleep(LEAST_SECONDS)


def _changes(watcher: Watcher, seen: Look) -> Iterator[bytes]:
    changed = [one for one in seen.parts if watcher.sent.get(one[0]) != said(one[1])]
    watcher.know(seen)
    for place, (_name, html) in enumerate(changed, 1):
        # The id comes with the last event of a look: only then has the browser all of it.
        yield frame("part", html, seen.key if place == len(changed) else "")
