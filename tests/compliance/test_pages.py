"""What all pages of the console have: where one is, times as on paper, what a page can prove."""

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from compliance.limits import LIMITS
from compliance.templatetags.console import cells, moment

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "section"),
    [
        ("/console/", "Console"),
        ("/console/findings/trend", "Findings"),
        ("/console/reviews", "Findings"),
        ("/console/policy/lib", "Patterns"),
        ("/console/calls/spend", "Model calls"),
    ],
)
def test_the_navigation_says_where_one_is(address, section, index_files, client_of, officer):
    index_files({"a.md": "text\n"})
    page = client_of(officer).get(address).content.decode()
    current = page.split('aria-current="page">')[1].split("<")[0]
    assert current == section


@pytest.mark.parametrize(
    ("page", "name"),
    [("findings", "findings"), ("calls", "calls"), ("spend", "spend"), ("activity", "activity")],
)
def test_a_list_says_what_it_proves_and_what_not(page, name, client_of, auditor):
    shown = client_of(auditor).get(reverse(f"compliance:{name}")).content.decode()
    for line in (*LIMITS[page].proves, *LIMITS[page].cannot):
        assert str(line) in shown


@pytest.mark.parametrize("name", ["findings", "calls", "activity"])
def test_a_filter_that_finds_nothing_is_not_an_empty_table(name, client_of, auditor):
    address = reverse(f"compliance:{name}")
    shown = client_of(auditor).get(address, {"since": "2100-01-01"}).content.decode()
    assert " matches" in shown


def test_a_time_is_written_out_in_utc():
    shown = moment(datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC))
    assert ">2026-05-04 03:02 UTC</time>" in shown
    assert 'datetime="2026-05-04T03:02:01+00:00"' in shown


def test_cells_of_a_report_know_their_heads():
    table = {"head": ["Kind", "Findings", "Now"]}
    assert cells(["email", 12_000, None], table) == [
        ("Kind", "email"), ("Findings", "12,000"), ("Now", ""),
    ]  # fmt: skip


def test_an_auditor_is_not_offered_a_look_up(client_of, auditor, officer):
    address = reverse("compliance:lookup")
    assert 'name="value"' in client_of(officer).get(address).content.decode()
    shown = client_of(auditor).get(address).content.decode()
    assert 'name="value"' not in shown
    assert "An auditor reads it there" in shown
