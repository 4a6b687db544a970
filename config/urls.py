"""Every app's addresses; each app names its own."""

from django.contrib import admin
from django.urls import include, path

handler400 = "config.error_pages.bad_request"
handler403 = "config.error_pages.forbidden"
handler404 = "config.error_pages.not_found"
handler500 = "config.error_pages.server_error"

urlpatterns = [
    path("", include("accounts.urls")),
    path("", include("repos.urls")),
    path("", include("indexing.urls")),
    path("", include("search.urls")),
    path("", include("answers.urls")),
    path("", include("compliance.urls")),
    path("console/rows/", admin.site.urls),
]
