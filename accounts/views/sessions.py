"""Signing in and out, the first run, one's own preferences."""

from typing import cast

from django.contrib import messages
from django.contrib.auth import login, update_session_auth_hash
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import PasswordChangeForm
from django.contrib.auth.views import LoginView, LogoutView, PasswordResetConfirmView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from accounts.forms import FirstAdministratorForm, ThemeForm
from accounts.fragments import wants_fragment
from accounts.models import User
from accounts.people import AdministratorExists, create_first_administrator

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"

sign_in = LoginView.as_view(template_name="accounts/sign_in.html", redirect_authenticated_user=True)
sign_out = LogoutView.as_view()


@method_decorator(login_not_required, name="dispatch")
class Welcome(PasswordResetConfirmView):
    """A person opens their one-time link and chooses a password."""

    template_name = "accounts/welcome.html"
    success_url = reverse_lazy("repos:list")
    post_reset_login = True
    post_reset_login_backend = MODEL_BACKEND


@login_not_required
@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def first_run(request: HttpRequest) -> HttpResponse:
    if User.objects.exists():
        return redirect("repos:list")
    form = FirstAdministratorForm(request.POST or None)
    if not (request.method == "POST" and form.is_valid()):
        status = 422 if request.method == "POST" else 200
        return render(request, "accounts/first_run.html", {"form": form}, status=status)
    try:
        person = create_first_administrator(form)
    except AdministratorExists:
        messages.warning(request, _("Somebody else has just become the administrator."))
        return redirect("accounts:sign_in")
    login(request, person, backend=MODEL_BACKEND)
    return redirect("repos:list")


@sensitive_post_parameters()
@require_http_methods(["GET", "POST"])
def preferences(request: HttpRequest) -> HttpResponse:
    """Theme and password; a POST here changes the password."""
    person = cast("User", request.user)
    form = PasswordChangeForm(person, request.POST or None)
    # The page begins with the theme; focus must not jump over it.
    form.fields["old_password"].widget.attrs.pop("autofocus", None)
    if request.method == "POST" and form.is_valid():
        form.save()
        update_session_auth_hash(request, person)
        messages.success(request, _("The password is changed."))
        return redirect("accounts:preferences")
    status = 422 if request.method == "POST" else 200
    context = {"form": form, "theme_form": ThemeForm(instance=person)}
    return render(request, "accounts/preferences.html", context, status=status)


@require_POST
def theme(request: HttpRequest) -> HttpResponse:
    form = ThemeForm(request.POST, instance=cast("User", request.user))
    if not form.is_valid():
        return HttpResponse(_("There is no such theme."), status=422)
    form.save()
    target = request.POST.get("next", "")
    if wants_fragment(request):
        return HttpResponse(status=204)
    if url_has_allowed_host_and_scheme(target, {request.get_host()}, request.is_secure()):
        return redirect(target)
    return redirect("accounts:preferences")
