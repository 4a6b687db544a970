import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from accounts.models import User
from repos.models import Repository
from search import exact

pytestmark = pytest.mark.urls("tests.search.addresses")


@pytest.fixture
def get(client_of: Callable[[User], Client]) -> Callable[..., Any]:
    def get_page(user: User, text: str, *, htmx: bool = False, **extra: Any) -> Any:
        headers = {"HX-Request": "true"} if htmx else {}
        asked = {"q": text, **extra}
        return client_of(user).get(reverse("search:search"), asked, headers=headers)

    return get_page


def shown(page: HttpResponse) -> list[str]:
    """The paths of the files, in order."""
    return re.findall(r'class="path hit-path"[^>]*>([^<]+)<', page.content.decode())


def count(page: HttpResponse) -> str:
    found = re.search(r'id="count"[^>]*>([^<]*)<', page.content.decode())
    return re.sub(r"[\d,]+ ms", "N ms", html.unescape(found[1])) if found else ""


def next_address(page: HttpResponse) -> str:
    found = re.search(r'hx-get="([^"]*)"', page.content.decode().partition('id="next"')[2])
    return html.unescape(found[1]) if found else ""


def test_files_lines_and_count(get, lib: Repository, owner: User, member: User):
    for person in (owner, member):
        page = get(person, "/^class /")
        assert shown(page) == ["src/app/server.py", "src/app/sessions.py"]
        assert count(page) == "3 lines in 2 files, N ms"
        address = reverse("indexing:file", args=["lib", "src/app/server.py"])
        assert f'href="{address}#L4"' in page.content.decode()
        assert "<mark>class </mark>Server" in page.content.decode()


def test_outsider_finds_nothing(get, lib: Repository, outsider: User):
    page = get(outsider, "/^class /")
    assert (shown(page), count(page)) == ([], "No line found, N ms.")
    assert "lib" not in shown(page)


def test_quoted_text_is_found_line_by_line(get, lib: Repository, owner: User):
    assert count(get(owner, '"return self"')) == "1 line in 1 file, N ms"
    assert count(get(owner, '"RETURN self" case:yes')) == "No line found, N ms."


def test_filters_are_chips(get, lib: Repository, owner: User):
    body = get(owner, "/^class / case:no lang:python").content.decode()
    assert f'href="{reverse("search:search")}?q=%2F%5Eclass%20%2F%20lang%3Apython"' in body


def test_a_wrong_pattern_is_422_and_says_where(get, lib: Repository, owner: User):
    for htmx in (False, True):
        page = get(owner, "/a(b/", htmx=htmx)
        assert page.status_code == 422
        assert "wrong at character 2: this ( is never closed" in page.content.decode()


def test_a_pattern_is_escaped(get, lib: Repository, owner: User):
    page = get(owner, "/<script>alert(1/")
    assert page.status_code == 422
    assert "<script>alert" not in page.content.decode()


def test_the_next_slice_is_asked_for_and_comes_alone(
    get, client_of, index_files: Callable[..., Repository], owner: User
):
    index_files({f"f{number:02}.txt": "needle\n" for number in range(25)}, slug="many")
    first = get(owner, "/needle/")
    assert shown(first) == [f"f{number:02}.txt" for number in range(20)]
    assert count(first) == "20 lines in 20 files so far; 5 files still to search …"
    second = client_of(owner).get(next_address(first), headers={"HX-Request": "true"})
    assert second.content.decode().lstrip().startswith('<li class="hit">')
    assert shown(second) == [f"f{number:02}.txt" for number in range(20, 25)]
    assert 'hx-swap-oob="true"' in second.content.decode()
    assert (count(second), next_address(second)) == ("25 lines in 25 files, N ms", "")


def test_without_a_script_the_next_slice_is_a_page(
    get, client_of, index_files: Callable[..., Repository], owner: User
):
    index_files({f"f{number:02}.txt": "needle\n" for number in range(25)}, slug="many")
    page = client_of(owner).get(next_address(get(owner, "/needle/")))
    assert "<html" in page.content.decode()
    assert len(shown(page)) == 5


def test_the_next_slice_is_for_those_who_may_see_it(
    get, client_of, index_files: Callable[..., Repository], owner: User, outsider: User
):
    index_files({f"f{number:02}.txt": "needle\n" for number in range(25)}, slug="many")
    address = next_address(get(owner, "/needle/"))
    assert shown(client_of(outsider).get(address)) == []


def test_a_made_up_token_is_422(get, lib: Repository, owner: User):
    page = get(owner, "/x/", after="zzz", htmx=True)
    assert page.status_code == 422
    assert "search again" in page.content.decode()


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        (("MAX_LINES", 2), "More than 2 lines in 1 file; counting ended there."),
        (("TOTAL_SECONDS", 0), "Stopped after 10 seconds: 5 lines in 2 files so far, 2 files not"),
    ],
)
def test_limits_are_said(
    get, lib: Repository, owner: User, monkeypatch, *, limit: tuple[str, int], said: str
):
    monkeypatch.setattr(exact, *limit)
    monkeypatch.setattr(exact, "PAGE_FILES", 2)
    page = get(owner, "/^class |^# Guide|def run|def test_/ -path:docs")
    assert page.status_code == 200
    assert count(page).startswith(said)


@pytest.mark.parametrize(
    "text",
    [
        "/(a+)+$/", "/((((((x))))))/", "/.*.*.*.*.*x/", "/\\x00/", "/[^\\n]*/", "/$/", "/^/",
        "/x*/ repo:nothing", "/(?i)K/", "/'; DROP TABLE x; --/", "/%s %(x)s/", "/{{7*7}}/",
        "/\\pL+/ kind:nothing", '"%" case:yes', "/😀|ユーザー/", "/(\\w+)*!/ " * 8, "/a{0}/",
    ],
)  # fmt: skip
@pytest.mark.parametrize("htmx", [False, True], ids=["page", "fragment"])
def test_odd_patterns_are_no_error(text: str, get, lib: Repository, owner: User, *, htmx: bool):
    assert get(owner, text, htmx=htmx).status_code == 200
