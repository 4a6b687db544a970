"""Django's admin as a part of the console: administrators write, officers and auditors read."""

from functools import update_wrapper
from typing import Any, cast

from django.contrib import admin
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import URLPattern, reverse_lazy
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from accounts.roles import may_enter_console

COUNTED = 10_000
# Arguments and results of jobs; nothing that an officer decides on.
ADMINISTRATORS_ONLY = frozenset({"django_q"})
# Signing in, out and changing the password have pages of their own.
LEFT_OUT = frozenset({"login", "logout", "password_change", "password_change_done"})


class FewPages(Paginator[Any]):
    """Counts no further than `COUNTED` rows, `more` says whether there are: a table of millions is
    not for turning pages, and the search finds what lies behind."""

    @cached_property
    def count(self) -> int:
        return min(self._found, COUNTED)

    @property
    def more(self) -> bool:
        return self._found > COUNTED

    @cached_property
    def _found(self) -> int:
        rows = self.object_list
        return rows.order_by()[: COUNTED + 1].count() if isinstance(rows, QuerySet) else len(rows)


class Readable(admin.ModelAdmin[Model]):
    """Mixed into every admin class: who may enter the console reads, administrators write."""

    paginator = FewPages
    show_full_result_count = False

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _may_read(request, self.opts.app_label)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return _may_read(request, self.opts.app_label)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return _may_write(request) and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _may_write(request) and super().has_change_permission(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _may_write(request) and super().has_delete_permission(request, obj)


def _may_write(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and request.user.is_administrator


def _may_read(request: HttpRequest, app: str) -> bool:
    return may_enter_console(request.user) and (
        app not in ADMINISTRATORS_ONLY or _may_write(request)
    )


class RowsSite(admin.AdminSite):
    site_title = site_header = _("Rows")
    index_title = _("Rows")
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return may_enter_console(request.user)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:  # noqa: FBT001, FBT002 - Django's signature
        """For members there is no console, so they find nothing instead of a page to sign in."""
        inner = super().admin_view(view, cacheable)

        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not self.has_permission(request):
                raise Http404
            return cast("HttpResponseBase", inner(request, *args, **kwargs))

        return update_wrapper(guarded, view)

    def register(
        self,
        model_or_iterable: Any,
        admin_class: type[admin.ModelAdmin[Any]] | None = None,
        **options: Any,
    ) -> None:
        base = admin_class or admin.ModelAdmin
        readable = type(base.__name__, (Readable, base), {})
        super().register(
            model_or_iterable, cast("type[admin.ModelAdmin[Any]]", readable), **options
        )

    def get_urls(self) -> list[Any]:
        urls = [url for url in super().get_urls() if getattr(url, "name", None) not in LEFT_OUT]
        for url in urls:
            if isinstance(url, URLPattern):
                # Django's own would be the page that is left out.
                url.callback.login_url = reverse_lazy("accounts:sign_in")  # type: ignore[attr-defined]
        return urls
