"""Errors that end a start in one line which says what is wrong and what to do."""

from django.core.exceptions import ImproperlyConfigured


class StartRefused(ImproperlyConfigured):
    """Footnote cannot start; the message says why and what to do."""


class DatabaseUnavailable(StartRefused):
    """The database cannot be used; the message says why and what to do."""
