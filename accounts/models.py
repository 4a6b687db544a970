"""The person who signs in. A model of our own, since Django cannot change to one later."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts.trail.models import AuditEvent

__all__ = ["AuditEvent", "User"]


class User(AbstractUser):
    """A person; `is_superuser` is the administrator, whatever the role says."""

    class Role(models.TextChoices):
        MEMBER = "member", _("member")
        OFFICER = "officer", _("compliance officer")
        AUDITOR = "auditor", _("auditor")

    class Theme(models.TextChoices):
        SYSTEM = "system", _("as the system")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    role = models.CharField(max_length=7, choices=Role, default=Role.MEMBER)
    theme = models.CharField(max_length=6, choices=Theme, default=Theme.SYSTEM)

    @property
    def is_administrator(self) -> bool:
        return self.is_active and self.is_superuser

    def get_rights_display(self) -> str:
        """The one word that says what this person may do."""
        return str(_("administrator")) if self.is_superuser else self.get_role_display()
