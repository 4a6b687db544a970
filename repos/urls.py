from django.urls import path

from repos import (
    paths,  # noqa: F401 - registers the converters
    views,
)

app_name = "repos"

urlpatterns = [
    path("", views.repository_list, name="list"),
    path("switcher", views.switcher, name="switcher"),
    path("r/<repo:slug>/settings", views.settings, name="settings"),
    path("r/<repo:slug>/delete", views.delete, name="delete"),
]
