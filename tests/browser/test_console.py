"""The console in Chromium: who enters, what an auditor cannot do, every page wide and narrow."""

import os
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from accounts.audit import record
from tests.factories import repository_for

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# A folder for pictures of the pages, for people who look at them.
PICTURES = os.environ.get("TEST_PICTURES", "")


@pytest.fixture
def events(owner, member) -> None:
    lib = repository_for(owner, member, slug="lib")
    record("view.file", actor=member, subject="src/app.py", repository=lib, link="/r/lib/file/a")
    record("view.search", actor=member, subject="where is the token checked")
    for number in range(120):
        record("view.file", actor=owner, subject=f"src/{'long_' * 12}{number}.py", repository=lib)
    change = {"role": {"old": "member", "new": "officer"}, "is_active": {"old": True, "new": False}}
    record("people.access", actor=owner, subject="ada", detail=change)
    record("sign_in.failed", actor=None, subject="member")


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


def test_a_member_cannot_enter(open_context, member, live_server):
    page = open_context(member)
    answer = page.request.get(f"{live_server.url}/console/activity")
    assert answer.status == 404
    page.goto("/")
    page.locator(".menu.person summary").click()
    assert page.get_by_role("link", name="Preferences").is_visible()
    assert page.get_by_role("link", name="Console").count() == 0


@pytest.mark.fast
def test_an_officer_filters_by_keyboard_and_downloads(events, open_context, officer):
    page = open_context(officer)
    page.goto("/")
    page.locator(".menu.person summary").click()
    page.get_by_role("link", name="Console").click()
    page.get_by_label("Console").get_by_role("link", name="Activity").click()
    page.get_by_label("Person").focus()
    page.keyboard.type("member")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("events")
    texts = page.locator(".activity tbody .path").all_text_contents()
    assert texts[-2:] == ["where is the token checked", "src/app.py"]
    with page.expect_download() as download:
        page.get_by_role("link", name="CSV").click()
    text = Path(download.value.path()).read_text(encoding="utf-8")
    assert "src/app.py" in text
    assert "long_" not in text


def test_an_auditor_reads_and_finds_nothing_to_change(events, open_context, auditor):
    page = open_context(auditor)
    for address in ("/console/", "/console/activity", "/console/rows/"):
        page.goto(address)
        # A filter that one keeps is one's own.
        forms = page.locator("main form[method=post]:not(.saved form), #content form[method=post]")
        assert (address, forms.count()) == (address, 0)
    labels = page.get_by_label("Console").get_by_role("link").all_text_contents()
    assert "Activity" in labels
    assert "People" not in labels
    page.goto("/console/activity?action=people.access")
    expect(page.get_by_text("role: member → officer")).to_be_visible()


def test_older_events_are_reached_without_script(events, open_context, officer):
    page = open_context(officer, java_script_enabled=False)
    page.goto("/console/activity?action=view.file")
    expect(page.locator(".activity tbody tr")).to_have_count(100)
    page.get_by_role("link", name="Older").click()
    expect(page.locator(".activity tbody tr")).to_have_count(21)
    page.get_by_role("link", name="Newest").click()
    expect(page.locator(".activity tbody tr")).to_have_count(100)


def test_on_paper_the_list_says_what_it_holds(events, open_context, auditor):
    page = open_context(auditor)
    page.goto("/console/activity?person=member")
    page.emulate_media(media="print")
    expect(page.get_by_role("status")).to_contain_text("of member")
    expect(page.get_by_text("UTC by auditor")).to_be_visible()
    expect(page.locator(".filter")).to_be_hidden()
    expect(page.get_by_label("Console")).to_be_hidden()
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/print.png")


@pytest.mark.parametrize("width", [380, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.usefixtures("events")
def test_nothing_sticks_out(open_context, administrator, member, width, scheme):
    page = open_context(
        administrator, viewport={"width": width, "height": 900}, color_scheme=scheme
    )
    addresses = {
        "front": "/console/",
        "activity": "/console/activity",
        "none": "/console/activity?until=2000-01-01",
        "person": f"/console/activity/people/{member.pk}",
        "own": "/preferences/activity",
        "people": "/people/",
        "member": f"/people/{member.pk}",
        "rows": "/console/rows/",
        "event": "/console/rows/accounts/auditevent/",
    }
    for name, address in addresses.items():
        page.goto(address)
        if PICTURES:
            page.screenshot(path=f"{PICTURES}/{name}-{width}-{scheme}.png")
        if not address.startswith("/console/rows/a"):  # Django's own wide table scrolls
            assert (address, overflow(page) <= 0) == (address, True)
