"""Every address of the project, found by itself: who is sent away, and that odd input breaks none.

A new address without a place in this file fails `test_every_address_is_known_here`.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from answers.answering import ask

SIGN_IN = "/sign-in"


def patterns(
    resolver: URLResolver, names: tuple[str, ...] = ()
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(name with its namespaces, {argument: its converter's class name})."""
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from patterns(one, (*names, *([one.namespace] if one.namespace else [])))
        elif isinstance(one, URLPattern):
            kinds = one.pattern.converters
            arguments = {key: type(kinds.get(key)).__name__ for key in one.pattern.regex.groupindex}
            yield ":".join((*names, one.name or "")), arguments


ALL = dict(patterns(get_resolver()))
OURS = {name: arguments for name, arguments in ALL.items() if not name.startswith("admin:")}

# Open to everybody: without these nobody could ever sign in.
OPEN = {"accounts:sign_in", "accounts:first_run", "accounts:welcome"}
# Of administrators: 403 for anybody else.
ADMINISTRATORS = {
    "accounts:people", "accounts:person", "accounts:new_link", "accounts:groups",
    "accounts:group", "accounts:delete_group",
}  # fmt: skip
# Signed in is enough, for they speak of no one repository; what they list is what one may see.
EVERYBODY = {
    "accounts:sign_out", "accounts:preferences", "accounts:theme", "repos:list", "repos:switcher",
    "indexing:import", "search:search", "answers:ask", "answers:recent", "answers:conversations",
    "compliance:activity_own", "compliance:spend_own",
}  # fmt: skip
# Whoever asked, and the console's roles, may see what was sent for an answer.
ANSWER_CALLS = {"compliance:answer_calls"}
# Of administrators, officers and auditors: for members and outsiders there is no such page.
CONSOLE = {
    name for name in OURS if name.startswith("compliance:")
} - EVERYBODY - ANSWER_CALLS | {
    "search:evaluations", "search:comparison", "search:evaluation", "search:start_again",
    "search:delete_evaluation",
}  # fmt: skip
# There once they were asked for: tests/answers/exports.
MADE_LATER = {"answers:answer_pdf", "answers:conversation_pdf"}
ADMIN = {
    "app_label": "auth", "object_id": "1", "content_type_id": 1, "url": "x", "id": 1,
    "from_field": "id", "task_id": "x",
}  # fmt: skip
SECRET = "hidden-thing"
ODD = ["\x00", "%", "a\x00b", "\ud800", "0" * 5000, "\u202e", "'\"\\", "-1", "99999999999999999999"]
PARAMETERS = (
    "q", "at", "page", "filter", "kind", "line", "class", "folder", "source", "r", "repository",
    "next",
)  # fmt: skip
GUARDED = sorted(name for name, arguments in OURS.items() if {"slug", "pk"} & set(arguments))
OF_REPOSITORIES = [name for name in GUARDED if name not in ADMINISTRATORS | CONSOLE]


@pytest.fixture
def hidden(here, index_files, owner):
    """A repository that owner and member may see, with a run and an answer."""
    repository = index_files({"src/a.py": "def parse_config():\n    return 1\n"}, slug=SECRET)
    answer = ask("parse config", person=owner, repositories=[repository])
    values = {"slug": SECRET, "path": "src/a.py", "number": 1, "pk": answer.pk}
    conversation = answer.question.conversation_id
    return {**values, "conversation": conversation, "uidb64": "MQ", "token": "a-b", "form": "csv"}


def address(name: str, values: dict[str, Any]) -> str:
    given = {**values, "pk": values["conversation"]} if ":conversation" in name else values
    wanted = {key: 1 if kind == "IntConverter" else given[key] for key, kind in OURS[name].items()}
    return reverse(name, kwargs=wanted)


def statuses(client: Client, url: str) -> set[int]:
    return {client.get(url).status_code, client.post(url).status_code}


def test_every_address_is_known_here():
    assert set(OURS) == OPEN | ADMINISTRATORS | EVERYBODY | CONSOLE | set(OF_REPOSITORIES)


@pytest.mark.parametrize("name", sorted(set(OURS) - OPEN))
def test_a_stranger_is_sent_to_sign_in(client, hidden, name):
    url = address(name, hidden)
    for response in (client.get(url), client.post(url)):
        assert (response.status_code, response.url.split("?")[0]) == (302, SIGN_IN)


@pytest.mark.parametrize("name", OF_REPOSITORIES)
def test_an_outsider_finds_nothing_of_a_repository(client_of, outsider, hidden, name):
    found = statuses(client_of(outsider), address(name, hidden))
    assert 404 in found
    assert found <= {404, 405}


@pytest.mark.parametrize("name", sorted(set(OF_REPOSITORIES) - MADE_LATER))
def test_its_owner_finds_it(client_of, owner, hidden, name):
    assert 404 not in statuses(client_of(owner), address(name, hidden))


@pytest.mark.parametrize("name", sorted(EVERYBODY))
def test_lists_do_not_name_what_is_hidden(client_of, outsider, hidden, name):
    asked = {"q": "parse_config", "r": SECRET, "filter": "hidden", "source": "/"}
    shown = client_of(outsider).get(address(name, hidden), asked).content.decode()
    assert "src/a.py" not in shown
    assert f'"{SECRET}"' not in shown


@pytest.mark.parametrize("name", sorted(ADMINISTRATORS))
def test_people_are_managed_by_administrators(client_of, member, hidden, name):
    assert statuses(client_of(member), address(name, hidden)) == {403}


@pytest.mark.parametrize("name", sorted(CONSOLE))
@pytest.mark.parametrize("who", ["member", "outsider"])
def test_the_console_is_not_there_for_members(client_of, hidden, name, who, request):
    found = statuses(client_of(request.getfixturevalue(who)), address(name, hidden))
    assert 404 in found
    assert found <= {404, 405}


@pytest.mark.parametrize("name", sorted(set(ALL) - set(OURS)))
@pytest.mark.parametrize(("who", "status"), [("nobody", 302), ("member", 404)])
def test_rows_are_shown_to_the_roles_of_the_console_alone(client, member, who, status, name):
    if name == "admin:":  # the pattern that catches the rest
        return
    if who == "member":
        client.force_login(member)
    url = reverse(name, kwargs={key: ADMIN[key] for key in ALL[name]})
    assert client.get(url).status_code == client.post(url).status_code == status


def test_the_rows_offer_no_function_to_schedule(client_of, administrator):
    browser = client_of(administrator)
    rows = reverse("admin:index")
    assert "schedule" not in browser.get(rows).content.decode().lower()
    assert browser.get(f"{rows}django_q/schedule/add/").status_code == 404


def broken_by(client: Client, values: dict[str, Any], asked: dict[str, bytes]) -> list[str]:
    client.raise_request_exception = False
    names = sorted(set(OURS) - {"indexing:run_events"})
    return [name for name in names if client.get(address(name, values), asked).status_code >= 500]


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_odd_parameters_break_nothing(client_of, owner, hidden, odd):
    value = odd.encode("utf-8", "surrogatepass")
    assert broken_by(client_of(owner), hidden, dict.fromkeys(PARAMETERS, value)) == []


@pytest.mark.parametrize("parameter", PARAMETERS)
def test_a_nul_in_one_parameter_breaks_nothing(client_of, owner, hidden, parameter):
    assert broken_by(client_of(owner), hidden, {parameter: b"a\x00b"}) == []


@pytest.mark.parametrize("odd", ["%00", "a%00b", "%ED%A0%80", "%FF", "..", "%2E%2E/", "//", "%0A"])
@pytest.mark.parametrize("page", ["file", "tree", "raw"])
def test_odd_paths_break_nothing(client_of, owner, hidden, page, odd):
    client = client_of(owner)
    client.raise_request_exception = False
    assert client.get(f"/r/{SECRET}/{page}/{odd}").status_code < 500
