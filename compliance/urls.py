"""Everything below /console/ that belongs to this app; one module of views a group of pages."""

from django.urls import path

from compliance.views import front

app_name = "compliance"

urlpatterns = [
    path("console/", front.front, name="front"),
]
