"""What models cost: the chart and its tables, budgets, one's own use."""

import csv
import io
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone

from compliance.calls.jobs import add_up_days
from outbound.models import ModelCall
from repos.models import Repository
from tests.compliance.call_rows import call
from tests.factories import repository_for

pytestmark = pytest.mark.django_db
PAGE = "/console/calls/spend"
MARCH = {"since": "2026-03-01", "until": "2026-03-31"}


@pytest.fixture
def lib(owner) -> Repository:
    return repository_for(owner, slug="lib")


@pytest.fixture
def calls(owner, member, lib) -> None:
    """1,234 tokens each: two of a known price, one of none, one of the worker."""
    for day, person, model, cost in (
        (2, owner, "openai/a", Decimal("0.5")), (2, member, "openai/b", Decimal("0.25")),
        (3, owner, "openai/b", None), (3, None, "openai/b", Decimal("0.125")),
    ):  # fmt: skip
        call(
            person, model=model, cost=cost, repositories=[lib.pk] if person == owner else [],
            created=datetime(2026, 3, day, 23, 59, tzinfo=UTC),
        )  # fmt: skip


@pytest.mark.parametrize("who", ["officer", "auditor", "administrator"])
def test_the_three_roles_see_what_was_spent(calls, who, request, client_of):
    page = client_of(request.getfixturevalue(who)).get(PAGE, MARCH)
    table = page.context["table"]
    assert [(f"{one.day}", one.calls, one.tokens, one.cost) for one in table.days] == [
        ("2026-03-03", 2, 2468, Decimal("0.125")),
        ("2026-03-02", 2, 2468, Decimal("0.75")),
    ]
    assert [(one.label, one.spend.calls, one.spend.cost) for one in table.totals] == [
        ("openai/a", 1, Decimal("0.5")),
        ("openai/b", 3, Decimal("0.375")),
    ]
    html = page.content.decode()
    assert "The cost of 1 call is unknown" in html
    assert "$0.3750 + unknown" in html
    assert "03-02: openai/a $0.5" in html


@pytest.mark.parametrize(
    ("by", "labels"),
    [
        ("person", ["owner", "member", "Footnote itself"]),
        ("repository", ["lib", "no repository"]),
    ],
)
def test_by_person_and_by_repository(calls, officer, client_of, by, labels):
    client = client_of(officer)
    totals = client.get(PAGE, {**MARCH, "by": by}).context["table"].totals
    assert [one.label for one in totals] == labels
    for one in totals:
        if one.query:
            page = client.get(f"/console/calls?{one.query}")
            assert page.context["counted"].number == one.spend.calls


def test_without_days_it_is_the_last_month(officer, client_of):
    today = timezone.now()
    call(created=today)
    call(created=today - timedelta(days=29))
    call(created=today - timedelta(days=31))
    assert client_of(officer).get(PAGE).context["table"].calls == 2
    assert "No model was called" in client_of(officer).get(PAGE, MARCH).content.decode()


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"since": "2024-01-01", "until": "2026-01-01"}, "At most 366 days."),
        ({"since": "2026-02-02", "until": "2026-02-01"}, "This day is before the first one."),
        ({"by": "planet"}, "Select a valid choice"),
    ],
)
def test_what_does_not_fit_is_told(officer, client_of, asked, message):
    response = client_of(officer).get(PAGE, asked)
    assert response.status_code == 422
    assert message in response.content.decode()


def test_budgets_in_force_with_what_is_used(officer, lib, member, client_of, settings):
    owner = lib.owner
    settings.BUDGET_DAY_TOKENS, settings.BUDGET_DAY_USD = 10_000, Decimal("0.1")
    settings.BUDGET_PERSON_TOKENS = 1_234
    settings.BUDGET_REPOSITORY_USD = Decimal("0.05")
    call(owner, repositories=[lib.pk])
    call(None, cost=None)
    call(member, state="refused", prompt_tokens=0, completion_tokens=0, cost=Decimal(0))
    page = client_of(officer).get(PAGE)
    assert [
        (one.whose, one.tokens, one.cost, one.unpriced, one.percent)
        for one in page.context["budgets"]
    ] == [
        ("all people together", 2468, Decimal("0.0125"), 1, 25),
        ("owner", 1234, Decimal("0.0125"), 0, 100),
        ("member", 0, Decimal(0), 0, 0),
        ("lib", 1234, Decimal("0.0125"), 0, 25),
    ]


def test_without_budgets_the_page_names_the_settings(officer, client_of):
    assert "FOOTNOTE_BUDGET_" in client_of(officer).get(PAGE).content.decode()


@pytest.mark.usefixtures("outsider")
@pytest.mark.parametrize("who", ["owner", "member", "outsider"])
def test_everybody_sees_their_own_use_and_nobody_elses(who, request, client_of, settings):
    settings.BUDGET_PERSON_TOKENS = 5_000
    for name, number in (("owner", 1), ("member", 2)):
        person = request.getfixturevalue(name)
        for _ in range(number):
            call(person, model=f"openai/of-{person.username}")
    page = client_of(request.getfixturevalue(who)).get("/preferences/spend")
    used = {"owner": 1, "member": 2, "outsider": 0}[who]
    assert page.context["table"].calls == used
    assert [(one.whose, one.tokens) for one in page.context["budgets"]] == [(who, used * 1234)]
    html = page.content.decode()
    assert [name for name in ("owner", "member") if f"openai/of-{name}" in html] == [who][:used]
    assert ModelCall.objects.count() == 3


@pytest.mark.parametrize("added_up", [False, True], ids=["from the calls", "from the sums"])
def test_as_a_file_each_period_with_what_each_took(calls, added_up, auditor, client_of):
    if added_up:
        add_up_days()
    answer = client_of(auditor).get(f"{PAGE}.csv", {**MARCH, "by": "person"})
    assert "footnote-spend-by-person-2026-03-01-2026-03-31.csv" in answer["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode())))
    told = [(one["from"], one["of"], one["cost_usd"], one["calls_of_unknown_cost"]) for one in rows]
    assert [(*one[:2], Decimal(one[2]), one[3]) for one in told] == [
        ("2026-03-03", "", Decimal("0.125"), "0"), ("2026-03-03", "owner", Decimal(0), "1"),
        ("2026-03-02", "owner", Decimal("0.5"), "0"),
        ("2026-03-02", "member", Decimal("0.25"), "0"),
    ]  # fmt: skip


def test_the_form_shows_the_days_that_are_meant(officer, client_of):
    page = client_of(officer).get(PAGE).content.decode()
    today = timezone.now().date()
    assert f'name="until" value="{today}"' in page
    assert f'name="since" value="{today - timedelta(days=29)}"' in page


def test_a_file_of_too_many_days_is_refused(officer, client_of):
    asked = {"since": "2020-01-01", "until": "2026-01-01"}
    assert client_of(officer).get(f"{PAGE}.csv", asked).status_code == 422
