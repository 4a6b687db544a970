"""The front page of the console: each section with what it counts."""

from typing import cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_GET

from accounts.models import User
from accounts.roles import console_page
from compliance.sections import sections_for


@console_page
@require_GET
def front(request: HttpRequest) -> HttpResponse:
    sections = sections_for(cast("User", request.user))
    context = {"sections": [(section, section.counts()) for section in sections]}
    return render(request, "compliance/front.html", context)
