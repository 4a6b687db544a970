"""Settings: who may change them, what is kept, and how a repository ends."""

import pytest
from django.contrib.auth.models import Group
from django.urls import reverse

from indexing.models import Content, IndexRun
from repos import tokens
from repos.fetching import token_keys
from repos.models import DeletionRecord, File, Repository
from tests import explorer as rows
from tests.factories import repository_for

FORM = {"name": "Lib", "audience": "everyone", "excludes": ""}


@pytest.fixture
def lib(owner, member):
    return repository_for(owner, member, source="git", address="https://github.com/us/lib")


@pytest.fixture
def browser_of(request, client_of):
    return lambda who: client_of(request.getfixturevalue(who))


@pytest.fixture
def url(lib):
    return reverse("repos:settings", args=[lib.slug])


def reread(lib):
    return Repository.objects.get(pk=lib.pk)


@pytest.mark.parametrize("name", ["repos:settings", "repos:delete"])
@pytest.mark.parametrize(
    ("who", "status"), [("owner", 200), ("administrator", 200), ("member", 404), ("outsider", 404)]
)
def test_who_may_change_it(lib, browser_of, name, who, status):
    assert browser_of(who).get(reverse(name, args=[lib.slug])).status_code == status


def test_a_member_changes_nothing(client_of, lib, url, member):
    assert client_of(member).post(url, FORM).status_code == 404
    assert reread(lib).name == "lib"


def test_opening_it_to_everyone(client_of, lib, url, owner, outsider):
    client_of(owner).post(url, FORM)
    assert Repository.objects.visible_to(outsider).get().name == "Lib"


def test_closing_it_to_a_group(client_of, lib, url, owner, outsider):
    group = Group.objects.create(name="audit")
    outsider.groups.add(group)
    client_of(owner).post(url, FORM | {"audience": "groups", "groups": [group.pk]})
    assert not reread(lib).everyone
    assert Repository.objects.visible_to(outsider).exists()


def test_a_token_is_kept_encrypted_and_never_shown(client_of, lib, url, owner):
    client_of(owner).post(url, FORM | {"new_token": "ghp_secret"})
    stored = bytes(reread(lib).token)
    assert b"ghp_secret" not in stored
    assert tokens.decrypt(stored, token_keys()) == "ghp_secret"
    assert "ghp_secret" not in client_of(owner).get(url).content.decode()


def test_saving_without_a_token_keeps_the_stored_one(client_of, lib, url, owner):
    client_of(owner).post(url, FORM | {"new_token": "ghp_secret"})
    client_of(owner).post(url, FORM)
    assert reread(lib).token


def test_a_token_is_cleared(client_of, lib, url, owner):
    client_of(owner).post(url, FORM | {"new_token": "ghp_secret"})
    client_of(owner).post(url, FORM | {"clear_token": "on"})
    assert bytes(reread(lib).token) == b""


def test_a_token_with_a_line_feed_is_refused_unshown(client_of, lib, url, owner):
    response = client_of(owner).post(url, FORM | {"new_token": "ghp_a\nHost: x"})
    assert response.status_code == 422
    assert "ghp_a" not in response.content.decode()


def test_only_git_has_a_token(client_of, owner):
    rows.repository_row(owner, "zip", source="archive", address="lib.zip")
    html = client_of(owner).get(reverse("repos:settings", args=["zip"])).content.decode()
    assert "Access token" not in html


def test_excludes_are_kept_with_plain_line_ends(client_of, lib, url, owner):
    client_of(owner).post(url, FORM | {"excludes": "docs/\r\n*.min.js"})
    assert reread(lib).excludes == "docs/\n*.min.js"


def test_a_costly_pattern_is_named(client_of, lib, url, owner):
    response = client_of(owner).post(url, FORM | {"excludes": "a*b*c*d*e*f"})
    assert response.status_code == 422
    assert "a*b*c*d*e*f" in response.content.decode()


@pytest.fixture
def end(lib):
    return reverse("repos:delete", args=[lib.slug])


def test_the_name_must_be_typed(client_of, lib, end, owner):
    assert client_of(owner).post(end, {"typed": "li"}).status_code == 422
    assert Repository.objects.filter(pk=lib.pk).exists()


def test_everything_of_it_goes_and_nothing_else(client_of, lib, end, owner, settings):
    rows.add_file(lib, "a.py", "x\n")
    rows.publish(lib)
    other = rows.published({"b.py": "y\n"}, owner, slug="other")
    disk = settings.CLONES / str(lib.pk)
    disk.mkdir(parents=True)
    response = client_of(owner).post(end, {"typed": "lib"}, follow=True)
    record = DeletionRecord.objects.get(slug="lib")
    assert f"lib is deleted; the record of it is {record.pk}." in response.content.decode()
    assert {row.repository_id for row in File.objects.all()} == {other.pk}
    assert {row.repository_id for row in Content.objects.all()} == {other.pk}
    assert not disk.exists()


@pytest.mark.parametrize("state", ["queued", "running", "preview"])
def test_not_while_a_run_is_active(client_of, lib, end, owner, state):
    IndexRun.objects.create(repository=lib, number=1, snapshot=1, state=state)
    response = client_of(owner).post(end, {"typed": "lib"})
    assert "Cancel it first" in response.content.decode()
    assert Repository.objects.filter(pk=lib.pk).exists()
