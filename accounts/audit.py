"""Recording who saw and did what: `record`, from any app; the rows are `AuditEvent`.

Most is recorded without being asked: pages by compliance/middleware.py, changes of rows by
trail/changes.py, signing in by trail/sign_ins.py. `record` is for the rest.
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, Protocol

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.http import HttpRequest

from accounts.models import User
from accounts.trail.chain import mac_of, signing_key
from accounts.trail.ids import moment_of, new_id
from accounts.trail.models import AuditEvent

SUBJECT_CHARS = 500
VALUE_CHARS = 300
NAME_CHARS = 150
TYPED_CHARS = 20_000  # read by the scrubber at most
ABOUT = "audited_repository"

Someone = User | AnonymousUser | AbstractBaseUser | None

# The request that is being served; rows that it changes are recorded as its person's doing.
current_request: ContextVar[HttpRequest | None] = ContextVar("current_request", default=None)

_scrubber: Callable[[str], str] | None = None


class Named(Protocol):
    """A repository, as far as this app may know it."""

    pk: Any
    slug: str


def use_scrubber(scrub: Callable[[str], str]) -> None:
    """Installed by an app to the right: takes secrets out of what people type."""
    global _scrubber  # noqa: PLW0603 - set once, at the start
    _scrubber = scrub


def typed(text: str, most: int = SUBJECT_CHARS) -> str:
    """What a person typed, as it may be kept: without secrets; nothing without a scrubber.

    Cut afterwards: half a secret has no form that a rule knows.
    """
    return _scrubber(text[:TYPED_CHARS])[:most] if _scrubber else ""


def record(
    action: str,
    *,
    actor: Someone,
    request: HttpRequest | None = None,
    subject: str = "",
    repository: Named | None = None,
    detail: Mapping[str, Any] | None = None,
    link: str = "",
) -> AuditEvent:
    """Write one event, in the transaction of the caller: what is rolled back did not happen.

    `subject` is what a person reads; text that somebody typed goes through `typed` first.
    `detail` holds text, whole numbers, booleans, null, and lists and dicts of them.
    """
    event_id = new_id()
    person = actor if isinstance(actor, User) else None
    name, key = signing_key()
    event = AuditEvent(
        id=event_id,
        created=moment_of(event_id),
        action=str(action),
        person_id=person.pk if person else None,
        person_name=person.username[:NAME_CHARS] if person else "",
        client=client_of(request or current_request.get()),
        repository_id=repository.pk if repository else None,
        repository_slug=repository.slug if repository else "",
        subject=_storable(subject)[:SUBJECT_CHARS],
        link=_storable(link)[:4000],
        detail=_plain(detail or {}),
        key_id=name,
    )
    event.mac = mac_of(event, key)
    event.save(force_insert=True)
    return event


def about(request: HttpRequest, repository: Named) -> None:
    """Spares the middleware from looking up the repository that a view has found anyway."""
    request.__dict__[ABOUT] = repository


def acting() -> Someone:
    """The person of the request that is being served; None in commands and in the worker."""
    request = current_request.get()
    return getattr(request, "user", None) if request is not None else None


def client_of(request: HttpRequest | None) -> str:
    """The address the request came from; behind a proxy the web server has put the real one."""
    return str(request.META.get("REMOTE_ADDR", ""))[:45] if request is not None else ""


def _storable(text: str) -> str:
    """Postgres keeps neither NUL nor half a surrogate pair."""
    return text.replace("\x00", "").encode("utf-8", "replace").decode()


def _plain(value: Any) -> Any:
    """Values that are read back from the database exactly as they were signed."""
    if isinstance(value, Mapping):
        return {_storable(str(key)): _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(inner) for inner in value]
    if value is None or isinstance(value, bool | int):
        return value
    return _storable(str(value))[:VALUE_CHARS]
