"""What a migration does to rows that are there already."""

import pytest
from django.core.management import call_command
from django.db import connection
from django.urls import reverse

from compliance.findings import tallies
from compliance.findings.models import DatedFinding, TalliedRepository

pytestmark = pytest.mark.django_db(transaction=True)

OLD = """
INSERT INTO compliance_talliedrepository (repository_id, marks, counted, findings)
VALUES (%(repository)s, '1/1/1/', now(), 1);
INSERT INTO compliance_findingtally (repository_id, first_snapshot, kind, confidence, action, state,
    seen_since, findings, least)
VALUES (%(repository)s, 1, 'email', 'high', 'redact', 'open', 1, 1, 1)
"""


def test_counts_without_dates_are_made_anew(index_files, client_of, auditor, monkeypatch):
    monkeypatch.setattr(tallies, "AT_ONCE", -1)
    lib = index_files({"a.md": "write to ann.lee" + "@kitehouse.net\n"})
    assert tallies.recount() == 1
    call_command("migrate", "compliance", "0006", verbosity=0)
    try:
        with connection.cursor() as cursor:
            cursor.execute(OLD, {"repository": lib.pk})
    finally:
        call_command("migrate", verbosity=0)
    assert not TalliedRepository.objects.exists()
    page = client_of(auditor).get(reverse("compliance:findings"), {"since": "2020-01-01"})
    assert "Not all findings are counted yet" in page.content.decode()
    assert (tallies.recount(), DatedFinding.objects.count()) == (1, 1)
