"""The person who signs in. A model of our own, since Django cannot change to one later."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class User(AbstractUser):
    """A person; `is_superuser` is the administrator, everybody else a member."""

    class Theme(models.TextChoices):
        SYSTEM = "system", _("as the system")
        LIGHT = "light", _("light")
        DARK = "dark", _("dark")

    theme = models.CharField(max_length=6, choices=Theme, default=Theme.SYSTEM)

    @property
    def is_administrator(self) -> bool:
        return self.is_active and self.is_superuser
