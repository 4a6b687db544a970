"""What the audit trail says of house patterns: the expression itself, before and after."""

import pytest
from django.urls import reverse

from accounts.models import AuditEvent
from indexing.policy_models import ScrubPattern
from tests.compliance.test_patterns import GIVEN

OLD, NEW = GIVEN["pattern"], r"RPTX-\d{4}-[A-Z]{2,9}-\d+"


@pytest.fixture
def stored(db, client_of, officer) -> ScrubPattern:
    client_of(officer).post(reverse("compliance:pattern_new"), GIVEN)
    return ScrubPattern.objects.get()


def changed(client, row, **given: str) -> AuditEvent:
    client.post(reverse("compliance:pattern", args=[row.pk]), {**GIVEN, **given})
    return AuditEvent.objects.filter(action="policy.changed").latest("id")


def test_a_new_pattern_is_told_whole(stored):
    detail = AuditEvent.objects.get(action="policy.created").detail
    assert detail == {
        "name": "Report keys", "kind": "rptx", "pattern": OLD, "keywords": "rptx",
        "confidence": "high", "repository": "", "enabled": True,
    }  # fmt: skip


def test_a_changed_expression_is_told_before_and_after(stored, client_of, officer, auditor):
    event = changed(client_of(officer), stored, pattern=NEW)
    assert event.detail == {"pattern": {"old": OLD, "new": NEW}}
    page = client_of(auditor).get(reverse("compliance:activity"), {"action": "policy"})
    assert f"pattern: {OLD} → {NEW}" in page.content.decode()


def test_the_end_of_a_long_expression_is_told_too(stored, client_of, officer):
    long = "|".join(f"ACME-{n}-[0-9]+" for n in range(40))
    detail = changed(client_of(officer), stored, pattern=long).detail
    told = [value["new"] for name, value in detail.items() if name.startswith("pattern")]
    assert "".join(told) == long


def test_switching_and_deleting_are_told(stored, client_of, officer):
    client = client_of(officer)
    client.post(reverse("compliance:pattern_switch", args=[stored.pk]))
    event = AuditEvent.objects.filter(action="policy.changed").latest("id")
    assert event.detail == {"enabled": {"old": True, "new": False}}
    client.post(reverse("compliance:pattern_delete", args=[stored.pk]))
    assert AuditEvent.objects.get(action="policy.deleted").detail["pattern"] == OLD
