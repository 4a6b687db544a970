"""People and groups, for administrators."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec, cast

from django.contrib import messages
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from accounts.forms import GroupForm, NewPersonForm, PersonForm
from accounts.models import User
from accounts.people import welcome_path

PEOPLE_ON_A_PAGE = 100

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]


def administrators_only(view: View[P]) -> View[P]:
    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not cast("User", request.user).is_administrator:
            raise PermissionDenied(_("This page is for administrators."))
        return view(request, *args, **kwargs)

    return cast("View[P]", guarded)


@administrators_only
@require_http_methods(["GET", "POST"])
def people(request: HttpRequest) -> HttpResponse:
    form = NewPersonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        person = form.save(commit=False)
        person.set_unusable_password()
        person.save()
        form.save_m2m()
        return _with_link(request, person)
    status = 422 if request.method == "POST" else 200
    everybody = User.objects.order_by("username").prefetch_related("groups")
    page = Paginator(everybody, PEOPLE_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {"page": page, "form": form}
    return render(request, "accounts/people.html", context, status=status)


@administrators_only
@require_http_methods(["GET", "POST"])
def person(request: HttpRequest, pk: int) -> HttpResponse:
    who = get_object_or_404(User, pk=pk)
    form = PersonForm(request.POST or None, instance=who, acting=cast("User", request.user))
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, _("Saved."))
        return redirect("accounts:people")
    status = 422 if request.method == "POST" else 200
    who = get_object_or_404(User, pk=pk)  # a refused form has already changed the other one
    return render(request, "accounts/person.html", {"who": who, "form": form}, status=status)


@administrators_only
@require_POST
def new_link(request: HttpRequest, pk: int) -> HttpResponse:
    return _with_link(request, get_object_or_404(User, pk=pk, is_active=True))


def _with_link(request: HttpRequest, who: User) -> HttpResponse:
    """The one time that the link is shown: it is kept nowhere."""
    link = request.build_absolute_uri(welcome_path(who))
    return render(request, "accounts/link.html", {"who": who, "link": link})


@administrators_only
@require_http_methods(["GET", "POST"])
def groups(request: HttpRequest) -> HttpResponse:
    form = GroupForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        form.save()
        return redirect("accounts:groups")
    status = 422 if request.method == "POST" else 200
    listed = Group.objects.order_by("name").annotate(
        people=Count("user", distinct=True), repositories=Count("repository", distinct=True)
    )
    return render(request, "accounts/groups.html", {"groups": listed, "form": form}, status=status)


@administrators_only
@require_GET
def group(request: HttpRequest, pk: int) -> HttpResponse:
    """What is lost with the group, and the button."""
    which = get_object_or_404(Group, pk=pk)
    return render(request, "accounts/group.html", {"group": which})


@administrators_only
@require_POST
def delete_group(request: HttpRequest, pk: int) -> HttpResponse:
    get_object_or_404(Group, pk=pk).delete()
    return redirect("accounts:groups")
