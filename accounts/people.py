"""Creating people: the first administrator, and members who choose their password by a link."""

from django.contrib.auth.tokens import default_token_generator
from django.db import connection, transaction
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.forms import FirstAdministratorForm
from accounts.models import User

# Any number will do, as long as nothing else locks it.
_FIRST_RUN_LOCK = 0x666F6F74


class AdministratorExists(Exception):
    """Somebody else was faster with the first-run page."""


def create_first_administrator(form: FirstAdministratorForm) -> User:
    """Save the valid form as the administrator. Raises AdministratorExists."""
    with transaction.atomic(), connection.cursor() as cursor:
        # Two first runs at once: the second waits here, and then finds the first one's row.
        cursor.execute("/* first_run */ SELECT pg_advisory_xact_lock(%s)", [_FIRST_RUN_LOCK])
        if User.objects.exists():
            raise AdministratorExists
        return form.save()


def welcome_path(person: User) -> str:
    """The path of a one-time link: void after use, a sign-in, or PASSWORD_RESET_TIMEOUT."""
    uid = urlsafe_base64_encode(force_bytes(person.pk))
    token = default_token_generator.make_token(person)
    return reverse("accounts:welcome", args=[uid, token])
