"""Deleting a repository: everything goes, a signed record stays, and it can be proven."""

from io import StringIO

import pytest
from django.core.management import call_command
from django.db import connection

from answers.answering import ask
from answers.exports import making
from answers.exports.jobs import make_export
from answers.exports.models import Export
from indexing.models import Embedding
from outbound.models import ModelCall, SentLines
from repos import deletion_proof, remains
from repos.models import DeletionRecord, Repository
from repos.places import folder_of
from repos.removal import remove

pytestmark = pytest.mark.django_db(transaction=True)
FILES = {
    "greet.py": 'import os\n\n\ndef greet(name):\n    """Say hello to a person."""\n    return 1\n',
    "notes.txt": "reach me at +1 415 555 0132 or jane.doe@corp-mail.example\n",
}


def filled(index_files, person) -> Repository:
    """Rows in every table that may name it, and files on the disk."""
    repository: Repository = index_files(FILES, slug="lib")
    answer = ask("Who says hello to a person?", person=person, repositories=[repository])
    export = making.ask_for(answer, person=person)
    make_export(export.pk)
    Embedding.objects.create(
        repository=repository, model="m", embed_hash=b"h" * 16, vector=[0.0] * 384
    )
    call = ModelCall.objects.create(purpose="answer", provider="p", model="m")
    SentLines.objects.create(
        repository_id=repository.pk, model_call=call, ordinal=1, repository="lib",
        commit="c" * 40, path="greet.py", start_line=1, end_line=2, what="evidence",
    )  # fmt: skip
    folder = folder_of(repository) / "git" / "objects"
    folder.mkdir(parents=True)
    (folder / "pack").write_bytes(b"x" * 100)
    (folder_of(repository) / "archive").write_bytes(b"y" * 50)
    return repository


@pytest.fixture
def removed(index_files, owner) -> DeletionRecord:
    return remove(filled(index_files, owner), person=owner, reason="the customer left")


def test_the_record_says_who_when_what_and_how_much(removed, owner):
    assert (removed.person_name, removed.reason, removed.slug) == (
        "owner", "the customer left", "lib",
    )  # fmt: skip
    assert [one["number"] for one in removed.snapshots] == [1]
    assert (removed.files, removed.bytes) == (2, 150)
    expected = {
        "repos_repository": 1, "repos_snapshot": 1, "repos_file": 2, "indexing_content": 2,
        "indexing_embedding": 1, "indexing_indexrun": 1, "answers_answer": 1,
        "answers_conversation": 1, "answers_export": 1,
    }  # fmt: skip
    assert {table: removed.rows.get(table) for table in expected} == expected
    for table in ("indexing_chunk", "indexing_symbol", "indexing_termcount", "answers_evidence"):
        assert removed.rows[table] > 0


def test_nothing_is_left_and_that_is_proven(removed):
    proof = deletion_proof.verify(removed)
    assert (proof.rows, proof.on_disk, proof.signed, proof.by_us) == ({}, False, True, True)
    assert proof.kept["outbound_sentlines"] == 1
    assert proof.holds
    assert not Export.objects.exists()


def test_every_table_that_names_a_repository_is_looked_at():
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE later (repository_id bigint)")
        cursor.execute("INSERT INTO later VALUES (4711)")
        try:
            assert remains.rows_of(4711) == {"later": 1}
        finally:
            cursor.execute("DROP TABLE later")
    named = {table for table, _ in remains.tables()}
    assert {"answers_question_repositories", "repos_repository_groups", "indexing_chunk"} <= named


@pytest.mark.parametrize("field", ["slug", "reason", "files", "rows", "person_name"])
def test_a_record_that_was_changed_no_longer_fits(removed, field):
    changed = {"files": 0, "rows": {}}.get(field, "other")
    DeletionRecord.objects.update(**{field: changed})
    removed.refresh_from_db()
    assert not deletion_proof.verify(removed).signed


def test_whoever_can_write_rows_cannot_sign_anew(removed, settings):
    ours = settings.DELETION_KEYS
    settings.DELETION_KEYS = ["a key of somebody else"]
    DeletionRecord.objects.update(finished=None, reason="another reason")
    removed.refresh_from_db()
    deletion_proof.finish(removed)
    settings.DELETION_KEYS = ours
    proof = deletion_proof.verify(removed)
    assert (proof.signed, proof.by_us, proof.holds) == (True, False, False)
    text, code = told()
    assert code == 1
    assert "SIGNED WITH A KEY THAT FOOTNOTE_DELETION_KEYS DOES NOT HOLD" in text


def test_an_earlier_key_is_recognised(removed, settings):
    settings.DELETION_KEYS = ["a new key of this server", *settings.DELETION_KEYS]
    proof = deletion_proof.verify(removed)
    assert (proof.signed, proof.by_us, proof.holds) == (True, True, True)


def test_a_later_version_that_says_more_leaves_old_records_as_they_were(removed, monkeypatch):
    said = deletion_proof.statement(removed)["kept"]
    monkeypatch.setattr(remains, "KEPT", {**remains.KEPT, "later": "what comes later"})
    monkeypatch.setattr(deletion_proof, "NOT_PROVEN", ())
    assert deletion_proof.verify(removed).holds
    assert deletion_proof.statement(removed)["kept"] == said


def test_what_stays_is_named_table_by_table(removed):
    tables = connection.introspection.table_names()
    assert {*deletion_proof.statement(removed)["kept"]} <= {*tables}


def told(*arguments) -> tuple[str, int]:
    out = StringIO()
    try:
        call_command("verify_deletion", *arguments, stdout=out)
    except SystemExit as ended:
        return out.getvalue(), int(ended.code or 0)
    return out.getvalue(), 0


def test_the_command_proves_it(removed):
    text, code = told(str(removed.pk))
    assert code == 0
    assert "signed by this server" in text
    assert "no file on the disk" in text
    assert "kept 1 rows in outbound_sentlines" in text
    assert text.endswith("  proven\n")


def test_the_command_finds_a_row_that_is_left(removed):
    Embedding.objects.create(
        repository_id=removed.repository_number, model="m", embed_hash=b"h" * 16, vector=[0.0] * 384
    )
    text, code = told()
    assert code == 1
    assert "LEFT 1 rows in indexing_embedding" in text
    assert "NOT PROVEN" in text


def test_the_command_finds_a_file_that_is_left(removed):
    folder = folder_of(Repository(pk=removed.repository_number))
    folder.mkdir(parents=True)
    text, code = told()
    assert (code, "LEFT files on the disk" in text) == (1, True)


def test_a_crash_before_the_files_are_gone_is_finished_later(index_files, owner, monkeypatch):
    repository = filled(index_files, owner)
    monkeypatch.setattr("repos.deletion_proof.forget_disk", lambda pk: None)
    record = remove(repository, person=owner)
    assert record.finished is None
    assert told()[1] == 1
    monkeypatch.undo()
    text, code = told("--finish")
    assert (code, "proven" in text) == (0, True)


def test_what_belongs_to_others_stays(index_files, owner):
    other = index_files({"a.py": "x = 1\n"}, slug="other")
    before = remains.rows_of(other.pk)
    remove(filled(index_files, owner), person=owner)
    assert remains.rows_of(other.pk) == before


def test_the_page_asks_why_and_names_the_record(index_files, owner, client_of):
    repository = filled(index_files, owner)
    page = client_of(owner).post(
        "/r/lib/delete", {"typed": repository.name, "why": "no longer ours"}, follow=True
    )
    record = DeletionRecord.objects.get()
    assert record.reason == "no longer ours"
    assert str(record.pk) in page.content.decode()
