"""Model calls and spend in Chromium: both themes, wide and narrow, and the way there and back."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from answers.answering import ask
from answers.models import Answer
from outbound.models import ModelCall, SentLines
from repos.models import Repository

pytestmark = pytest.mark.browser

LONG = "src/a/very/deep/folder/that/goes/on/" + "module_with_a_long_name" * 2 + ".py"
FILES = {LONG: "def main():\n    return 1\n", "README.md": "# Lib\n"}


@pytest.fixture
def answer(here, index_files, owner, settings) -> Answer:
    settings.BUDGET_DAY_TOKENS, settings.BUDGET_DAY_USD = 100_000, Decimal(2)
    settings.BUDGET_PERSON_TOKENS = 9_000
    lib = index_files(FILES)
    lib.everyone = True
    lib.save()
    found = ask("Where is main?", person=owner, repositories=Repository.objects.all())
    for number in range(14):
        made = ModelCall.objects.create(
            person=owner if number % 3 else None, purpose="answer" if number % 3 else "embed",
            subject=found.subject if number == 13 else f"run:lib/{number}", provider="openai",
            model=f"openai/a-model-with-a-long-name-{number % 4}", endpoint="api.example.com:443",
            repositories=[lib.pk], state="failed" if number == 5 else "done",
            failure="timeout" if number == 5 else "", prompt_tokens=900 + number * 150,
            completion_tokens=90, cost=None if number == 4 else Decimal("0.0123") * number,
            milliseconds=700 + number, estimated=False, redactions=number,
        )  # fmt: skip
        SentLines.objects.create(
            repository_id=lib.pk, model_call=made, ordinal=0, repository="lib",
            commit=lib.snapshots.get().commit, path=LONG, start_line=1, end_line=2,
            what="evidence",
        )  # fmt: skip
        moment = timezone.now() - timedelta(days=(13 - number) // 2)
        ModelCall.objects.filter(pk=made.pk).update(created=moment)
    return found


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.parametrize("width", [380, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out(answer, open_context, officer, width: int, scheme: str):
    page = open_context(officer, viewport={"width": width, "height": 900}, color_scheme=scheme)
    number = ModelCall.objects.get(subject=answer.subject).pk
    for address in (
        "/console/calls", "/console/calls?state=failed", f"/console/calls/{number}",
        f"/console/calls/{number}/lines/0", "/console/calls/spend?of=tokens&by=person",
        "/console/calls/spend", "/preferences/spend",
    ):  # fmt: skip
        page.goto(address)
        assert overflow(page) <= 0, address


def test_from_an_answer_to_its_lines_and_back(answer, open_context, officer):
    page = open_context(officer)
    page.goto(f"/answers/{answer.pk}")
    page.get_by_role("link", name="what was sent").click()
    expect(page.get_by_text("1 call", exact=False).first).to_be_visible()
    page.locator("table.activity tbody a").first.click()
    expect(page.get_by_role("heading", name="What was sent")).to_be_visible()
    page.get_by_role("link", name=LONG).first.click()
    expect(page.get_by_text("def main():")).to_be_visible()
    page.get_by_role("link", name="The call that sent it").click()
    page.get_by_role("link", name="Where is main?").click()
    expect(page).to_have_url(f"{page.url.split('/answers')[0]}/answers/{answer.pk}")


def test_who_asked_sees_what_was_sent(answer, open_context, owner):
    page = open_context(owner)
    page.goto(f"/answers/{answer.pk}")
    page.get_by_role("link", name="what was sent").click()
    expect(page.get_by_role("heading", name="What was sent for this answer")).to_be_visible()
    page.get_by_role("link", name=LONG).click()
    expect(page.get_by_text("def main():").first).to_be_visible()
