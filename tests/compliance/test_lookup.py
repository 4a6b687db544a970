""" "Did this ever leave?": the answer names places; the value is nowhere afterwards."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import AuditEvent
from compliance.findings.lookup import look_up
from outbound.models import ModelCall, SentLines
from repos.models import Snapshot
from tests import factories
from tests.indexing.scrub_samples import ALNUM, FORMATS, chars
from tests.indexing.test_planted_secrets import stored_text

PAT, SECRET = FORMATS["github_pat"], chars(ALNUM, 32)
FILES = {
    "k.py": f'x = 1\ntoken = "{PAT}"\n',
    "tests/test_d.py": f'app_secret = "{SECRET}"\n',
    "url.txt": "postgres://ann:" + chars(ALNUM, 20) + "@db.kitehouse.net/x\n",
}


@pytest.fixture
def lib(here, index_files):
    return index_files(FILES)


def ask(client, value):
    return client.post(reverse("compliance:lookup"), {"value": value})


def test_the_places_of_a_value_in_all_snapshots(lib, client_of, officer, tmp_path):
    (tmp_path / "sources/lib/k.py").unlink()
    factories.index(lib)
    response = ask(client_of(officer), f"  {PAT}\r\n")
    (place,) = response.context["answer"].places
    first = Snapshot.objects.get(repository=lib, number=1)
    assert (place.slug, place.path, place.line, place.commits, place.is_live) == (
        "lib", "k.py", 2, [first.commit], False,
    )  # fmt: skip
    shown = response.content.decode()
    assert "It stood in 1 place." in shown
    assert "The value itself stands in no stored text" in shown
    assert PAT not in shown


def test_a_value_that_was_never_met(lib, client_of, officer):
    shown = ask(client_of(officer), chars(ALNUM, 30)).content.decode()
    assert "No finding has its fingerprint" in shown


def test_a_flagged_value_stands_in_the_text_and_the_answer_says_so(lib):
    answer = look_up(SECRET)
    assert answer.held == 1
    assert [(str(one.label), one.holding) for one in answer.searched if one.holding] == [
        ("stored text of files", 1)
    ]


def test_a_value_that_no_rule_met_is_told_with_its_files_and_calls(lib, client_of, officer):
    commit = Snapshot.objects.get(repository=lib).commit
    call = ModelCall.objects.create(
        purpose="answer", provider="p", model="m", state="done", person=officer
    )
    for ordinal, line in enumerate((1, 2)):
        SentLines.objects.create(
            repository_id=lib.pk, model_call=call, ordinal=ordinal, repository="lib",
            commit=commit, path="k.py", start_line=line, end_line=line, what="evidence",
        )  # fmt: skip
    response = ask(client_of(officer), "x = 1")
    answer = response.context["answer"]
    assert not answer.places
    assert [(one.slug, one.path, one.line, one.is_live, one.commits) for one in answer.files] == [
        ("lib", "k.py", 1, True, [commit])
    ]
    assert [(one.path, one.start_line) for one in answer.left] == [("k.py", 1)]
    assert "lib · k.py:1" in response.content.decode()


def test_a_value_of_several_lines_stands_on_all_of_them(lib):
    (one,) = look_up("x = 1\r\ntoken").files
    assert (one.line, one.last_line) == (1, 2)


def test_the_secret_part_of_what_was_pasted_is_found(lib):
    (place,) = look_up(FILES["url.txt"].strip()).places
    assert (place.path, place.kind) == ("url.txt", "url_credentials")


def test_an_earlier_key_still_recognises_it(lib, settings):
    settings.FINGERPRINT_KEYS = ["a new key", *settings.FINGERPRINT_KEYS]
    assert [one.path for one in look_up(PAT).places] == ["k.py"]


def test_calls_that_sent_the_line_are_named_and_others_not(lib, officer):
    commit = Snapshot.objects.get(repository=lib).commit
    call = ModelCall.objects.create(
        purpose="answer", provider="p", model="m", state="done", person=officer
    )
    for ordinal, (start, end) in enumerate([(1, 2), (5, 9)]):
        SentLines.objects.create(
            repository_id=lib.pk, model_call=call, ordinal=ordinal, repository="lib",
            commit=commit, path="k.py", start_line=start, end_line=end, what="evidence",
        )  # fmt: skip
    assert [(one.start_line, one.end_line) for one in look_up(PAT).left] == [(1, 2)]


def test_the_value_is_stored_nowhere_and_given_to_no_statement(lib, client_of, officer, caplog):
    client = client_of(officer)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        ask(client, PAT)
    assert [one["sql"] for one in queries if PAT in one["sql"]] == []
    assert [name for name, text in stored_text().items() if PAT.lower() in text] == []
    assert PAT not in caplog.text
    event = AuditEvent.objects.get(action="findings.looked_up")
    assert event.detail == {"places": 1, "calls": 0, "held": 0}
    assert len(event.subject.split(":")[1]) == 8


def test_too_short_a_value_is_refused_and_not_shown_again(lib, client_of, officer):
    response = ask(client_of(officer), "xyz")
    assert response.status_code == 422
    assert "xyz" not in response.content.decode()


def test_the_form_keeps_nothing(lib, client_of, officer):
    response = client_of(officer).get(reverse("compliance:lookup"))
    assert 'autocomplete="off"' in response.content.decode()
    assert "no-store" in response["Cache-Control"]
