"""Every address of the console, asked as everybody: a new page cannot be forgotten.

The addresses are those that Django knows, not a list: what is added below /console/ is asked too,
with made-up arguments that no row has.
"""

import uuid
from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import connection
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from psycopg.sql import SQL, Identifier

from accounts.models import AuditEvent, User
from compliance.models import SavedFilter
from indexing.policy_models import ScrubPattern
from tests import factories

ARGUMENTS = {
    "form": "csv", "pk": 1, "number": 1, "ordinal": 0, "slug": "lib", "object_id": "1",
    "app_label": "accounts", "content_type_id": 1, "url": "nothing", "path": "nothing",
}  # fmt: skip
# Arranges something for oneself: an auditor may, and nobody else sees it.
OWN = {"compliance:filter_save", "compliance:filter_forget"}
# Closed without its parameters, of rows that only administrators change, or theirs altogether.
FOR_ADMINISTRATORS = ("search:", "admin:django_q", "admin:autocomplete", "accounts:")
WRITING = ("_add", "_delete")
CHANGING = {
    f"compliance:{name}"
    for name in (
        "check_sources", "pattern", "pattern_delete", "pattern_new", "pattern_switch", "policy",
        "report_again", "report_new", "review", "review_undo",
    )
}  # fmt: skip
RECORDS = {
    "admin:accounts_auditevent_add", "admin:accounts_auditevent_delete", "admin:autocomplete",
    "admin:axes_accessattempt_add", "admin:axes_accessfailurelog_add", "admin:axes_accesslog_add",
    "admin:django_q_failure_add", "admin:django_q_success_add",
}  # fmt: skip
DIGEST = SQL("SELECT md5(string_agg(t::text, ',' ORDER BY t::text)) FROM {} AS t")


def named(
    patterns: list[URLPattern | URLResolver], space: str = "", before: str = ""
) -> Iterator[tuple[str, str, URLPattern]]:
    """(name, route, pattern) of all that have a name."""
    for one in patterns:
        route = before + str(one.pattern).lstrip("^")
        if isinstance(one, URLResolver):
            inner = f"{space}{one.namespace}:" if one.namespace else space
            yield from named(one.url_patterns, inner, route)
        elif one.name:
            yield f"{space}{one.name}", route, one


def address(name: str, pattern: URLPattern) -> str:
    """An argument that ARGUMENTS does not know is one that a new page brought: add it there."""
    wanted = pattern.pattern.regex.groupindex
    values = {key: ARGUMENTS[key] for key in wanted}
    if "uuid:" in str(pattern.pattern):
        values["pk"] = uuid.UUID(int=1)
    return reverse(name, kwargs=values)


CONSOLE = {
    name: address(name, pattern)
    for name, route, pattern in named(get_resolver().url_patterns)
    if route.startswith("console/")
}


@pytest.fixture
def lib(index_files, here, administrator):
    """With a row of the kind that addresses name by 1, where one can be had."""
    ScrubPattern.objects.create(pk=1, name="house", kind="house", pattern="HOUSE-[0-9]+")
    SavedFilter.objects.create(pk=1, person=administrator, name="mine")
    return index_files({"a.md": "write to ann.lee" + "@kitehouse.net\n"})


def rows() -> dict[str, str]:
    """A digest of every table but those that say who looked, and what was counted meanwhile."""
    quiet = {"accounts_auditevent", "django_session"}
    digests = {}
    with connection.cursor() as cursor:
        for model in apps.get_models(include_auto_created=True):
            table = model._meta.db_table
            if table not in quiet and not table.startswith("compliance_"):
                cursor.execute(DIGEST.format(Identifier(table)))
                digests[table] = cursor.fetchone()[0]
    return digests


def sent(client, name: str):
    return client.post(CONSOLE[name], {"decision": "dismissed", "all": "1"})


def test_the_walk_finds_the_pages():
    assert {"compliance:front", "compliance:findings", "compliance:calls", "compliance:activity",
            "admin:index", "compliance:report_export_pdf"} <= set(CONSOLE)  # fmt: skip
    assert len(CONSOLE) > 60


@pytest.mark.parametrize("who", ["owner", "member", "outsider"])
def test_for_people_without_a_role_there_is_no_console(lib, who, request, client_of):
    client = client_of(request.getfixturevalue(who))
    found = {
        (name, method): getattr(client, method)(url).status_code
        for name, url in CONSOLE.items()
        for method in ("get", "post")
    }
    assert {key: status for key, status in found.items() if status not in {404, 405}} == {}


def test_whoever_is_not_signed_in_is_asked_to(lib, client):
    signing_in = reverse("accounts:sign_in")
    for url in CONSOLE.values():
        for response in (client.get(url), client.post(url)):
            assert response.status_code == 302, url
            assert response["Location"].startswith(signing_in), url


@pytest.mark.parametrize(("who", "kept_from"), [("auditor", CHANGING), ("officer", set())])
def test_who_may_enter_reads_every_page(lib, who, kept_from, request, client_of):
    client = client_of(request.getfixturevalue(who))
    closed = {name for name, url in CONSOLE.items() if client.get(url).status_code == 403}
    closed -= {name for name in closed if name.startswith(FOR_ADMINISTRATORS)}
    closed -= {name for name in closed if name.startswith("admin:") and name.endswith(WRITING)}
    assert closed == kept_from


def test_only_records_are_closed_to_an_administrator(lib, administrator, client_of):
    """What was written down by the program: nobody adds to it, and nobody rewrites the trail."""
    client = client_of(administrator)
    closed = {name for name, url in CONSOLE.items() if client.get(url).status_code == 403}
    assert closed == RECORDS


def test_the_auditor_changes_nothing(lib, auditor, client_of):
    client = client_of(auditor)
    before = rows()
    answers = {name: sent(client, name) for name in CONSOLE if name not in OWN}
    accepted = {
        name: response.status_code
        for name, response in answers.items()
        if response.status_code < 400 and not name.startswith("admin:")
    }
    assert accepted == {}
    assert rows() == before


def test_what_was_refused_is_in_the_trail(lib, auditor, member, client_of):
    for user, name in ((auditor, "compliance:pattern_new"), (member, "compliance:front")):
        client_of(user).post(CONSOLE[name])
    denied = AuditEvent.objects.filter(action="console.denied").order_by("id")
    assert [(one.person_name, one.subject) for one in denied] == [
        ("auditor", "/console/patterns/new"), ("member", "/console/"),
    ]  # fmt: skip


def test_a_person_who_was_switched_off_cannot_enter(lib, client_of):
    gone = factories.person("gone", role=User.Role.OFFICER)
    client = client_of(gone)
    User.objects.filter(pk=gone.pk).update(is_active=False)
    assert {client.get(url).status_code for url in CONSOLE.values()} <= {302, 404}
