"""No address is forgotten by the audit trail, and what it keeps of each."""

from collections.abc import Iterator

import pytest
from axes.models import AccessAttempt, AccessLog
from django.contrib.auth.models import Group
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from accounts.models import AuditEvent, User
from compliance.recorded import PAGES, NotRecorded
from indexing import runs
from indexing.models import IndexRun
from indexing.policy_models import ScrubPattern
from repos.models import Repository
from tests.factories import PASSWORD

SECRET = "AKIA" + "Q3EGRHLBHV7ANMPY"  # put together, so that no scanner stops the file


def names(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            yield from names(pattern.url_patterns, inner)
        elif pattern.name:
            yield prefix + pattern.name


def by_name(name: str) -> bool:
    """The console's own pages and Django's admin are recorded without a line each."""
    return name.startswith(("compliance:", "admin:"))


def test_every_address_is_recorded_or_named_with_a_reason():
    everything = set(names(get_resolver().url_patterns))
    assert {"indexing:file", "answers:answer"} <= everything
    assert sorted(name for name in everything - PAGES.keys() if not by_name(name)) == []


def test_no_address_is_named_that_is_gone():
    assert sorted(PAGES.keys() - set(names(get_resolver().url_patterns))) == []


def test_each_that_is_not_recorded_says_why():
    left_out = [rule for rule in PAGES.values() if isinstance(rule, NotRecorded)]
    assert all(len(rule.reason) > 15 for rule in left_out)


def told(person: User | None = None, *, area: str = "") -> list[tuple[str, str, str]]:
    """(action, subject, repository) of what the person did, in order."""
    events = AuditEvent.objects.order_by("id").exclude(action__startswith="sign_in.")
    events = events.filter(person=person) if person else events
    events = events.filter(action__startswith=area)
    return [(e.action, e.subject, e.repository_slug) for e in events]


@pytest.fixture
def lib(index_files, here):
    return index_files({"src/app.py": "def main():\n    return 1\n", "README.md": "# Lib\n"})


def test_what_a_member_opens_is_recorded(lib, member, client_of):
    client = client_of(member)
    for address in ("", "tree/src", "file/src/app.py", "raw/src/app.py", "symbols?q=main"):
        assert client.get(f"/r/lib/{address}").status_code == 200
    assert told(member) == [
        ("view.repository", "", "lib"),
        ("view.folder", "src", "lib"),
        ("view.file", "src/app.py", "lib"),
        ("export.raw", "src/app.py", "lib"),
        ("view.symbols", "main", "lib"),
    ]
    event = AuditEvent.objects.get(action="view.file")
    assert (event.link, event.client, event.repository_id) == (
        "/r/lib/file/src/app.py",
        "127.0.0.1",
        lib.pk,
    )


def test_what_does_not_exist_for_a_person_was_not_seen(lib, outsider, client_of):
    assert client_of(outsider).get("/r/lib/file/src/app.py").status_code == 404
    assert told(outsider) == []


def test_a_search_is_kept_without_its_secrets(lib, member, client_of):
    client_of(member).get("/search", {"q": f"main {SECRET}", "repository": "lib"})
    [(action, subject, slug)] = told(member)
    assert (action, slug) == ("view.search", "lib")
    assert subject.startswith("main ")
    assert SECRET not in subject
    assert SECRET not in str(list(AuditEvent.objects.values()))


def test_nobody_escapes_the_record_by_a_header(lib, member, officer, client_of):
    client, part = client_of(member), {"HX-Request": "true"}
    for address in ("", "tree/src", "file/src/app.py", "raw/src/app.py", "symbols?q=main"):
        assert client.get(f"/r/lib/{address}", headers=part).status_code == 200
    client.get("/search", {"q": "main"}, headers=part)
    assert told(member) == [
        ("view.repository", "", "lib"),
        ("view.folder", "src", "lib"),
        ("view.file", "src/app.py", "lib"),
        ("export.raw", "src/app.py", "lib"),
        ("view.symbols", "main", "lib"),
        ("view.search", "main", ""),
    ]
    client_of(officer).get("/console/findings", headers=part)
    assert told(officer) == [("console.viewed", "/console/findings", "")]


def test_numbers_that_move_are_no_view_and_a_confirmation_is_one(lib, owner, client_of):
    client, part = client_of(owner), {"HX-Request": "true"}
    run = runs.start_run(lib, person=owner, preview=True)
    IndexRun.objects.filter(pk=run.pk).update(state=IndexRun.State.PREVIEW)
    preview = reverse("indexing:preview", args=["lib"])
    assert client.post(preview, {"excludes": "docs/"}, headers=part).status_code == 200
    assert told(owner, area="view") == []
    assert client.get(preview, headers=part).status_code == 200
    assert told(owner, area="view") == [("view.run", "", "lib")]
    assert client.post(preview, {"excludes": "", "index": "1"}, headers=part).status_code == 302
    assert ("repository.run_confirmed", "", "lib") in told(owner)
    client.get(reverse("indexing:run", args=["lib", run.number]), headers=part)
    assert told(owner, area="view") == [("view.run", "", "lib")]


def test_one_cannot_ask_the_trail_which_repositories_there_are(
    lib, member, outsider, client_of, monkeypatch
):
    monkeypatch.delitem(PAGES, "repos:list")
    for person in (member, outsider):
        client_of(person).get("/", {"repository": "lib"})
    assert told(member) == [("view.page", "/", "lib")]
    assert told(outsider) == [("view.page", "/", "")]


def test_a_secret_at_the_end_of_what_is_kept_is_no_half_secret(lib, member, client_of):
    client_of(member).get("/search", {"q": "x " * 244 + SECRET})
    [(_, subject, _)] = told(member)
    assert subject.startswith("x x x")
    assert SECRET[:8] not in subject


def test_house_patterns_hold_for_what_is_typed_too(lib, member, client_of):
    ScrubPattern.objects.create(name="House", kind="house", pattern=r"hk-\d{6}", confidence="low")
    client_of(member).get("/search", {"q": "main hk-123456", "path": "hk-123456"})
    client_of(member).get("/console/hk-123456")
    [(_, subject, _), (_, address, _)] = told(member)
    assert subject.startswith("main [")
    assert address.startswith("/console/[")
    assert "hk-123456" not in str(list(AuditEvent.objects.values()))


def test_a_question_leads_to_its_answer(lib, member, client_of):
    answer = client_of(member).post("/ask", {"question": "Where is main?"})
    event = AuditEvent.objects.get(action="view.asked")
    assert (event.subject, event.link) == ("Where is main?", answer["Location"])
    client_of(member).get(answer["Location"])
    client_of(member).get(answer["Location"] + ".md")
    assert [action for action, _, _ in told(member)] == [
        "view.asked",
        "view.answer",
        "export.answer",
    ]


def test_settings_are_recorded_field_by_field(lib, owner, client_of):
    response = client_of(owner).post(
        reverse("repos:settings", args=["lib"]),
        {"name": "Library", "audience": "everyone", "excludes": "docs/"},
    )
    assert response.status_code == 302, response.context["form"].errors
    assert [
        (e.action, e.detail)
        for e in AuditEvent.objects.filter(person=owner, action__startswith="repo").order_by("id")
    ] == [
        ("repository.access", {"everyone": {"old": False, "new": True}}),
        (
            "repository.changed",
            {
                "name": {"old": "lib", "new": "Library"},
                "excludes": {"old": "", "new": "docs/"},
            },
        ),
        ("repository.access", {"groups removed": ["readers of lib"]}),
    ]


def test_a_token_is_told_to_have_been_set_and_nothing_of_it(lib, owner):
    lib.token = b"secret bytes"
    lib.save()
    lib.token = b""
    lib.save()
    events = AuditEvent.objects.filter(action="repository.changed").order_by("id")
    assert [e.detail for e in events] == [{"token": "set"}, {"token": "removed"}]


def test_a_deletion_stays_told(lib, owner, client_of):
    pk = lib.pk
    client_of(owner).post(reverse("repos:delete", args=["lib"]), {"typed": "lib"})
    assert not Repository.objects.exists()
    event = AuditEvent.objects.get(action="repository.deleted")
    assert (event.person, event.repository_id, event.repository_slug) == (owner, pk, "lib")


def test_imports_and_runs_are_recorded_where_nobody_is_signed_in(lib):
    actions = [action for action, _, _ in told(area="repository.")]
    assert "repository.imported" in actions
    assert actions[-1] == "repository.run_started"


def test_rights_of_a_person(administrator, member, client_of):
    client_of(administrator).post(
        reverse("accounts:person", args=[member.pk]),
        {"email": "", "is_active": "on", "role": "auditor"},
    )
    event = AuditEvent.objects.get(action="people.access", person=administrator)
    assert (event.subject, event.detail) == (
        "member",
        {"role": {"old": "member", "new": "auditor"}},
    )


def test_groups_from_either_side(administrator, member):
    group = Group.objects.create(name="staff")
    member.groups.add(group)
    group.user_set.remove(member)
    member.groups.add(group)
    member.groups.clear()
    events = AuditEvent.objects.filter(action="people.access", subject="member").order_by("id")
    assert [e.detail for e in events] == [
        {"groups added": ["staff"]},
        {"groups removed": ["staff"]},
    ] * 2


def test_signing_in_and_out_and_what_fails(client, member, settings):
    settings.AXES_FAILURE_LIMIT = 2
    address = reverse("accounts:sign_in")
    client.post(address, {"username": "member", "password": "wrong"})
    client.post(address, {"username": "my password", "password": "wrong"})
    client.post(address, {"username": "member", "password": PASSWORD})
    client.post(reverse("accounts:sign_out"))
    for _ in range(2):
        client.post(address, {"username": "member", "password": "wrong"})
    events = AuditEvent.objects.filter(action__startswith="sign_in.").order_by("id")
    assert [(e.action, e.person_name, e.subject) for e in events] == [
        ("sign_in.failed", "", "member"),
        ("sign_in.failed", "", ""),
        ("sign_in.done", "member", ""),
        ("sign_in.ended", "member", ""),
        ("sign_in.failed", "", "member"),
        ("sign_in.locked", "", "member"),
        ("sign_in.failed", "", "member"),
    ]
    assert "my password" not in str(list(AuditEvent.objects.values()))


def test_a_password_in_the_field_of_the_name_is_kept_nowhere(client, member, settings, caplog):
    settings.AXES_FAILURE_LIMIT = 3
    address, typed = reverse("accounts:sign_in"), "Correct-Horse-7"
    for _ in range(2):
        client.post(address, {"username": typed, "password": "x"})
    kept = [str(list(table.objects.values())) for table in (AccessAttempt, AccessLog, AuditEvent)]
    assert typed not in "".join(kept) + caplog.text
    assert AccessAttempt.objects.get().failures_since_start == 2
    assert client.post(address, {"username": typed, "password": "x"}).status_code == 429
    signed_in = client.post(address, {"username": "member", "password": PASSWORD})
    assert signed_in.status_code == 302


@pytest.mark.parametrize("address", ["/console/", "/console/evaluations", "/people/"])
def test_attempts_to_enter_the_console_are_recorded(address, member, client_of):
    assert client_of(member).get(address).status_code in {403, 404}
    assert told(member) == [("console.denied", address, "")]


def test_what_an_officer_looks_at_is_recorded(officer, client_of):
    client_of(officer).get("/console/")
    assert told(officer) == [("console.viewed", "/console/", "")]
    assert client_of(officer).get("/console/nothing").status_code == 404
    assert len(told(officer)) == 1


def test_an_unknown_page_is_recorded_all_the_same(member, client_of, monkeypatch):
    monkeypatch.delitem(PAGES, "repos:list")
    client_of(member).get("/")
    assert told(member) == [("view.page", "/", "")]


def test_nothing_is_seen_where_it_cannot_be_recorded(lib, member, client_of, monkeypatch):
    def broken(*_args: object, **_named: object) -> None:
        raise RuntimeError("the database refuses")

    client = client_of(member)
    client.raise_request_exception = False
    monkeypatch.setattr("compliance.middleware.record", broken)
    response = client.get("/r/lib/file/src/app.py")
    assert response.status_code == 500
    assert b"def main" not in response.content


def test_a_page_costs_one_insert_more(lib, member, client_of, monkeypatch):
    client, address = client_of(member), "/r/lib/raw/src/app.py"
    client.get(address)
    with CaptureQueriesContext(connection) as recorded:
        client.get(address)
    monkeypatch.setattr("compliance.middleware._record", lambda *_: None)
    with CaptureQueriesContext(connection) as plain:
        client.get(address)
    assert len(recorded) - len(plain) == 1
