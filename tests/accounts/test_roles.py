"""Roles: who gives them, where they are shown, and the way of the command line."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.models import AuditEvent, User
from accounts.roles import may_enter_console, may_review


@pytest.mark.parametrize(
    ("who", "enters", "reviews"),
    [
        ("member", False, False),
        ("outsider", False, False),
        ("auditor", True, False),
        ("officer", True, True),
        ("administrator", True, True),
    ],
)
def test_what_a_role_may(request, who, enters, reviews):
    person = request.getfixturevalue(who)
    assert (may_enter_console(person), may_review(person)) == (enters, reviews)
    person.is_active = False
    assert (may_enter_console(person), may_review(person)) == (False, False)


def test_a_role_is_given_and_shown(administrator, member, client_of):
    client = client_of(administrator)
    page = client.get(reverse("accounts:person", args=[member.pk])).content.decode()
    assert '<option value="member" selected>member</option>' in page
    data = {"email": "", "is_active": "on", "role": "officer"}
    client.post(reverse("accounts:person", args=[member.pk]), data)
    member.refresh_from_db()
    assert member.role == User.Role.OFFICER
    assert "compliance officer" in client.get(reverse("accounts:people")).content.decode()


def test_a_new_person_has_the_chosen_role(administrator, client_of):
    data = {"username": "ada", "email": "", "role": "auditor"}
    client_of(administrator).post(reverse("accounts:people"), data)
    assert User.objects.get(username="ada").role == User.Role.AUDITOR


@pytest.mark.parametrize("who", ["member", "officer", "auditor"])
def test_nobody_else_gives_roles(who, request, client_of):
    person = request.getfixturevalue(who)
    address = reverse("accounts:person", args=[person.pk])
    data = {"email": "", "is_active": "on", "role": "officer", "administrator": "on"}
    assert client_of(person).post(address, data).status_code == 403
    before = person.role
    person.refresh_from_db()
    assert (person.role, person.is_superuser) == (before, False)


def test_a_role_that_does_not_exist_is_refused(administrator, member, client_of):
    data = {"email": "", "is_active": "on", "role": "king"}
    response = client_of(administrator).post(reverse("accounts:person", args=[member.pk]), data)
    assert response.status_code == 422
    member.refresh_from_db()
    assert member.role == User.Role.MEMBER


def test_the_first_officer_comes_from_the_command_line(member):
    out = StringIO()
    call_command("set_role", "member", "officer", stdout=out)
    member.refresh_from_db()
    assert out.getvalue() == "member is now: compliance officer.\n"
    assert may_review(member)
    event = AuditEvent.objects.get(action="people.access")
    assert (event.person_name, event.subject, event.detail) == (
        "",
        "member",
        {"role": {"old": "member", "new": "officer"}},
    )


def test_the_command_makes_and_takes_administrators_but_not_the_last(member, administrator):
    call_command("set_role", "member", "administrator", stdout=StringIO())
    call_command("set_role", administrator.username, "member", stdout=StringIO())
    with pytest.raises(CommandError, match="last administrator"):
        call_command("set_role", "member", "auditor")
    assert list(User.objects.filter(is_superuser=True)) == [member]


def test_the_command_knows_no_strangers(db):
    with pytest.raises(CommandError, match="Nobody signs in as nobody"):
        call_command("set_role", "nobody", "officer")
