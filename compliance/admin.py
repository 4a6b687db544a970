"""Rows of the audit trail in Django's admin: to be read, also by administrators."""

from django.contrib import admin
from django.http import HttpRequest

from accounts.models import AuditEvent


@admin.register(AuditEvent)
class AuditEventAdmin(admin.ModelAdmin[AuditEvent]):
    list_display = ["created", "person_name", "action", "subject", "position"]
    list_select_related = False
    ordering = ["-id"]
    show_full_result_count = False
    list_per_page = 100
    exclude = ("words", "mac", "seal")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: AuditEvent | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: AuditEvent | None = None) -> bool:
        return False
