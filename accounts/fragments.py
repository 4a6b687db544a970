"""Page or part of a page: what htmx asks for and what everybody else gets."""

from django.http import HttpRequest


def wants_fragment(request: HttpRequest) -> bool:
    """Say `Vary: HX-Request` on the view as well."""
    return request.headers.get("HX-Request") == "true"
