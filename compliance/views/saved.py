"""Keeping a filter of a list under a name, and forgetting it: a person's own, an auditor's too."""

from typing import cast

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.roles import console_page
from compliance.models import SavedFilter
from compliance.saved import SavedFilterForm, query_of


@console_page
@require_POST
def save_filter(request: HttpRequest) -> HttpResponse:
    form = SavedFilterForm(request.POST)
    if not form.is_valid():
        messages.error(request, _("A filter needs a name of at most 60 characters."))
        page = form.cleaned_data.get("page", SavedFilter.Page.FINDINGS)
        return redirect(f"compliance:{page}")
    page, name = SavedFilter.Page(form.cleaned_data["page"]), form.cleaned_data["name"]
    query = query_of(page, request.POST.dict())
    if query is None:
        messages.error(request, _("A filter that its page refuses is not kept."))
        return redirect(f"compliance:{page}")
    SavedFilter.objects.update_or_create(
        person=cast("User", request.user), page=page, name=name, defaults={"query": query}
    )
    messages.success(request, _("Saved as “%(name)s”.") % {"name": name})
    return redirect(f"{reverse(f'compliance:{page}')}?{query}")


@console_page
@require_POST
def forget_filter(request: HttpRequest, pk: int) -> HttpResponse:
    row = get_object_or_404(SavedFilter, pk=pk, person=cast("User", request.user))
    row.delete()
    return redirect(f"compliance:{row.page}")
