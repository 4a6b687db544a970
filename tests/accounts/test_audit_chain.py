"""The audit trail notices every change that somebody with the database could make."""

import threading
from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from accounts.audit import record
from accounts.models import AuditEvent
from accounts.trail import ids
from accounts.trail.chain import Head, head, key_id, seal_waiting
from accounts.trail.prune import ALLOW_SQL, FORBID_SQL, prune, prune_old
from accounts.trail.verify import Broken, verify

GUARD = import_module("accounts.migrations.0003_audit_trail").GUARD


@pytest.fixture(autouse=True)
def _empty_trail(request) -> None:
    """The people of the fixtures were recorded, too."""
    if "owner" in request.fixturenames:
        request.getfixturevalue("owner")
        with transaction.atomic():
            execute(ALLOW_SQL)
            AuditEvent.objects.all().delete()
            execute(FORBID_SQL)


@pytest.fixture
def five(db, owner) -> list[AuditEvent]:
    """Five sealed events, by position."""
    for number in range(1, 6):
        record("view.file", actor=owner, subject=f"src/{number}.py", detail={"line": number})
    seal_waiting()
    return list(AuditEvent.objects.order_by("position"))


@pytest.fixture
def tamper(db) -> Callable[..., None]:
    """SQL of somebody who owns the database: the trigger is no obstacle."""

    def execute(statement: str, *parameters: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE accounts_auditevent DISABLE TRIGGER ALL")
            cursor.execute(statement, parameters)
            cursor.execute("ALTER TABLE accounts_auditevent ENABLE TRIGGER ALL")

    return execute


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def broken(expected: Head | None = None) -> str:
    with pytest.raises(Broken) as caught:
        verify(expected)
    return str(caught.value)


def test_a_quiet_trail_is_whole(five):
    checked = verify()
    assert (checked.sealed, checked.waiting, checked.head.position) == (5, 0, 5)


def test_an_event_is_what_was_recorded(five, owner):
    event = AuditEvent.objects.get(position=3)
    assert (event.action, event.person, event.person_name) == ("view.file", owner, "owner")
    assert (event.subject, event.detail) == ("src/3.py", {"line": 3})
    assert abs(event.created - timezone.now()) < timedelta(minutes=1)


@pytest.mark.parametrize(
    "change",
    [
        "subject = 'src/other.py'",
        "detail = '{}'",
        "person_id = NULL",
        "person_name = 'somebody'",
        "action = 'view.folder'",
        "created = created - interval '1 day'",
        "client = '10.0.0.1'",
        "repository_id = 7",
        "repository_slug = 'lib'",
        "link = '/r/lib/'",
        "id = gen_random_uuid()",
    ],
)
def test_an_edited_column_is_noticed(five, tamper, change):
    tamper(f"UPDATE accounts_auditevent SET {change} WHERE position = 3")
    assert broken().startswith("Event 3 (")
    assert "was edited" in broken()


def test_an_edited_signature_is_noticed(five, tamper):
    tamper("UPDATE accounts_auditevent SET mac = %s WHERE position = 3", bytes(32))
    assert "Event 3 (" in broken()


def test_an_event_removed_in_the_middle_is_noticed(five, tamper):
    tamper("DELETE FROM accounts_auditevent WHERE position = 3")
    assert broken().startswith("Events 3 to 3 were removed: Event 4 (")


def test_closing_the_gap_does_not_hide_it(five, tamper):
    tamper("DELETE FROM accounts_auditevent WHERE position = 3")
    tamper("UPDATE accounts_auditevent SET position = position - 1 WHERE position = 4")
    tamper("UPDATE accounts_auditevent SET position = position - 1 WHERE position = 5")
    assert broken().startswith("Event 3 (")
    assert "not its own" in broken()


def test_a_beginning_that_was_removed_is_noticed(five, tamper):
    tamper("DELETE FROM accounts_auditevent WHERE position <= 2")
    assert broken() == "Events 1 to 2 were removed: no pruning tells of it."


def test_two_that_changed_places_are_noticed(five, tamper):
    tamper("UPDATE accounts_auditevent SET position = 99 WHERE position = 2")
    tamper("UPDATE accounts_auditevent SET position = 2 WHERE position = 3")
    tamper("UPDATE accounts_auditevent SET position = 3 WHERE position = 99")
    assert broken().startswith("Event 2 (")
    assert "not its own" in broken()


INSERT = """
INSERT INTO accounts_auditevent (id, created, action, person_name, client, repository_slug,
    subject, link, detail, key_id, mac, position, seal)
SELECT gen_random_uuid(), created, action, person_name, client, repository_slug,
    subject, link, detail, key_id, mac, {place}, seal
FROM accounts_auditevent WHERE position = 5
"""


@pytest.mark.parametrize("place", ["6", "NULL"])
def test_an_event_that_footnote_did_not_write_is_noticed(five, tamper, place):
    tamper(INSERT.format(place=place))
    assert "was not written by Footnote" in broken()


def test_an_event_put_between_two_is_noticed(five, tamper):
    tamper("ALTER TABLE accounts_auditevent DROP CONSTRAINT audit_position")
    tamper("UPDATE accounts_auditevent SET position = 2 WHERE position = 3")
    assert "its place is taken" in broken() or "not its own" in broken()


def test_an_event_that_waits_is_signed_already(five, tamper, owner):
    record("view.file", actor=owner, subject="src/6.py")
    assert verify().waiting == 1
    tamper("UPDATE accounts_auditevent SET subject = 'x' WHERE position IS NULL")
    assert "waiting for its place" in broken()


def test_an_end_that_was_cut_off_is_noticed_by_the_head_that_was_kept(five, tamper):
    kept = head()
    tamper("DELETE FROM accounts_auditevent WHERE position >= 4")
    assert verify().sealed == 3  # without the head nobody can tell
    assert broken(kept) == "Events 4 to 5 were cut off the end."


def test_an_end_that_was_written_anew_is_noticed_by_the_head(five, tamper, owner):
    kept = head()
    tamper("DELETE FROM accounts_auditevent WHERE position = 5")
    record("view.file", actor=owner, subject="src/other.py")
    seal_waiting()
    assert broken(kept).startswith("Event 5 is not the one whose head was kept")


def test_a_head_that_was_kept_earlier_is_found_later(five, owner):
    kept = head()
    record("view.file", actor=owner, subject="src/6.py")
    seal_waiting()
    assert verify(kept).sealed == 6


def test_the_key_of_another_installation_signs_nothing_here(five, settings):
    settings.AUDIT_KEYS = ["another key"]
    assert "FOOTNOTE_AUDIT_KEYS does not hold" in broken()


def test_a_new_key_signs_on_and_the_old_one_still_checks(five, settings, owner):
    settings.AUDIT_KEYS = ["a new key", *settings.AUDIT_KEYS]
    record("view.file", actor=owner, subject="src/6.py")
    seal_waiting()
    assert verify().sealed == 6
    assert AuditEvent.objects.get(position=6).key_id == key_id("a new key")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE accounts_auditevent SET subject = 'x'",
        "UPDATE accounts_auditevent SET position = position + 10",
        "DELETE FROM accounts_auditevent",
    ],
)
def test_the_database_refuses_to_change_an_event(five, statement):
    with pytest.raises(DatabaseError, match="only added to"), transaction.atomic():
        execute(statement)
    assert verify().sealed == 5


def test_the_database_refuses_to_empty_the_table(five):
    # The tests run without it, see conftest.py.
    execute(GUARD[GUARD.index("CREATE TRIGGER accounts_auditevent_table") :])
    with pytest.raises(DatabaseError, match="only added to"), transaction.atomic():
        execute("TRUNCATE accounts_auditevent")
    assert verify().sealed == 5


def test_what_is_pruned_leaves_a_trail_that_can_be_verified(five):
    assert prune(five[2].created) == 2
    checked = verify()
    assert [event.position for event in AuditEvent.objects.order_by("position")] == [3, 4, 5, 6]
    assert (checked.sealed, checked.head.position) == (4, 6)
    assert AuditEvent.objects.get(position=6).detail["through"] == 2


def test_more_than_was_pruned_is_noticed(five, tamper):
    prune(five[2].created)
    tamper("DELETE FROM accounts_auditevent WHERE position = 3")
    assert broken() == "Events 1 to 3 were removed: no pruning tells of it."


def test_pruning_everything_keeps_the_end(five):
    assert prune(timezone.now() + timedelta(days=1)) == 4
    assert verify().sealed == 2
    assert prune(timezone.now() + timedelta(days=1)) == 1
    assert verify().sealed == 2


def test_pruning_is_as_long_ago_as_the_setting_says(five, settings, tamper, monkeypatch):
    settings.AUDIT_DAYS = 0
    assert prune_old() == 0
    settings.AUDIT_DAYS = 30
    assert prune_old() == 0
    later = timezone.now() + timedelta(days=31)
    monkeypatch.setattr("accounts.trail.prune.timezone.now", lambda: later)
    assert prune_old() == 4


def test_the_command_says_so_and_prints_the_head(five, tamper):
    out = StringIO()
    call_command("verify_audit", "--head", stdout=out)
    kept = out.getvalue().strip()
    assert kept == str(head())
    out = StringIO()
    call_command("verify_audit", "--expect", kept, stdout=out)
    assert out.getvalue().startswith("The audit trail is whole: 5 events, 0 waiting.")
    tamper("UPDATE accounts_auditevent SET subject = 'x' WHERE position = 2")
    with pytest.raises(CommandError, match=r"Event 2 .* was edited"):
        call_command("verify_audit")


def test_the_command_refuses_what_is_no_head(db):
    with pytest.raises(CommandError, match="A head looks like"):
        call_command("verify_audit", "--expect", "yesterday")


def test_numbers_grow_with_time_and_tell_it():
    made = [ids.new_id() for _ in range(3)]
    assert [number.version for number in made] == [7, 7, 7]
    moment = ids.moment_of(made[0])
    assert ids.first_id_at(moment - timedelta(milliseconds=1)) < made[0]
    assert made[0] < ids.first_id_at(moment + timedelta(milliseconds=1))


def test_nothing_that_the_database_cannot_keep_breaks_the_signature(owner):
    record(
        "view.search",
        actor=owner,
        subject="a\x00b\ud800",
        detail={"n": 2**60, "list": ["x\x00"], "none": None, "yes": True, "other": 1.5},
    )
    seal_waiting()
    verify()
    event = AuditEvent.objects.get()
    assert (event.subject, event.detail["list"], event.detail["other"]) == ("ab?", ["x"], "1.5")


def test_what_is_rolled_back_did_not_happen(owner):
    with transaction.atomic():
        record("view.file", actor=owner)
        transaction.set_rollback(True)
    assert not AuditEvent.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_many_writers_and_sealers_at_once_make_one_chain(owner):
    def work() -> None:
        try:
            for number in range(20):
                record("view.file", actor=owner, subject=str(number))
                if number % 5 == 0:
                    seal_waiting()
        finally:
            connection.close()

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    seal_waiting()
    checked = verify()
    assert (checked.sealed, checked.head.position) == (80, 80)
