"""Until the first administrator exists, every page leads to the first-run page."""

from collections.abc import Awaitable, Callable
from typing import Any, cast

from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.decorators import sync_and_async_middleware

from accounts.models import User

_Handler = Callable[[HttpRequest], Any]


@sync_and_async_middleware
def FirstRunMiddleware(get_response: _Handler) -> _Handler:  # noqa: N802 - named in the settings
    def goes_on(request: HttpRequest) -> bool:
        return request.path == reverse("accounts:first_run")

    def first_run() -> HttpResponseBase:
        return HttpResponseRedirect(reverse("accounts:first_run"))

    def sync_middleware(request: HttpRequest) -> HttpResponseBase:
        if goes_on(request) or request.user.is_authenticated or User.objects.exists():
            return cast("HttpResponseBase", get_response(request))
        return first_run()

    async def async_middleware(request: HttpRequest) -> HttpResponseBase:
        somebody = (await request.auser()).is_authenticated or await User.objects.aexists()
        if goes_on(request) or somebody:
            return await cast("Awaitable[HttpResponseBase]", get_response(request))
        return first_run()

    return async_middleware if iscoroutinefunction(get_response) else sync_middleware
