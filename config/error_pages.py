"""Error pages: what happened, whose turn it is, and a reference that is in the log."""

import logging
import secrets
import sys

from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext as _

log = logging.getLogger("footnote.errors")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Says of a refused host what an administrator can do; people meet it on the first day."""
    refused = isinstance(exception, DisallowedHost)
    words = (
        _(
            "Footnote does not answer under this name. An administrator can add the name "
            "to FOOTNOTE_HOSTS and start Footnote again."
        )
        if refused
        else ""
    )
    return _page(request, 400, exception, words=words)


def forbidden(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Shows the words of a PermissionDenied."""
    words = str(exception.args[0]) if exception.args else ""
    return _page(request, 403, exception, words=words)


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    return _page(request, 404, exception)


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    return _page(request, 403, PermissionError(reason), template="403_csrf.html")


def server_error(request: HttpRequest) -> HttpResponse:
    """Renders without the request: whatever broke may break the frame as well."""
    error = sys.exc_info()[1]
    reference = _log(request, 500, type(error).__name__, level=logging.ERROR)
    return HttpResponse(render_to_string("500.html", {"reference": reference}), status=500)


def _page(
    request: HttpRequest, status: int, error: Exception, *, template: str = "", words: str = ""
) -> HttpResponse:
    reference = _log(request, status, type(error).__name__, level=logging.WARNING)
    context = {"reference": reference, "words": words}
    return render(request, template or f"{status}.html", context, status=status)


def _log(request: HttpRequest, status: int, error: str, *, level: int) -> str:
    """The trace of a 500 is in Django's own entry beside this one."""
    reference = secrets.token_hex(4)
    # %r: a path may hold line feeds, and an entry must stay one line.
    message = "reference %s: %d for %s %r (%s)"
    log.log(level, message, reference, status, request.method, request.path, error)
    return reference
