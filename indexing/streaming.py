"""The event stream of a run: its whole state first, then what has changed, then its end."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b

from asgiref.sync import sync_to_async
from django.db import close_old_connections
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.urls import reverse

from accounts.models import User
from indexing import events
from indexing.models import IndexRun
from indexing.run_page import details_context, find_run, progress_context
from repos.models import Repository

HEARTBEAT_SECONDS = 10.0
LEAST_SECONDS = 0.25  # between two events; what happens meanwhile goes into the later one
HEARTBEAT = b": heartbeat\n\n"
TEMPLATE = "indexing/run.html"


@dataclass(frozen=True, slots=True)
class Look:
    """The state of a run at one moment, rendered. `key` changes whenever the page would."""

    progress: str = ""
    details: str = ""
    version: str = ""
    leave: str = ""
    has_ended: bool = False
    is_gone: bool = False

    @property
    def key(self) -> str:
        text = f"{self.progress}\0{self.version}\0{self.leave}"
        return blake2b(text.encode(), digest_size=8).hexdigest()


@dataclass(slots=True)
class Watcher:
    """Looks at one run for one person; every look asks again whether the person may see it."""

    request: HttpRequest
    slug: str
    number: int
    known_version: str = field(default="")

    def find(self) -> IndexRun | None:
        if isinstance(self.request.user, User):
            # Who is deactivated while a stream goes on sees no more of it.
            self.request.user.refresh_from_db(fields=["is_active", "is_superuser"])
        visible = Repository.objects.visible_to(self.request.user).filter(slug=self.slug).first()
        return find_run(visible, self.number) if visible else None

    def look(self) -> Look:
        try:
            run = self.find()
            return self._look(run) if run else Look(is_gone=True, has_ended=True)
        finally:
            # The stream lasts, and no connection may wait in its thread until it ends.
            close_old_connections()

    def _look(self, run: IndexRun) -> Look:
        context = progress_context(run, may_change=may_change(self.request, run.repository))
        context["live"] = True
        progress = render_to_string(f"{TEMPLATE}#progress", context, request=self.request)
        details = ""
        if context["version"] != self.known_version:
            context |= details_context(run)
            details = render_to_string(f"{TEMPLATE}#details", context, request=self.request)
        return Look(
            progress=progress,
            details=details,
            version=context["version"],
            leave=preview_url(run) if context["may_change"] else "",
            has_ended=not run.is_active,
        )


def may_change(request: HttpRequest, repository: Repository) -> bool:
    return Repository.objects.changeable_by(request.user).filter(pk=repository.pk).exists()


def preview_url(run: IndexRun) -> str:
    """Where to confirm a run that waits for it, else ""."""
    if run.state != IndexRun.State.PREVIEW:
        return ""
    return reverse("indexing:preview", args=[run.repository.slug])


def frame(name: str, data: str, key: str = "") -> bytes:
    """One event: each line of the data with its own field, whatever ends the lines."""
    lines = [f"event: {name}", *(f"data: {line}" for line in data.splitlines() or [""])]
    if key:
        lines.append(f"id: {key}")
    return ("\n".join(lines) + "\n\n").encode()


async def stream(watcher: Watcher, run_id: int, last_key: str) -> AsyncGenerator[bytes, None]:
    """`last_key` is the id of the last event the browser has; it is not sent once more."""
    with events.hub().follow(run_id) as changed:
        while True:
            changed.clear()
            seen = await sync_to_async(watcher.look)()
            for event in _changes(watcher, seen, last_key):
                yield event
            last_key = seen.key
            if seen.has_ended:
                yield frame("end", "", f"end-{seen.key}")
                return
            if not await heard(changed):
                yield HEARTBEAT
            await asyncio.sleep(LEAST_SECONDS)


def _changes(watcher: Watcher, seen: Look, last_key: str) -> Iterator[bytes]:
    known, watcher.known_version = watcher.known_version, seen.version
    if seen.is_gone or seen.key == last_key:
        return
    if seen.version != known:
        yield frame("details", seen.details)
    if seen.leave:
        yield frame("leave", seen.leave)
    # The id comes with the last event of a look: only then has the browser all of it.
    yield frame("progress", seen.progress, seen.key)


async def heard(changed: asyncio.Event) -> bool:
    """False when nothing was heard for as long as a connection may be silent."""
    try:
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            await changed.wait()
    except TimeoutError:
        return False
    return True
