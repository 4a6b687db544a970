"""Records each page that a person was given, and each attempt that the console refused.

The event is written before the answer leaves. Where it cannot be written, the person gets an
error page: nothing is seen without a record of it.
"""

from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from accounts.audit import ABOUT, current_request, record, typed
from accounts.fragments import wants_fragment
from accounts.models import User
from accounts.roles import may_enter_console
from accounts.trail.actions import Action
from compliance.recorded import FILTER_CHARS, Page, rule_of
from repos.models import Repository

GUARDED = ("/console/", "/people/")


class AuditMiddleware(MiddlewareMixin):
    def process_request(self, request: HttpRequest) -> None:
        current_request.set(request)

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        try:
            if isinstance(request.user, User):
                _record(request, response, request.user)
        finally:
            current_request.set(None)
        return response


def _record(request: HttpRequest, response: HttpResponseBase, person: User) -> None:
    if _was_refused(request, response, person):
        record(Action.CONSOLE_DENIED, actor=person, subject=typed(request.path))
        return
    match = request.resolver_match
    if match is None:
        return
    rule = rule_of(match.view_name)
    action = _action(rule, request, response) if isinstance(rule, Page) else None
    if action is None or not isinstance(rule, Page):
        return
    record(
        action,
        actor=person,
        subject=rule.subject(request) or (request.path if action in _BY_ADDRESS else ""),
        repository=_repository(request, person),
        link=_link(request, response),
        detail=_detail(request),
    )


_BY_ADDRESS = frozenset(
    {
        Action.CONSOLE_VIEWED,
        Action.CONSOLE_CHANGED,
        Action.CONSOLE_EXPORTED,
        Action.PAGE_VIEWED,
        Action.PAGE_SENT,
    }
)


def _was_refused(request: HttpRequest, response: HttpResponseBase, person: User) -> bool:
    if not request.path.startswith(GUARDED):
        return False
    hidden = response.status_code == 404 and not may_enter_console(person)
    return hidden or response.status_code == 403


def _action(rule: Page, request: HttpRequest, response: HttpResponseBase) -> str | None:
    """A header that says htmx asks spares nobody the record: most pages give the same to it."""
    quiet = rule.quiet_fragments == request.method and wants_fragment(request)
    if quiet and response.status_code == 200:
        return None
    if request.method == "GET":
        return rule.get if response.status_code == 200 else None
    return rule.post if request.method == "POST" and response.status_code < 400 else None


def _repository(request: HttpRequest, person: User) -> Repository | None:
    """Its page has answered, so the person may see it. A parameter may say anything, and one's
    own activity would show whether there is such a repository."""
    if isinstance(found := request.__dict__.get(ABOUT), Repository):
        return found
    match = request.resolver_match
    slug = str(match.kwargs.get("slug", "")) if match else ""
    slug = slug or request.GET.get("repository", "")
    if not slug or "\x00" in slug:
        return None
    rows = Repository.objects.all()
    if not may_enter_console(person):
        rows = Repository.objects.visible_to(person)
    return rows.only("pk", "slug").filter(slug=slug).first()


def _link(request: HttpRequest, response: HttpResponseBase) -> str:
    """The page that shows it: itself, or where what was sent led to."""
    if request.method == "GET":
        at = request.GET.get("at", "")
        return f"{request.path}?at={at}" if at.isalnum() else request.path
    target = urlsplit(response.headers.get("Location", ""))
    return target.path if not target.netloc else ""


def _detail(request: HttpRequest) -> dict[str, Any]:
    """The parameters of the address, as far as they may be kept; nothing that was sent."""
    said = {
        name[:40]: typed(", ".join(values), FILTER_CHARS)
        for name, values in list(request.GET.lists())[:20]
        if name not in {"q", "repository"} and any(values)
    }
    return {name: text for name, text in said.items() if text}
