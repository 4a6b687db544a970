"""The front page of the console and who finds it."""

import pytest
from django.urls import reverse

FRONT = "/console/"


@pytest.mark.parametrize("who", ["owner", "member", "outsider"])
def test_for_members_there_is_no_console(who, request, client_of):
    assert client_of(request.getfixturevalue(who)).get(FRONT).status_code == 404


def test_who_is_not_signed_in_is_asked_to(client, administrator):
    assert client.get(FRONT)["Location"] == f"{reverse('accounts:sign_in')}?next={FRONT}"


@pytest.mark.parametrize("who", ["officer", "auditor", "administrator"])
def test_the_three_who_may_enter(who, request, client_of):
    response = client_of(request.getfixturevalue(who)).get(FRONT)
    assert response.status_code == 200
    assert "Console" in response.content.decode()
