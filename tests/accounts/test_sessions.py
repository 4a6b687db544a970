"""Signing in and out, limits on attempts, theme and password."""

import pytest
from django.urls import reverse

from tests.factories import PASSWORD

SIGN_IN = reverse("accounts:sign_in")
PREFERENCES = reverse("accounts:preferences")
THEME = reverse("accounts:theme")


def test_signing_in_leads_where_one_wanted_to_go(client, member):
    form = {"username": "member", "password": PASSWORD, "next": "/preferences"}
    assert client.post(SIGN_IN, form).headers["Location"] == "/preferences"


def test_a_wrong_password_says_so(client, member):
    response = client.post(SIGN_IN, {"username": "member", "password": "wrong"})
    assert "Please enter a correct username and password" in response.content.decode()


def test_too_many_attempts_are_stopped_with_plain_words(client, member, settings):
    for _ in range(settings.AXES_FAILURE_LIMIT):
        response = client.post(SIGN_IN, {"username": "member", "password": "wrong"})
    assert response.status_code == 429
    assert "Wait 15 minutes" in response.content.decode()
    right = client.post(SIGN_IN, {"username": "member", "password": PASSWORD})
    assert right.status_code == 429


def test_somebody_else_may_still_sign_in(client, member, outsider, settings):
    for _ in range(settings.AXES_FAILURE_LIMIT):
        client.post(SIGN_IN, {"username": "member", "password": "wrong"})
    response = client.post(SIGN_IN, {"username": "outsider", "password": PASSWORD})
    assert response.headers["Location"] == "/"


def test_signing_out_needs_a_post(client_of, member):
    client = client_of(member)
    assert client.get(reverse("accounts:sign_out")).status_code == 405
    assert client.post(reverse("accounts:sign_out")).headers["Location"] == SIGN_IN
    assert client.get("/").status_code == 302


def test_the_theme_is_kept_and_shown(client_of, member):
    client = client_of(member)
    response = client.post(THEME, {"theme": "dark", "next": PREFERENCES}, follow=True)
    assert '<html lang="en" data-theme="dark">' in response.content.decode()


def test_as_the_system_leaves_the_choice_to_the_browser(client_of, member):
    assert "data-theme=" not in client_of(member).get("/").content.decode().split("<body")[0]


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example/", ""])
def test_a_theme_switch_leads_nowhere_else(client_of, member, target):
    response = client_of(member).post(THEME, {"theme": "dark", "next": target})
    assert response.headers["Location"] == PREFERENCES


def test_an_unknown_theme_is_refused(client_of, member):
    assert client_of(member).post(THEME, {"theme": "pink"}).status_code == 422


def test_a_changed_password_keeps_the_session(client_of, member):
    client = client_of(member)
    new = "another long password"
    form = {"old_password": PASSWORD, "new_password1": new, "new_password2": new}
    response = client.post(PREFERENCES, form, follow=True)
    member.refresh_from_db()
    assert member.check_password(new)
    assert "The password is changed." in response.content.decode()


def test_the_old_password_must_be_right(client_of, member):
    form = {"old_password": "no", "new_password1": "x" * 12, "new_password2": "x" * 12}
    assert client_of(member).post(PREFERENCES, form).status_code == 422
