"""House patterns and the policy of a repository."""

import pytest
from django.urls import reverse

from accounts.models import AuditEvent
from indexing.models import Content
from indexing.policy_models import PolicyChange, ScrubPattern, ScrubSettings
from repos.models import File
from tests import factories
from tests.indexing.test_planted_secrets import stored_text

HOUSE = "RPTX-2026-PROD-0001"
GIVEN = {"name": "Report keys", "kind": "rptx", "pattern": r"RPTX-\d{4}-[A-Z]+-\d+",
         "words": "RPTX", "confidence": "high", "repository": ""}  # fmt: skip


@pytest.fixture
def lib(here, index_files):
    return index_files({"a.py": f'key = "{HOUSE}"\n', "b.py": "x = 1\n", "c.md": "a@kitehouse.net"})


def text_of(path: str) -> str:
    file = File.objects.filter(path=path).order_by("-first_snapshot")[0]
    return Content.objects.get(file_id=file.id).text


def test_a_house_pattern_from_the_page_to_the_text_and_away_again(lib, here, client_of, officer):
    client = client_of(officer)
    response = client.post(reverse("compliance:pattern_new"), GIVEN, follow=True)
    assert "reads every file again" in response.content.decode()
    here.derived.clear()
    factories.index(lib)
    assert here.derived == ["a.py", "b.py", "c.md"]
    assert text_of("a.py") == 'key = "[REDACTED:RPTX]____"\n'
    row = ScrubPattern.objects.get()
    assert row.keywords == ["rptx"]
    client.post(reverse("compliance:pattern_switch", args=[row.pk]))
    here.derived.clear()
    factories.index(lib)
    assert here.derived == ["a.py"]
    assert HOUSE in text_of("a.py")
    client.post(reverse("compliance:pattern_delete", args=[row.pk]))
    assert not ScrubPattern.objects.exists()
    actions = AuditEvent.objects.filter(action__startswith="policy.").order_by("id")
    assert [one.action for one in actions] == ["policy.created", "policy.changed", "policy.deleted"]


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("pattern", "(?=a)b", "look-around"),
        ("pattern", "a*", "empty text"),
        ("kind", "email", "built-in rule"),
        ("kind", "Not a kind", "Small letters"),
        ("name", "", "required"),
    ],
)
def test_what_cannot_be_a_pattern_is_refused_in_plain_words(
    field, value, words, client_of, officer
):
    response = client_of(officer).post(reverse("compliance:pattern_new"), {**GIVEN, field: value})
    assert response.status_code == 422
    assert words in response.content.decode()
    assert not ScrubPattern.objects.exists()


def test_the_test_box_shows_what_matches_and_keeps_nothing(client_of, officer, caplog):
    sample = f"first {HOUSE}\r\nsecond <b>\r\n"
    given = {**GIVEN, "try": "1", "sample": sample}
    response = client_of(officer).post(reverse("compliance:pattern_new"), given)
    shown = response.content.decode()
    assert "1 match" in shown
    assert f"first <mark>{HOUSE}</mark>\nsecond &lt;b&gt;" in shown
    assert not ScrubPattern.objects.exists()
    assert HOUSE not in caplog.text
    assert [name for name, text in stored_text().items() if HOUSE.lower() in text] == []


def test_the_test_box_warns_of_a_pattern_that_matches_too_much(client_of, officer):
    given = {**GIVEN, "pattern": "[a-z]+", "words": "", "try": "1", "sample": "word\n" * 30}
    shown = client_of(officer).post(reverse("compliance:pattern_new"), given).content.decode()
    assert "30 times in 31 lines" in shown


def test_the_policy_of_a_repository(lib, here, client_of, officer):
    client = client_of(officer)
    here.derived.clear()
    given = {"emails": "flag", "phones": "redact", "social_security_numbers": "redact",
             "payment_numbers": "off", "cover_flagged": "on"}  # fmt: skip
    client.post(reverse("compliance:policy", args=["lib"]), given)
    assert ScrubSettings.objects.get().emails == "flag"
    factories.index(lib)
    assert here.derived == ["c.md"]
    assert text_of("c.md") == "a@kitehouse.net"
    changes = PolicyChange.objects.count()
    client.post(reverse("compliance:policy", args=["lib"]), given)
    assert PolicyChange.objects.count() == changes
    client.post(reverse("compliance:policy", args=["lib"]), {**given, "payment_numbers": "redact"})
    here.derived.clear()
    factories.index(lib)
    assert len(here.derived) == 3


def test_the_auditor_reads_the_policy(lib, client_of, auditor):
    shown = client_of(auditor).get(reverse("compliance:patterns")).content.decode()
    assert "github pat" in shown
    assert "New pattern" not in shown
    assert reverse("compliance:policy", args=["lib"]) not in shown
