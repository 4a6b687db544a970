"""Whether a source still answers, and to whom; nothing is ever deleted by asking."""

import importlib
import shutil

import pytest
from django.apps import apps
from django.core.management import call_command
from django.utils.module_loading import import_string
from django_q.models import Schedule

from repos import tokens
from repos.fetching import token_keys
from repos.models import Repository
from repos.source_check import check, check_all
from tests import factories

pytestmark = pytest.mark.django_db
TOKEN = "ghp_" + "TOKENtokenTOKENtoken0123456789"


@pytest.fixture
def repository(host, app, settings, owner) -> Repository:
    settings.GIT_HOSTS, settings.GIT_CA_FILE = (host.name,), str(host.ca_file)
    return factories.repository_for(
        owner, slug="app", source="git", address=host.url("acme/app").removesuffix(".git")
    )


def state(repository: Repository) -> str:
    repository.refresh_from_db()
    return repository.source_state


def test_an_open_source(repository):
    assert check(repository) == "public"
    assert (state(repository), repository.source_checked is not None) == ("public", True)


def test_one_that_has_become_private(repository, host):
    host.token = TOKEN
    check(repository)
    assert state(repository) == "gone"
    assert Repository.objects.exists()


def test_one_that_opens_with_the_token_alone(repository, host):
    host.token = TOKEN
    repository.token = tokens.encrypt(TOKEN, token_keys())
    repository.save()
    check(repository)
    assert state(repository) == "token"


def test_one_that_was_removed(repository, app):
    shutil.rmtree(app)
    check(repository)
    assert state(repository) == "gone"


def test_a_host_that_is_down_says_nothing(repository, settings):
    check(repository)
    settings.GIT_CA_FILE = ""  # its certificate is no longer known: it cannot be asked
    assert check(repository) == ""
    assert state(repository) == "public"


def test_a_folder_that_is_gone_and_one_that_is_there(owner, tmp_path):
    (tmp_path / "here").mkdir()
    factories.repository_for(owner, slug="here", address=str(tmp_path / "here"))
    factories.repository_for(owner, slug="away", address=str(tmp_path / "away"))
    check_all()
    found = dict(Repository.objects.values_list("slug", "source_state"))
    assert found == {"here": "public", "away": "gone"}


@pytest.mark.parametrize("how", ["missing", "empty", "no longer allowed"])
def test_a_root_that_is_not_there_says_nothing_of_what_it_holds(owner, tmp_path, settings, how):
    root = tmp_path / "mounted"
    settings.FOLDER_ROOTS = (root,)
    for name in ("one", "two"):
        (root / "team" / name).mkdir(parents=True)
        factories.repository_for(owner, slug=name, address=str(root / "team" / name))
    check_all()
    assert set(Repository.objects.values_list("source_state", flat=True)) == {"public"}
    if how == "no longer allowed":
        settings.FOLDER_ROOTS = (tmp_path / "another",)
    else:
        shutil.rmtree(root)
    if how == "empty":  # as the place of a disk is that is not mounted
        root.mkdir()
    check_all()
    assert set(Repository.objects.values_list("source_state", flat=True)) == {"away"}


def test_a_folder_that_has_become_a_file_or_is_closed_is_gone(owner, tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "file").write_text("no folder")
    factories.repository_for(owner, slug="file", address=str(tmp_path / "file"))
    check_all()
    assert Repository.objects.get().source_state == "gone"


def test_the_command_tells_each(owner, tmp_path, capsys):
    (tmp_path / "here").mkdir()
    factories.repository_for(owner, slug="away", address=str(tmp_path / "away"))
    call_command("check_sources")
    assert capsys.readouterr().out == "away  gone or private\n"


def test_sources_are_asked_every_week():
    # Tests that empty all tables take the row of the migration along.
    migration = importlib.import_module("repos.migrations.0006_source_check_schedule")
    migration.add_schedule(apps, None)
    schedule = Schedule.objects.get(func="repos.source_check.check_all")
    assert (schedule.schedule_type, schedule.repeats) == (Schedule.WEEKLY, -1)
    assert import_string(schedule.func) is check_all
