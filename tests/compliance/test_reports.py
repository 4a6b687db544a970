"""Reports: who makes and reads them, what they say, the same bytes from the same figures."""

import csv
import io

import pytest
from django.urls import reverse
from django.utils import timezone

from accounts.trail.models import AuditEvent
from compliance.reports import making
from compliance.reports.jobs import make_report
from compliance.reports.models import Report
from outbound.models import ModelCall
from repos.models import Repository
from repos.removal import remove

pytestmark = pytest.mark.django_db(transaction=True)
KEY = "AKIA" + "Z7QK2M5XW3RT" + "VB4N"
FILES = {"till.py": f'AWS_ACCESS_KEY_ID = "{KEY}"\n', "coins.py": "def total():\n    return 1\n"}


@pytest.fixture
def till(index_files) -> Repository:
    repository: Repository = index_files(FILES, slug="till")
    return repository


def made(person, repository=None) -> Report:
    today = timezone.now().date()
    report = making.ask_for(since=today, until=today, repository=repository, person=person)
    make_report(report.pk)
    return Report.objects.get(pk=report.pk)


def table(report: Report, key: str) -> list[list[object]]:
    return next(one["rows"] for one in report.figures if one["key"] == key)


def test_what_it_says(till, officer):
    ModelCall.objects.create(
        provider="openai", model="gpt", purpose="answer", state="done", prompt_tokens=120,
        completion_tokens=30, cost="0.0125", redactions=2, repositories=[till.pk],
    )  # fmt: skip
    report = made(officer)
    assert report.state == Report.State.DONE
    commit = till.snapshots.get().commit
    assert [row[0] for row in table(report, "repositories")] == ["till"]
    assert table(report, "snapshots")[0][:3] == ["till", 1, commit]
    assert (
        table(report, "findings") == [["till", "aws-access-key-id", "redact", "high", "open", 1]]
        or table(report, "findings")[0][-1] == 1
    )
    assert table(report, "model_calls") == [
        ["openai", "gpt", "answer", "done", 1, 120, 30, 2, "0.0125"]
    ]
    assert [row[:2] for row in table(report, "people") if row[0] == "officer"] == [
        ["officer", "compliance officer"]
    ]
    assert KEY not in str(report.figures)


def test_tables_of_sums_say_what_they_come_to(till, officer):
    report = made(officer)
    told = {one["key"]: one["about"] for one in report.figures}
    findings = sum(int(f"{row[-1]}") for row in table(report, "findings"))
    events = sum(int(f"{row[-1]}") for row in table(report, "activity"))
    assert told["findings"].endswith(f"In all: {findings}.")
    assert told["activity"].endswith(f"In all: {events}.")
    assert told["model_calls"].endswith("In all: 0.")


def test_one_repository_leaves_the_others_out(till, index_files, officer):
    index_files({"a.py": "x = 1\n"}, slug="other")
    report = made(officer, till)
    assert [row[0] for row in table(report, "repositories")] == ["till"]
    assert {row[0] for row in table(report, "findings")} == {"till"}


def test_the_same_figures_print_the_same_bytes(till, officer):
    report = made(officer)
    Report.objects.filter(pk=report.pk).update(state="queued")
    make_report(report.pk)
    assert Report.objects.get().sha256 == report.sha256


def test_a_deletion_is_in_it_and_the_report_outlives_it(till, officer, owner):
    report = made(officer, till)
    number = till.pk
    record = remove(till, person=owner)
    assert Report.objects.get(pk=report.pk).repository_number == number
    assert table(made(officer), "deletions")[0][1:3] == ["till", "owner"]
    assert table(made(officer), "deletions")[0][-1] == str(record.pk)


def form_data():
    today = f"{timezone.now():%Y-%m-%d}"
    return {"since": today, "until": today, "repository": ""}


@pytest.mark.parametrize("name", ["administrator", "officer"])
def test_officers_make_them(name, request, till, client_of):
    client = client_of(request.getfixturevalue(name))
    asked = client.post(reverse("compliance:report_new"), form_data())
    report = Report.objects.get()
    page = reverse("compliance:report", args=[report.pk])
    assert asked.headers["Location"] == page
    assert client.get(page).headers["Refresh"] == "2"
    make_report(report.pk)
    pdf = client.get(reverse("compliance:report_export_pdf", args=[report.pk]))
    assert pdf.content.startswith(b"%PDF-")
    assert AuditEvent.objects.filter(action="export.console").exists()


def test_an_auditor_reads_and_makes_none(till, officer, auditor, client_of):
    report = made(officer)
    client = client_of(auditor)
    assert client.post(reverse("compliance:report_new"), form_data()).status_code == 403
    assert client.post(reverse("compliance:report_again", args=[report.pk])).status_code == 403
    assert Report.objects.count() == 1
    listed = client.get(reverse("compliance:reports")).content.decode()
    assert "New report" not in listed
    for name in ("report", "report_export_pdf", "report_export_csv"):
        assert client.get(reverse(f"compliance:{name}", args=[report.pk])).status_code == 200


@pytest.mark.parametrize("name", ["owner", "member", "outsider"])
def test_others_find_nothing(name, request, till, officer, client_of):
    report = made(officer)
    client = client_of(request.getfixturevalue(name))
    pages = [reverse(f"compliance:{one}", args=[report.pk]) for one in (
        "report", "report_export_pdf", "report_export_csv",
    )]  # fmt: skip
    found = [client.get(page).status_code for page in [reverse("compliance:reports"), *pages]]
    assert found == [404] * 4
    assert client.post(reverse("compliance:report_new"), form_data()).status_code == 404


def test_the_csv_has_the_same_numbers(till, officer, client_of):
    report = made(officer)
    page = client_of(officer).get(reverse("compliance:report_export_csv", args=[report.pk]))
    rows = list(csv.reader(io.StringIO(page.getvalue().decode())))
    assert ["Repositories"] in rows
    assert rows[rows.index(["Findings by kind and state"]) + 2][-1] == "1"


@pytest.mark.parametrize(
    ("since", "until", "said"),
    [("2026-02-01", "2026-01-01", "before the beginning"), ("", "2026-01-01", "required"),
     ("1999-01-01", "2026-01-01", "Five years")],
)  # fmt: skip
def test_a_period_that_makes_no_sense_is_told(since, until, said, officer, client_of):
    data = {"since": since, "until": until, "repository": ""}
    page = client_of(officer).post(reverse("compliance:report_new"), data)
    assert (page.status_code, said in page.content.decode()) == (422, True)
    assert not Report.objects.exists()
