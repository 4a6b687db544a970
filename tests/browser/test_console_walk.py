"""Every page of the console on the rows of a small firm: wide and narrow, both themes, each role.

TEST_PICTURES names a folder for pictures of the pages, for people who look at them.
"""

import os
import re
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from pathlib import Path
from uuid import UUID

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.audit import record
from answers.answering import ask
from compliance.models import SavedFilter
from compliance.reports import making
from compliance.reports.jobs import make_report
from compliance.reports.models import Report
from indexing import reviews
from indexing.models import Finding
from indexing.policy_models import FindingReview, ScrubPattern
from indexing.reviews import Value, Verdict
from outbound.models import ModelCall, SentLines
from repos.models import DeletionRecord, Repository, Snapshot
from repos.removal import remove
from tests import factories
from tests.indexing.scrub_samples import ALNUM, FORMATS, chars

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PICTURES = os.environ.get("TEST_PICTURES", "")
LONG = "src/a/very/deep/folder/that/goes/on/and/on/" + "module_with_a_long_name" * 2 + ".py"
FILES = {
    "README.md": "# Till\nWrite to ann.lee" + "@kitehouse.net or call 415-679-0285 today.\n",
    LONG: f'def connect():\n    token = "{FORMATS["github_pat"]}"  # footnote:allow\n',
    "tests/test_d.py": f'app_secret = "{chars(ALNUM, 32)}"\n',
    "deploy/live.env": f"AWS_ACCESS_KEY_ID={FORMATS['aws_access_key_id']}\nRPTX=RPTX-2026-PROD-7\n",
    "wide.txt": "word " * 60 + "bob.ray" + "@kitehouse.net" + " word" * 60 + "\n",
}


@dataclass
class Firm:
    till: Repository
    answer: UUID
    call: int
    finding: int
    deletion: DeletionRecord
    reports: list[Report] = field(default_factory=list)

    def addresses(self) -> dict[str, str]:
        return {
            "front": "/console/",
            "findings": "/console/findings",
            "findings-filtered": "/console/findings?kind=email&state=open&path=e&repository=till",
            "findings-none": "/console/findings?path=nothing-is-called-so",
            "finding": f"/console/findings/{self.finding}",
            "trend": "/console/findings/trend",
            "reviews": "/console/reviews",
            "lookup": "/console/lookup",
            "patterns": "/console/patterns",
            "pattern": f"/console/patterns/{ScrubPattern.objects.get().pk}",
            "policy": "/console/policy/till",
            "calls": "/console/calls",
            "calls-blocked": "/console/calls?state=blocked",
            "call": f"/console/calls/{self.call}",
            "call-lines": f"/console/calls/{self.call}/lines/0",
            "spend": "/console/calls/spend",
            "spend-people": "/console/calls/spend?by=person&of=tokens",
            "activity": "/console/activity",
            "activity-none": "/console/activity?until=2000-01-01",
            "reports": "/console/reports",
            "report": f"/console/reports/{self.reports[0].pk}",
            "report-repository": f"/console/reports/{self.reports[1].pk}",
            "deletions": "/console/deletions",
            "deletion": f"/console/deletions/{self.deletion.pk}",
            "rows": "/console/rows/",
        }


@pytest.fixture
def firm(index_files, owner, officer, member, settings) -> Firm:
    settings.BUDGET_DAY_TOKENS, settings.BUDGET_DAY_USD = 100_000, Decimal(2)
    till = index_files(FILES, slug="till")
    Repository.objects.filter(pk=till.pk).update(everyone=True)
    Snapshot.objects.update(published=timezone.now() - timedelta(days=40))
    ScrubPattern.objects.create(name="Report keys", kind="rptx", pattern=r"RPTX-\d{4}-[A-Z]+-\d+")
    factories.write_files(Path(till.address), {"new.md": "ask eve.orr" + "@kitehouse.net\n"})
    factories.index(till)
    old = index_files({"a.py": "x = 1\n"}, slug="old-shop")
    SavedFilter.objects.create(person=officer, name="flagged", query="action=flag&state=open")
    one = Finding.objects.filter(kind="email").order_by("id")[0]
    verdict = Verdict(FindingReview.Decision.DISMISSED, "an office, nobody's", officer, None)
    reviews.review_values(verdict, [Value(one.kind, bytes(one.fingerprint), one.key_id)])
    found = ask("Where is connect?", person=owner, repositories=Repository.objects.all())
    calls = [called(till, owner, found.subject, number) for number in range(14)]
    trail(till, owner, member)
    deletion = remove(old, person=owner, reason="no longer ours")
    return Firm(
        till, found.pk, calls[-1].pk,
        Finding.objects.filter(kind="github_pat").values_list("id", flat=True)[0], deletion,
        [printed(officer, None), printed(officer, till)],
    )  # fmt: skip


def called(till: Repository, person, subject: str, number: int) -> ModelCall:
    made = ModelCall.objects.create(
        person=person if number % 3 else None, purpose="answer" if number % 3 else "embed",
        subject=subject if number == 13 else f"run:till/{number}", provider="openai",
        model=f"openai/a-model-with-a-long-name-{number % 4}", endpoint="api.example.com:443",
        repositories=[till.pk], state={5: "failed", 6: "blocked"}.get(number, "done"),
        failure={5: "timeout", 6: "leak"}.get(number, ""), prompt_tokens=900 + number * 150,
        completion_tokens=90, cost=None if number == 4 else Decimal("0.0123") * number,
        milliseconds=700 + number, estimated=False, redactions=number,
    )  # fmt: skip
    for ordinal, path in enumerate((LONG, "README.md") if number != 6 else ()):
        SentLines.objects.create(
            repository_id=till.pk, model_call=made, ordinal=ordinal, repository="till",
            commit=till.snapshots.order_by("-number")[0].commit, path=path, start_line=1,
            end_line=2, what="evidence",
        )  # fmt: skip
    moment = timezone.now() - timedelta(days=(13 - number) // 2)
    ModelCall.objects.filter(pk=made.pk).update(created=moment)
    return made


def trail(till: Repository, owner, member) -> None:
    record("view.file", actor=member, subject=LONG, repository=till, link="/r/till/file/a")
    record("view.search", actor=member, subject="where is the token checked")
    record("view.answer", actor=owner, subject="Where is connect?")
    change = {"role": {"old": "member", "new": "officer"}, "is_active": {"old": True, "new": False}}
    record("people.access", actor=owner, subject="ada", detail=change)
    record("sign_in.failed", actor=None, subject="member")


def printed(person, repository: Repository | None) -> Report:
    today = timezone.now().date()
    report = making.ask_for(
        since=today - timedelta(days=60), until=today, repository=repository, person=person
    )
    make_report(report.pk)
    return Report.objects.get(pk=report.pk)


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def paper(firm: Firm) -> None:
    for number, report in enumerate(firm.reports if PICTURES else ()):
        Path(PICTURES, f"report-{number}.pdf").write_bytes(bytes(report.pdf or b""))


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png", full_page=True)


@pytest.mark.parametrize("who", ["administrator", "officer", "auditor"])
def test_nothing_sticks_out(here, firm, who, request, open_context):
    page = open_context(request.getfixturevalue(who))
    out = []
    paper(firm)
    for width, scheme in ((1280, "light"), (380, "dark"), (1280, "dark"), (380, "light")):
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        for name, address in firm.addresses().items():
            if who == "auditor" and name in {"pattern", "policy"}:  # forms that change something
                continue
            page.goto(address)
            picture(page, f"{name}-{width}-{scheme}-{who}")
            if overflow(page) > 0:
                out.append((address, width, overflow(page)))
        if who == "auditor":
            continue
        page.goto("/console/lookup")
        for value, name in (
            (FORMATS["github_pat"], "found"),
            (chars(ALNUM, 30)[::-1], "not-found"),
        ):
            page.get_by_label("The value").fill(value)
            page.get_by_role("button", name="Look").click()
            expect(page.get_by_role("heading", name="Answer")).to_be_visible()
            picture(page, f"lookup-{name}-{width}-{scheme}-{who}")
            if overflow(page) > 0:
                out.append((name, width, overflow(page)))
    assert out == []


@pytest.mark.usefixtures("here", "firm")
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (380, "dark")])
def test_what_an_officer_does_fits_and_needs_no_mouse(officer, open_context, width, scheme):
    page = open_context(officer, viewport={"width": width, "height": 900}, color_scheme=scheme)
    page.goto("/console/findings?kind=email")
    page.get_by_role("button", name="Review those chosen").focus()
    page.get_by_label("all on this page").press("Space")
    page.get_by_role("button", name="Review those chosen").press("Enter")
    expect(page.get_by_label("Reason")).to_be_visible()
    picture(page, f"review-{width}-{scheme}")
    assert overflow(page) <= 0
    page.goto(f"/console/patterns/{ScrubPattern.objects.get().pk}")
    page.get_by_label("Text in which").fill("key RPTX-2026-PROD-7 and RPTX-19\n" * 3)
    page.get_by_role("button", name="Show what matches").press("Enter")
    expect(page.locator(".tried mark").first).to_have_text("RPTX-2026-PROD-7")
    picture(page, f"test-box-{width}-{scheme}")
    assert overflow(page) <= 0
    page.goto("/console/calls?state=blocked")
    page.get_by_text("Saved filters").press("Enter")
    page.get_by_label("Save this filter as").fill("kept back")
    page.get_by_label("Save this filter as").press("Enter")
    page.get_by_text("Saved filters").press("Enter")
    page.get_by_role("link", name="kept back").press("Enter")
    expect(page).to_have_url(re.compile(r"/console/calls\?state=blocked$"))
    picture(page, f"saved-{width}-{scheme}")
    assert overflow(page) <= 0


def test_an_officer_makes_a_report_and_takes_it_away(here, firm, officer, open_context):
    page = open_context(officer)
    page.goto("/console/reports")
    page.get_by_label("Repository").select_option(label="till")
    page.get_by_role("button", name="Make the report").press("Enter")
    expect(page.get_by_text("The report is being made")).to_be_visible()
    make_report(Report.objects.latest("pk").pk)
    page.get_by_role("link", name="Look again").press("Enter")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download the PDF").press("Enter")
    assert Path(download.value.path()).read_bytes().startswith(b"%PDF")
