"""What is pasted, uploaded or chosen, and what becomes of it."""

from io import BytesIO

import pytest

from accounts.models import User
from repos import importing
from repos.importing import ImportRefused, already_imported, create_repository, understand
from repos.models import Repository


def refusal(text: str, **options) -> str:
    with pytest.raises(ImportRefused) as caught:
        understand(text, **options)
    return str(caught.value)


def test_an_address_is_said_back_in_plain_words():
    found = understand(" github.com/pallets/flask/ ")
    assert found.sentence == "GitHub, pallets/flask, default branch"
    assert (found.address, found.ref, found.link) == ("https://github.com/pallets/flask", "", "")


@pytest.mark.parametrize("text", ["flask", "pallets/flask"])
def test_a_name_without_a_host_is_told_what_is_missing(text):
    assert refusal(text) == (
        "This names no host. Paste the whole address, or the full path of a folder."
    )


def test_a_branch_without_slashes_is_settled_at_once():
    found = understand("https://github.com/pallets/flask/tree/main")
    assert (found.ref, found.link) == ("main", "")
    assert found.sentence == "GitHub, pallets/flask, branch or tag main"


def test_a_branch_that_may_hold_slashes_is_left_to_the_fetch():
    found = understand("https://github.com/acme/app/tree/feature/login/src?tab=readme#top")
    assert (found.ref, found.address) == ("", "https://github.com/acme/app")
    assert found.link == "https://github.com/acme/app/tree/feature/login/src"
    assert found.sentence.endswith("the branch or tag at the start of feature/login/src")


@pytest.mark.parametrize(
    "page",
    [
        "https://github.com/acme/app/blob/feat%2Bplus/100%25/a.py",
        "https://gitlab.com/acme/group/app/-/tree/release/2.2/src",
        "https://codeberg.org/acme/app/src/branch/user/ana/fix%2312/a.py",
        "https://bitbucket.org/acme/app/src/release/1/a.py",
        "https://github.com/acme/app/releases/tag/v1/rc",
    ],
)
def test_the_link_that_is_kept_means_the_same(page):
    first = understand(page)
    again = understand(first.link)
    assert again == first


def test_a_branch_name_that_no_column_could_hold_is_refused():
    assert "too long" in refusal("https://github.com/acme/app/tree/" + "x" * 600)
    assert "too long" in refusal("https://github.com/acme/app/tree/a/" + "\u00fc" * 900)


def test_pages_take_full_paths_inside_the_roots_only(tmp_path, settings):
    settings.FOLDER_ROOTS = (tmp_path,)
    (tmp_path / "lib").mkdir()
    assert understand(str(tmp_path / "lib"), from_shell=False).name == "lib"
    for text in ("~/lib", "./lib", "/etc"):
        assert "/home" not in refusal(text, from_shell=False)


def test_pages_do_not_tell_whether_an_archive_lies_outside_the_roots(tmp_path, settings):
    settings.FOLDER_ROOTS = (tmp_path / "in",)
    there, missing = tmp_path / "a.zip", tmp_path / "b.zip"
    there.write_bytes(b"x")
    words = [refusal(str(path), from_shell=False) for path in (there, missing)]
    assert words[0].replace("a.zip", "b.zip") == words[1]
    assert understand(str(there)).source == Repository.Source.ARCHIVE


@pytest.fixture
def ana(db) -> User:
    return User.objects.create_user("ana")


def create(text: str, owner: User, **options) -> Repository:
    return create_repository(understand(text), owner=owner, **options)


def test_the_same_source_at_the_same_ref_is_recognised(ana):
    made = create("https://github.com/pallets/flask", ana)
    assert already_imported(understand("git@github.com:pallets/flask.git"), ana) == made
    assert already_imported(understand("github.com/pallets/flask/tree/2.x"), ana) is None
    assert already_imported(understand("github.com/pallets/flask"), ana, ref="2.x") is None


def test_a_page_below_an_imported_branch_is_recognised(ana):
    made = create("https://github.com/acme/app", ana, ref="feature/login")
    create("https://github.com/acme/app", ana)
    assert already_imported(understand("github.com/acme/app/tree/feature/login/src"), ana) == made
    assert already_imported(understand("github.com/acme/app/tree/feature/logins/src"), ana) is None


def test_a_page_whose_branch_is_not_settled_yet_is_recognised(ana):
    page = "https://github.com/acme/app/tree/feature/login/src"
    made = create(page, ana)
    assert (made.address, made.ref) == (page, "")
    assert already_imported(understand(page), ana) == made


def test_what_a_person_may_not_see_is_not_recognised(ana):
    create("https://github.com/pallets/flask", ana, everyone=False)
    bob = User.objects.create_user("bob")
    assert already_imported(understand("github.com/pallets/flask"), bob) is None


def test_a_ref_in_its_own_field_goes_before_the_page(ana):
    made = create("https://github.com/acme/app/tree/feature/login/src", ana, ref="v1")
    assert (made.address, made.ref) == ("https://github.com/acme/app", "v1")


def test_two_of_one_name_get_two_slugs(ana):
    slugs = [create(f"https://github.com/{who}/App", ana).slug for who in ("a", "b")]
    assert slugs == ["app", "app-2"]


def test_an_archive_that_is_too_large_leaves_no_row(ana, settings, tmp_path):
    settings.CLONES, settings.ARCHIVE_MAX_BYTES = tmp_path, 3
    understood = importing.understand_archive("lib.tar.gz")
    with pytest.raises(ImportRefused, match="larger"):
        create_repository(understood, owner=ana, archive=BytesIO(b"four"))
    assert not Repository.objects.exists()
