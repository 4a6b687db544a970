"""The addresses of the project, with those of search whether or not config.urls has them yet."""

from django.urls import include, path

from config.urls import handler400, handler403, handler404, handler500
from config.urls import urlpatterns as project

__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]
known = any(getattr(entry, "app_name", "") == "search" for entry in project)
urlpatterns = project if known else [*project, path("", include("search.urls"))]
