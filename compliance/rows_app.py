"""Django's admin with our site: stands in INSTALLED_APPS in place of django.contrib.admin."""

from django.contrib.admin.apps import AdminConfig


class RowsConfig(AdminConfig):
    default = False
    default_site = "compliance.rows.RowsSite"
