"""Where the branch of a pasted page ends, against a real host."""

import pytest

from repos.fetching import Fetched, FetchFailed, fetch
from repos.importing import create_repository, understand
from repos.models import Repository
from tests.repos.githost import Host, checkout, commit, git


@pytest.fixture
def branches(host: Host, settings, tmp_path) -> dict[str, str]:
    """acme/app with branches whose names begin alike or hold signs; branch to commit."""
    folder = host.root / "acme/app"
    found = {"main": checkout(folder, {"feature/a.py": "on_main = 1\n"})}
    for name in ("feature/login-form", "user/ana/fix#12", "feat+plus/100%", "src"):
        git(folder, "checkout", "-q", "-b", name)
        found[name] = commit(folder, {"src/a.py": f"on = {name!r}\n"})
    git(folder, "checkout", "-q", "main")
    settings.GIT_HOSTS, settings.GIT_CA_FILE = (host.name,), str(host.ca_file)
    settings.CLONES = tmp_path / "clones"
    return found


def fetched(repository: Repository) -> Fetched:
    return fetch(repository, 1, progress=lambda *_: None, cancelled=lambda: False)


def pasted(host: Host, page: str) -> Repository:
    return create_repository(understand(host.url(f"acme/app/{page}")), owner=None)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("page", "branch"),
    [
        ("tree/feature/login-form", "feature/login-form"),
        ("tree/feature/login-form/src", "feature/login-form"),
        ("-/tree/feature/login-form/src", "feature/login-form"),
        ("src/branch/user/ana/fix%2312/src/a.py", "user/ana/fix#12"),
        ("blob/feat%2Bplus/100%25/src/a.py", "feat+plus/100%"),
        ("tree/main/feature", "main"),
        ("tree/src/src", "src"),
    ],
)
def test_a_pasted_page_gives_the_branch_it_shows(host, branches, page, branch):
    repository = pasted(host, page)
    assert fetched(repository) == Fetched(branches[branch], branch)
    repository.refresh_from_db()
    assert (repository.address, repository.ref) == (host.url("acme/app"), branch)


@pytest.mark.django_db
def test_the_next_fetch_asks_for_the_branch_by_its_name(host, branches):
    repository = pasted(host, "tree/feature/login-form/src")
    fetched(repository)
    again = fetched(Repository.objects.get(pk=repository.pk))
    assert again == Fetched(branches["feature/login-form"], "feature/login-form")


@pytest.mark.django_db
def test_a_page_of_no_branch_is_refused_and_not_guessed(host, branches):
    repository = pasted(host, "tree/feature/other/src")
    with pytest.raises(FetchFailed, match="No branch, tag or commit") as caught:
        fetched(repository)
    assert caught.value.code == "no_such_ref"


@pytest.mark.django_db
def test_a_commit_in_a_page_is_taken_as_it_is(host, branches):
    repository = pasted(host, f"tree/{branches['main']}/feature")
    assert fetched(repository).commit == branches["main"]
