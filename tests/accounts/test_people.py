"""Administrators add people by one-time links, and manage them and their groups."""

import re

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse

from accounts.models import User

PEOPLE = reverse("accounts:people")
GROUPS = reverse("accounts:groups")
NEW_PASSWORD = {"new_password1": "plums in rum", "new_password2": "plums in rum"}


@pytest.fixture
def admin(client_of, administrator):
    return client_of(administrator)


def link_in(response):
    [link] = set(re.findall(r"/welcome/[\w/-]+", response.content.decode()))
    return link


@pytest.mark.parametrize("path", [PEOPLE, GROUPS, "/people/1", "/people/groups/1"])
def test_members_are_told_that_it_is_not_for_them(client_of, member, path):
    response = client_of(member).get(path)
    assert response.status_code == 403
    assert "This page is for administrators." in response.content.decode()


def test_a_new_person_chooses_a_password_by_the_link(admin, client):
    link = link_in(admin.post(PEOPLE, {"username": "ben", "email": ""}))
    form = client.get(link, follow=True)
    client.post(form.redirect_chain[-1][0], NEW_PASSWORD)
    ben = User.objects.get(username="ben")
    assert ben.check_password("plums in rum")
    assert client.get("/").context["user"] == ben


def test_the_link_works_once(admin, client, client_of):
    link = link_in(admin.post(PEOPLE, {"username": "ben", "email": ""}))
    client.post(client.get(link, follow=True).redirect_chain[-1][0], NEW_PASSWORD)
    client.post(reverse("accounts:sign_out"))
    assert "no longer valid" in client.get(link, follow=True).content.decode()


def test_without_the_link_a_new_person_cannot_sign_in(admin):
    admin.post(PEOPLE, {"username": "ben", "email": ""})
    assert not User.objects.get(username="ben").has_usable_password()


def test_a_taken_name_is_refused(admin, member):
    response = admin.post(PEOPLE, {"username": "member", "email": ""})
    assert response.status_code == 422
    assert "already exists" in response.content.decode()


def test_a_deactivated_person_is_signed_out(admin, client_of, member):
    client = client_of(member)
    admin.post(reverse("accounts:person", args=[member.pk]), {"email": ""})
    assert client.get("/").status_code == 302


def test_groups_of_a_person_are_changed(admin, member):
    group = Group.objects.create(name="audit")
    url = reverse("accounts:person", args=[member.pk])
    admin.post(url, {"email": "", "is_active": "on", "groups": [group.pk]})
    assert list(member.groups.all()) == [group]


def test_a_member_becomes_administrator(admin, member):
    url = reverse("accounts:person", args=[member.pk])
    admin.post(url, {"email": "", "is_active": "on", "administrator": "on"})
    member.refresh_from_db()
    assert member.is_administrator


@pytest.mark.parametrize("form", [{"is_active": "on"}, {"administrator": "on"}])
def test_nobody_takes_the_rights_from_themselves(admin, administrator, form):
    response = admin.post(reverse("accounts:person", args=[administrator.pk]), form)
    administrator.refresh_from_db()
    assert response.status_code == 422
    assert administrator.is_administrator


def test_a_new_link_leaves_the_password_until_it_is_used(admin, member):
    before = member.password
    response = admin.post(reverse("accounts:new_link", args=[member.pk]))
    member.refresh_from_db()
    assert link_in(response)
    assert member.password == before


def test_groups_are_added_and_deleted(admin):
    admin.post(GROUPS, {"name": "audit"})
    group = Group.objects.get(name="audit")
    admin.post(reverse("accounts:delete_group", args=[group.pk]))
    assert not Group.objects.exists()


def test_the_list_needs_the_same_queries_for_more_people(admin, django_assert_max_num_queries):
    for number in range(20):
        User.objects.create(username=f"p{number}").groups.add(
            Group.objects.create(name=f"g{number}")
        )
    with django_assert_max_num_queries(9):
        admin.get(PEOPLE)
