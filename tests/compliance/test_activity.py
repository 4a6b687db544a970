"""The activity pages: what is listed, filtered, exported, and for whom."""

import csv
import io
import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from asgiref.sync import async_to_sync
from django.db import connection
from django.test import AsyncClient
from django.utils import timezone

from accounts.audit import record
from accounts.models import AuditEvent, User
from accounts.trail.chain import seal_waiting
from accounts.trail.prune import ALLOW_SQL
from compliance import activity
from compliance.activity import Asked
from tests.factories import repository_for

PAGE = "/console/activity"
INSERT = """
INSERT INTO accounts_auditevent (id, created, action, person_id, person_name, client,
    repository_slug, subject, link, detail, key_id, mac, position)
SELECT (lpad(to_hex(1700000000000 + n * 60000), 12, '0') || '7000' || 'a000' ||
        lpad(to_hex(n), 12, '0'))::uuid,
    to_timestamp(1700000000 + n * 60), (ARRAY['view.file', 'view.search', 'view.answer',
        'view.folder'])[(1 + n %% 4)::int], 1 + n %% 50, 'p', '', 'r' || n %% 20,
    CASE WHEN n %% 5000 = 0 THEN 'the zebra file' ELSE 'src/' || md5(n::text) END, '', '{}', '',
    '', n
FROM generate_series(1::bigint, %s) n
"""


def listed(response: Any) -> list[tuple[str, str, str]]:
    """(person, action, subject) as the page shows them."""
    return [(e.person_name, e.action, e.subject) for e, _ in response.context["rows"]]


@pytest.fixture
def readers(officer, auditor, administrator) -> None:
    """Added before the events, so that they are none of them."""


@pytest.fixture
def events(member, outsider, owner, readers) -> None:
    """Four events of two people, oldest first; nothing else is in the trail."""
    lib = repository_for(owner, slug="lib")
    with connection.cursor() as cursor:
        cursor.execute(ALLOW_SQL)
        AuditEvent.objects.all().delete()
    record("view.file", actor=member, subject="src/app.py", repository=lib, link="/r/lib/file/a")
    record("view.search", actor=member, subject="find the <b>zebra</b>")
    change = {"role": {"old": "member", "new": "officer"}}
    record("people.access", actor=outsider, subject="ada", detail=change)
    record("sign_in.failed", actor=None, subject="member")


@pytest.mark.parametrize("who", ["owner", "member", "outsider"])
@pytest.mark.parametrize("address", ["", ".csv", ".json", "/people/1"])
def test_members_find_nothing(who, address, request, client_of):
    response = client_of(request.getfixturevalue(who)).get(PAGE + address)
    assert response.status_code == 404


@pytest.mark.parametrize("who", ["officer", "auditor", "administrator"])
def test_officers_auditors_and_administrators_read_it(events, who, request, client_of):
    client = client_of(request.getfixturevalue(who))
    page = client.get(PAGE, {"action": "view"})
    assert listed(page) == [
        ("member", "view.search", "find the <b>zebra</b>"),
        ("member", "view.file", "src/app.py"),
    ]
    html = page.content.decode()
    assert "2 events" in html
    assert "find the &lt;b&gt;zebra&lt;/b&gt;" in html
    assert '<a class="path" href="/r/lib/file/a">src/app.py</a>' in html


@pytest.mark.parametrize("who", ["officer", "auditor", "administrator"])
def test_nobody_changes_it(events, who, request, client_of):
    assert client_of(request.getfixturevalue(who)).post(PAGE).status_code == 405


@pytest.mark.parametrize(
    ("asked", "subjects"),
    [
        ({"person": "member"}, ["find the <b>zebra</b>", "src/app.py"]),
        ({"person": "member", "action": "view.file"}, ["src/app.py"]),
        ({"repository": "lib"}, ["src/app.py"]),
        ({"repository": "gone"}, []),
        ({"action": "people"}, ["ada"]),
        ({"action": "sign_in.failed"}, ["member"]),
        ({"text": "ZEBRA"}, ["find the <b>zebra</b>"]),
        ({"text": "officer", "action": "people"}, ["ada"]),
        ({"text": "%_%"}, []),
        ({"since": "2000-01-01", "action": "people"}, ["ada"]),
        ({"until": "2000-01-01"}, []),
    ],
)
def test_filters(events, officer, client_of, asked, subjects):
    page = client_of(officer).get(PAGE, asked)
    assert [subject for _, _, subject in listed(page)] == subjects
    assert page.context["number"] == len(subjects)


def test_a_day_holds_all_of_its_events_and_no_others(officer, client_of, monkeypatch):
    day = datetime(2026, 3, 4, tzinfo=UTC)
    moments = [day - timedelta(microseconds=10), day, day + timedelta(hours=23, minutes=59)]
    for number, moment in enumerate([*moments, day + timedelta(days=1)]):
        nanoseconds = int(moment.timestamp() * 1_000_000) * 1000
        monkeypatch.setattr("accounts.trail.ids.time.time_ns", lambda at=nanoseconds: at)
        record("view.file", actor=officer, subject=str(number))
    monkeypatch.undo()
    page = client_of(officer).get(PAGE, {"since": "2026-03-04", "until": "2026-03-04"})
    assert [subject for _, _, subject in listed(page)] == ["2", "1"]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"person": "nobody"}, "Nobody has this name."),
        ({"since": "soon"}, "Enter a valid date."),
        ({"since": "2026-02-02", "until": "2026-02-01"}, "This day is before the first one."),
        ({"text": "ab"}, "at least 3 characters"),
        ({"action": "all"}, "Select a valid choice"),
        ({"text": "abc\x00"}, "Null characters are not allowed."),
    ],
)
@pytest.mark.parametrize("address", [PAGE, f"{PAGE}.csv"])
def test_a_filter_that_does_not_fit_says_so_and_is_kept(
    officer, client_of, asked, message, address
):
    response = client_of(officer).get(address, asked)
    assert response.status_code == 422
    html = response.content.decode()
    assert message in html
    assert all(value.replace("\x00", "") in html for value in asked.values())


def test_pages_go_on_where_the_last_one_ended(officer, client_of):
    for number in range(250):
        record("view.file", actor=None, subject=str(number))
    client, seen, query = client_of(officer), [], {"action": "view.file"}
    while True:
        page = client.get(PAGE, query)
        seen += [subject for _, _, subject in listed(page)]
        if page.context["older"] is None:
            break
        assert f"action=view.file&amp;before={page.context['older']}" in page.content.decode()
        query = {"action": "view.file", "before": str(page.context["older"])}
    assert seen == [str(number) for number in range(249, -1, -1)]


def test_all_events_are_counted_by_the_chain(events, officer, client_of):
    seal_waiting()
    record("view.file", actor=officer)
    client = client_of(officer)  # one more: this sign-in
    assert client.get(PAGE).context["number"] == AuditEvent.objects.count() - 1 == 6


def test_many_are_counted_up_to_a_limit(officer, client_of, monkeypatch):
    monkeypatch.setattr(activity, "COUNTED", 3)
    for _ in range(4):
        record("view.file", actor=None)
    page = client_of(officer).get(PAGE, {"action": "view.file"})
    assert "More than 3 events" in page.content.decode()


def test_changes_are_told(events, officer, client_of):
    html = client_of(officer).get(PAGE, {"action": "people.access"}).content.decode()
    assert "role: member → officer" in html


def exported(client: Any, form: str, **asked: str) -> str:
    response = client.get(f"{PAGE}.{form}", asked)
    assert response.status_code == 200
    assert response["Content-Disposition"].endswith(f'.{form}"')
    return b"".join(response.streaming_content).decode()


def test_the_csv_is_what_is_filtered(events, auditor, client_of):
    text = exported(client_of(auditor), "csv", person="member")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["person"], row["action"], row["subject"]) for row in rows] == [
        ("member", "view.search", "find the <b>zebra</b>"),
        ("member", "view.file", "src/app.py"),
    ]
    assert rows[1]["repository"] == "lib"


def test_the_json_is_what_is_filtered(events, auditor, client_of):
    found = json.loads(exported(client_of(auditor), "json", action="people"))
    assert [(row["person"], row["detail"]) for row in found] == [
        ("outsider", {"role": {"old": "member", "new": "officer"}})
    ]
    assert json.loads(exported(client_of(auditor), "json", repository="none")) == []


def test_an_export_is_recorded_with_its_filter(events, auditor, client_of):
    exported(client_of(auditor), "csv", person="member")
    event = AuditEvent.objects.get(action="export.console")
    assert (event.person, event.subject, event.detail) == (
        auditor,
        "/console/activity.csv",
        {"person": "member"},
    )


def test_no_cell_becomes_a_formula(officer, client_of):
    for sign in ("=", "\n=", "\uff1d"):
        record("view.search", actor=None, subject=f"{sign}1+1")
    rows = list(csv.DictReader(io.StringIO(exported(client_of(officer), "csv", text="1+1"))))
    assert [row["subject"] for row in rows] == ["'\uff1d1+1", "'\n=1+1", "'=1+1"]


def test_an_export_is_written_in_pieces(officer, client_of, monkeypatch):
    monkeypatch.setattr(activity, "EXPORTED_AT_ONCE", 2)
    for number in range(5):
        record("view.file", actor=None, subject=str(number))
    response = client_of(officer).get(f"{PAGE}.csv", {"action": "view.file"})
    assert len(list(response.streaming_content)) == 4  # the head, 2, 2, 1


@pytest.mark.django_db(transaction=True)
def test_the_web_server_streams_it_too(officer):
    client = AsyncClient()

    async def downloaded():
        await client.aforce_login(officer, backend="django.contrib.auth.backends.ModelBackend")
        response: Any = await client.get(f"{PAGE}.json", {"person": "officer"})
        return b"".join([piece async for piece in response.streaming_content]).decode()

    rows = json.loads(async_to_sync(downloaded)())
    assert [row["action"] for row in rows] == ["sign_in.done"]


def test_a_person_has_a_page(events, officer, auditor, member, client_of):
    page = client_of(auditor).get(f"{PAGE}/people/{member.pk}")
    assert [(action, subject) for _, action, subject in listed(page)] == [
        ("view.search", "find the <b>zebra</b>"),
        ("view.file", "src/app.py"),
    ]
    assert page.context["areas"] == [("view", "Views and searches", 2)]
    assert client_of(auditor).get(f"{PAGE}/people/999999").status_code == 404


def test_everybody_sees_what_is_recorded_of_them_and_of_nobody_else(events, member, client_of):
    page = client_of(member).get("/preferences/activity")
    assert [action for _, action, _ in listed(page)] == ["sign_in.done", "view.search", "view.file"]


@pytest.fixture(scope="module")
def many(django_db_setup, django_db_blocker) -> Iterator[None]:
    with django_db_blocker.unblock():
        try:
            with connection.cursor() as cursor:
                cursor.execute(INSERT, [100_000])
                cursor.execute("VACUUM ANALYZE accounts_auditevent")
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("TRUNCATE accounts_auditevent")


@pytest.mark.parametrize(
    ("asked", "index"),
    [
        (Asked(), "accounts_auditevent_pkey"),
        (Asked(person=User(pk=7)), "audit_person"),
        (Asked(repository="r3"), "audit_repository"),
        (Asked(action="export.index"), "audit_action"),
        (Asked(text="zebra"), "audit_words"),
        (Asked(until=timezone.now().date()), "accounts_auditevent_pkey"),
    ],
    ids=["all", "person", "repository", "action", "text", "days"],
)
@pytest.mark.django_db
@pytest.mark.usefixtures("many")
def test_the_list_comes_from_an_index(asked, index):
    plan = activity.find(asked)[: activity.ROWS + 1].explain()
    assert index in plan
    assert "Seq Scan" not in plan
