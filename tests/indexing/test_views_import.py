"""The import page: what it understands, what it refuses, and what it starts."""

import io
import zipfile

import pytest
from django.contrib.auth.models import Group
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse

from indexing.models import IndexRun
from repos import tokens
from repos.fetching import token_keys
from repos.importing import create_repository, understand
from repos.models import Repository
from tests import factories

URL = "/import"
SECRET = "sw0rdfish-t0ken-of-ana"


@pytest.fixture
def browser(client_of, owner):
    return client_of(owner)


@pytest.fixture
def lib(tmp_path):
    return factories.write_files(tmp_path / "lib", {"a.py": "a = 1\n"})


def send(browser, **fields):
    return browser.post(URL, {"audience": "everyone"} | fields)


def words(browser, text: str) -> str:
    answer = browser.get(URL, {"source": text}, headers={"HX-Request": "true"})
    return " ".join(answer.content.decode().split())


def test_it_asks_for_a_sign_in(client, db):
    factories.person("somebody")
    assert client.get(URL)["Location"] == "/sign-in?next=/import"


def test_it_says_what_it_understood_while_typing(browser):
    fragment = words(browser, "https://github.com/pallets/flask/tree/main")
    assert "GitHub, pallets/flask, branch or tag main" in fragment
    assert "<html" not in fragment


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("http://github.com/a/b", "http is not encrypted"),
        ("https://example.test/a/b", "not on the list of allowed hosts"),
        ("https://me:pw@github.com/a/b", "holds a user name, password or token"),
        ("/etc", "outside the folders that may be imported"),
        ("~/lib", "beginning with a slash"),
        ("a b", "blanks or invisible characters"),
        ("/lib\0", "outside the folders"),
    ],
)
def test_it_names_what_is_wrong_while_typing(browser, text, message):
    assert message in words(browser, text)


def test_without_groups_none_are_offered(browser):
    html = browser.get(URL).content.decode()
    assert "You and administrators" in html
    assert "these groups" not in html
    Group.objects.create(name="core")
    assert "You and these groups" in browser.get(URL).content.decode()


def test_a_folder_is_imported_with_a_run_that_waits_before_indexing(browser, lib, owner):
    answer = send(browser, source=str(lib))
    run = IndexRun.objects.get()
    assert answer["Location"] == reverse("indexing:run", args=["lib", 1])
    assert (run.preview, run.started_by, run.repository.owner) == (True, owner, owner)
    assert (run.repository.everyone, run.repository.name) == (True, "lib")


def test_everything_that_was_filled_in_is_kept(browser, owner):
    group = Group.objects.create(name="readers")
    send(
        browser,
        source="github.com/acme/app",
        ref="v1",
        token=SECRET,
        name="Our app",
        audience="groups",
        groups=[group.pk],
    )
    made = Repository.objects.get()
    assert (made.address, made.ref, made.name) == ("https://github.com/acme/app", "v1", "Our app")
    assert (made.everyone, list(made.groups.all())) == (False, [group])
    assert tokens.decrypt(bytes(made.token), token_keys()) == SECRET


def test_a_refusal_loses_nothing_but_the_token(browser):
    answer = send(browser, source="https://example.test/a/b", ref="v1", token=SECRET, name="Mine")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'value="https://example.test/a/b"' in page
    assert 'value="v1"' in page
    assert 'value="Mine"' in page
    assert SECRET not in page
    assert not Repository.objects.exists()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "Paste an address, choose a folder, or upload an archive."),
        ({"source": "github.com/a/b", "ref": "-x"}, "No branch or tag can have such a name."),
        ({"source": "github.com/a/b", "token": "a b"}, "A token holds no blanks"),
        ({"source": "x" * 2001}, "at most 2000 characters"),
        ({"source": "github.com/a/b", "audience": "nobody"}, "Select a valid choice"),
    ],
)
def test_every_refusal_has_its_message(browser, fields, message):
    answer = send(browser, **fields)
    assert answer.status_code == 422
    assert message in answer.content.decode()


def archive(name: str = "lib.zip") -> SimpleUploadedFile:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as file:
        file.writestr("lib/a.py", "a = 1\n")
    return SimpleUploadedFile(name, packed.getvalue())


def test_an_archive_is_imported(browser):
    send(browser, upload=archive("Our lib.zip"))
    made = Repository.objects.get()
    assert (made.source, made.name, made.slug) == ("archive", "Our lib", "our-lib")


def test_an_archive_of_another_kind_is_refused(browser):
    answer = send(browser, upload=archive("lib.rar"))
    assert answer.status_code == 422
    assert "Upload a .zip, .tar.gz or .tgz archive." in answer.content.decode()


def test_an_archive_over_the_limit_is_refused(browser, settings):
    settings.ARCHIVE_MAX_BYTES = 10
    answer = send(browser, upload=archive())
    assert "larger than 0 MB" in answer.content.decode()
    assert not Repository.objects.exists()


def test_an_address_and_an_archive_at_once_are_refused(browser, lib):
    answer = send(browser, source=str(lib), upload=archive())
    assert "Give an address or an archive, not both." in answer.content.decode()


def test_what_is_imported_already_is_said_with_a_way_to_index_it_again(browser, lib):
    send(browser, source=str(lib))
    answer = send(browser, source=str(lib))
    page = answer.content.decode()
    assert answer.status_code == 422
    assert 'Already imported as <a href="/r/lib/">lib</a>' in page
    assert 'formaction="/r/lib/runs"' in page
    assert "Already imported" in words(browser, str(lib))


def test_a_member_sees_what_is_imported_but_may_not_index_it_again(client_of, browser, member, lib):
    send(browser, source=str(lib))
    fragment = words(client_of(member), str(lib))
    assert "Already imported" in fragment
    assert "Index it again" not in fragment


def test_an_outsider_is_not_told_of_what_others_imported(client_of, owner, outsider, lib):
    create_repository(understand(str(lib)), owner=owner, everyone=False)
    assert "Already imported" not in words(client_of(outsider), str(lib))
    assert send(client_of(outsider), source=str(lib)).status_code == 302


def test_it_can_be_imported_a_second_time_on_purpose(browser, lib):
    send(browser, source=str(lib))
    assert send(browser, source=str(lib), again="on").status_code == 302
    assert Repository.objects.count() == 2


def test_folders_inside_the_roots_can_be_chosen(browser, tmp_path, lib):
    (lib / "docs").mkdir()
    (lib / ".git").mkdir()
    page = browser.get(URL, {"folder": str(lib)}).content.decode()
    assert f'data-folder="{lib}"' in page
    assert ">docs/</a>" in page
    assert ".git/" not in page
    assert f"?source={tmp_path}/lib" in page.replace("%2F", "/")


def test_folders_outside_the_roots_are_not_listed(browser):
    page = browser.get(URL, {"folder": "/etc"}).content.decode()
    assert "outside the folders that may be imported" in page
    assert ">ssl/</a>" not in page


def test_a_chosen_folder_stands_in_the_field(browser, lib):
    page = browser.get(URL, {"source": str(lib)}).content.decode()
    assert f'value="{lib}"' in page
    assert f"Folder {lib}" in page


def test_a_branch_with_signs_in_its_name_can_be_asked_for(browser):
    send(browser, source="github.com/acme/app", ref="user/ana/fix#12+100%")
    assert Repository.objects.get().ref == "user/ana/fix#12+100%"


def test_a_pasted_page_keeps_its_branch_for_the_fetch(browser):
    send(browser, source="https://github.com/acme/app/tree/feature/login/src?token=x")
    made = Repository.objects.get()
    assert made.address == "https://github.com/acme/app/tree/feature/login/src"
    assert (made.ref, made.name) == ("", "acme/app")
