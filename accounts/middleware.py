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
    # People are deactivated, not deleted, so one that was seen once stays.
    seen = False

    def asks_for_it(request: HttpRequest) -> bool:
        return request.path == reverse("accounts:first_run")

    def first_run() -> HttpResponseBase:
        return HttpResponseRedirect(reverse("accounts:first_run"))

    def sync_middleware(request: HttpRequest) -> HttpResponseBase:
        nonlocal seen
        seen = seen or User.objects.exists()
        if seen or asks_for_it(request):
            return cast("HttpResponseBase", get_response(request))
        return first_run()

    async def async_middleware(request: HttpRequest) -> HttpResponseBase:
        nonlocal seen
        seen = seen or await User.objects.aexists()
        if seen or asks_for_it(request):
            return await cast("Awaitable[HttpResponseBase]", get_response(request))
        return first_run()

    return async_middleware if iscoroutinefunction(get_response) else sync_middleware
