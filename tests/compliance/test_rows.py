"""Django's admin below the console: administrators write, officers and auditors read."""

import pytest
from django.contrib.auth.models import Group
from django.urls import NoReverseMatch, reverse

from accounts.audit import record
from accounts.models import AuditEvent

ROWS = "/console/rows/"


@pytest.fixture
def group(db) -> Group:
    return Group.objects.create(name="staff")


@pytest.mark.parametrize("who", ["owner", "member", "outsider"])
@pytest.mark.parametrize("address", ["", "auth/group/", "auth/group/add/", "nothing/", "login/"])
def test_members_find_nothing(who, address, request, client_of):
    assert client_of(request.getfixturevalue(who)).get(ROWS + address).status_code == 404


def test_who_is_not_signed_in_is_asked_to(client, administrator):
    assert client.get(ROWS)["Location"] == f"{reverse('accounts:sign_in')}?next={ROWS}"


def test_a_table_that_is_not_counted_to_its_end_says_so(group, auditor, client_of, monkeypatch):
    Group.objects.create(name="guests")
    for most, said in ((1, "more than 1"), (2, " 2")):
        monkeypatch.setattr("compliance.rows.COUNTED", most)
        page = client_of(auditor).get(f"{ROWS}auth/group/").content.decode()
        assert f"{said} groups" in " ".join(page.split())


def test_the_old_address_is_gone(administrator, client_of):
    assert client_of(administrator).get("/admin/").status_code == 404


@pytest.mark.parametrize("who", ["officer", "auditor"])
def test_officers_and_auditors_read(group, who, request, client_of):
    client = client_of(request.getfixturevalue(who))
    page = client.get(f"{ROWS}auth/group/{group.pk}/change/")
    assert page.status_code == 200
    assert "staff" in page.content.decode()
    assert 'name="_save"' not in page.content.decode()


@pytest.mark.parametrize("who", ["officer", "auditor"])
def test_officers_and_auditors_change_nothing(group, who, request, client_of):
    client = client_of(request.getfixturevalue(who))
    changed = client.post(f"{ROWS}auth/group/{group.pk}/change/", {"name": "other"})
    added = client.post(f"{ROWS}auth/group/add/", {"name": "other"})
    deleted = client.post(f"{ROWS}auth/group/{group.pk}/delete/", {"post": "yes"})
    assert [r.status_code for r in (changed, added, deleted)] == [403, 403, 403]
    assert list(Group.objects.values_list("name", flat=True)) == ["staff"]


@pytest.mark.parametrize("who", ["officer", "auditor"])
def test_jobs_are_for_administrators(who, request, client_of):
    client = client_of(request.getfixturevalue(who))
    assert client.get(f"{ROWS}django_q/success/").status_code == 403
    assert "django_q" not in client.get(ROWS).content.decode()


def test_an_administrator_writes_and_it_is_recorded(group, administrator, client_of):
    client = client_of(administrator)
    client.post(f"{ROWS}auth/group/{group.pk}/change/", {"name": "other"})
    group.refresh_from_db()
    assert group.name == "other"
    event = AuditEvent.objects.get(action="people.group_changed", person=administrator)
    assert event.detail == {"name": {"old": "staff", "new": "other"}}


@pytest.mark.parametrize("who", ["officer", "auditor", "administrator"])
def test_nobody_changes_events(who, request, client_of):
    client = client_of(request.getfixturevalue(who))
    event = record("view.file", actor=None, subject="src/app.py")
    assert "src/app.py" in client.get(f"{ROWS}accounts/auditevent/").content.decode()
    address = f"{ROWS}accounts/auditevent/{event.pk}/"
    assert client.get(f"{address}change/").status_code == 200
    assert client.post(f"{address}change/", {"subject": "x"}).status_code == 403
    assert client.post(f"{address}delete/", {"post": "yes"}).status_code == 403


def test_there_is_no_second_way_to_sign_in():
    with pytest.raises(NoReverseMatch):
        reverse("admin:login")
