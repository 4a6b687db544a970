"""manage.py set_role NAME ROLE: the first compliance officer, and a way back in."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User

ADMINISTRATOR = "administrator"


class Command(BaseCommand):
    help = (
        "Give a person a role: member, officer, auditor or administrator. Who becomes an "
        "administrator keeps the role as well; the other three take administration away."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name the person signs in with")
        parser.add_argument("role", choices=[*User.Role.values, ADMINISTRATOR])

    def handle(self, *args: Any, **options: Any) -> None:
        name, role = options["name"], options["role"]
        person = User.objects.filter(username=name).first()
        if person is None:
            raise CommandError(f"Nobody signs in as {name}.")
        is_administrator = role == ADMINISTRATOR
        others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=person.pk)
        if person.is_superuser and not is_administrator and not others.exists():
            raise CommandError(f"{name} is the last administrator. Make another one first.")
        person.is_superuser = person.is_staff = is_administrator
        if not is_administrator:
            person.role = role
        person.save(update_fields=["is_superuser", "is_staff", "role"])
        self.stdout.write(f"{name} is now: {person.get_rights_display()}.")
