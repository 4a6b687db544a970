"""What a role may do in the console, and the decorators that its views begin with."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, TypeGuard, cast

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _

from accounts.models import User

P = ParamSpec("P")
Page = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def may_enter_console(user: User | AnonymousUser) -> bool:
    """Administrators, compliance officers and auditors."""
    return may_review(user) or (_is_active(user) and user.role == User.Role.AUDITOR)


def may_review(user: User | AnonymousUser) -> bool:
    """Administrators and compliance officers: those who may change what the console shows."""
    return _is_active(user) and (user.is_superuser or user.role == User.Role.OFFICER)


def _is_active(user: User | AnonymousUser) -> TypeGuard[User]:
    return user.is_authenticated and user.is_active


def console_page(view: Page[P]) -> Page[P]:
    """A page of the console. For everybody else it does not exist, as its address says nothing."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not may_enter_console(request.user):
            raise Http404
        return view(request, *args, **kwargs)

    return cast("Page[P]", guarded)


def officer_action(view: Page[P]) -> Page[P]:
    """What changes something in the console: an auditor is told so, others find nothing."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not may_review(request.user):
            raise PermissionDenied(_("An auditor reads and changes nothing here."))
        return view(request, *args, **kwargs)

    return console_page(cast("Page[P]", guarded))


def administrator_page(view: Page[P]) -> Page[P]:
    """A page of the console for administrators; officers and auditors are told so."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not cast("User", request.user).is_administrator:
            raise PermissionDenied(_("This page is for administrators."))
        return view(request, *args, **kwargs)

    return console_page(cast("Page[P]", guarded))
