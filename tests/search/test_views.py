from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from repos.models import Repository
from search import views
from search.channels import QueryTooSlow

pytestmark = pytest.mark.urls("tests.search.addresses")

ODD = [
    "",
    " ",
    "*",
    "?",
    "+",
    "((((",
    "[a-",
    "a" * 5000,
    '"',
    '"unclosed',
    "lang:",
    'lang:"',
    "path:(",
    "repo:nothing foo",
    "\\",
    "%_%_%",
    "' OR 1=1 --",
    "{{7*7}}",
    "<script>",
    "\x00x",
    "a\nb",
    "-",
    "--",
    "OR",
    "NOT",
    "AND foo",
    "(foo OR bar",
    "/(a+)+$/",
    "😀 ユーザー",
    "word " * 2000,
    "kind:nothing -kind:x lang:y -path:* -repo:z q",
    "'; DROP TABLE repos_file; --",
    "a'b \\' '' & | ! <-> :*",
    "-'a\\'b foo",
]


@pytest.fixture
def get(client_of: Callable[[User], Client]):
    def get_page(user: User, text: str = "session", **extra):
        htmx = {"HX-Request": "true"} if extra.pop("htmx", False) else {}
        return client_of(user).get(reverse("search:search"), {"q": text, **extra}, headers=htmx)

    return get_page


def test_owner_and_member_find(get, lib: Repository, owner: User, member: User):
    for person in (owner, member):
        page = get(person).content.decode()
        assert "src/app/<" not in page
        assert "sessions.py</a>" in page
        assert "<mark>session</mark>" in page


def test_outsider_finds_nothing(get, lib: Repository, outsider: User):
    page = get(outsider).content.decode()
    assert "Nothing found" in page
    assert "sessions.py" not in page
    assert get(outsider, repository="lib").status_code == 404


def test_anonymous_signs_in(lib: Repository):
    page = Client().get(reverse("search:search"), {"q": "session"})
    assert (page.status_code, page["Location"].split("?")[0]) == (302, reverse("accounts:sign_in"))


def test_fragment_is_the_results_alone(get, lib: Repository, owner: User):
    fragment = get(owner, htmx=True)
    body = fragment.content.decode().strip()
    assert body.startswith('<section id="results"')
    assert "<html" not in body
    assert "HX-Request" in fragment["Vary"]


def test_the_page_contains_the_same_fragment(get, lib: Repository, owner: User):
    page = get(owner).content.decode()
    assert page.count('id="results"') == 1
    assert 'hx-sync="this:replace"' in page
    assert 'hx-replace-url="true"' in page


def test_links_lead_to_the_lines(get, lib: Repository, owner: User):
    page = get(owner, "open_session -path:tests").content.decode()
    assert f'href="{reverse("indexing:file", args=["lib", "src/app/sessions.py"])}#L7"' in page


def test_filters_are_chips_that_can_be_removed(get, lib: Repository, owner: User):
    page = get(owner, "session lang:python -path:tests").content.decode()
    assert f'href="{reverse("search:search")}?q=session%20-path%3Atests"' in page
    assert f'href="{reverse("search:search")}?q=session%20lang%3Apython"' in page


def test_the_box_of_a_repository_becomes_a_filter(get, lib: Repository, owner: User):
    page = get(owner, "session", repository="lib").content.decode()
    assert 'value="repo:lib session"' in page


def test_count_and_time_line(get, lib: Repository, owner: User):
    page = get(owner, "createClient").content.decode()
    assert "1 file, 1 places" in " ".join(page.split()) or "1 file, " in page


def test_nothing_found_says_what_was_searched(get, lib: Repository, owner: User):
    page = get(owner, "SessionStor lang:go").content.decode()
    assert "Searched 1 repository: lib" in page
    assert f'href="{reverse("search:search")}?q=SessionStore"' in page


def test_unknown_repository_is_named(get, lib: Repository, owner: User):
    page = get(owner, "session repo:nothing").content.decode()
    assert "No repository that you may see matches" in page


def test_filters_alone_ask_for_a_word(get, lib: Repository, owner: User):
    assert "add a word to search for" in get(owner, "lang:python").content.decode()


def test_hostile_text_is_escaped(get, lib: Repository, owner: User):
    page = get(owner, '<script>alert("x")</script>').content.decode()
    assert "<script>alert" not in page


@pytest.mark.parametrize("text", ODD)
@pytest.mark.parametrize("htmx", [False, True], ids=["page", "fragment"])
def test_no_query_is_an_error(text: str, get, lib: Repository, owner: User, *, htmx: bool):
    assert get(owner, text, htmx=htmx).status_code == 200


@pytest.mark.parametrize(
    ("extra", "message"),
    [
        ({"page": "x"}, "The page is a number."),
        ({"page": "0"}, "Pages count from 1."),
        ({"page": "101"}, "Results end at page 100"),
        ({"at": "zzzz"}, "is a commit"),
    ],
)
def test_a_bad_address_is_422(extra, message: str, get, lib: Repository, owner: User):
    page = get(owner, **extra)
    assert page.status_code == 422
    assert message in page.content.decode()


def test_a_slow_query_is_400_with_a_plain_message(
    get, lib: Repository, owner: User, monkeypatch: pytest.MonkeyPatch
):
    def slow(*args: object, **options: object) -> None:
        raise QueryTooSlow

    monkeypatch.setattr(views, "search", slow)
    page = get(owner)
    assert page.status_code == 400
    assert "longer than 4 seconds" in page.content.decode()


def test_a_page_beyond_the_last_is_the_last(get, lib: Repository, owner: User):
    assert get(owner, page="99").status_code == 200


def test_post_is_refused(client_of, lib: Repository, owner: User):
    assert client_of(owner).post(reverse("search:search")).status_code == 405
