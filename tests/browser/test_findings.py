"""The pages of findings in Chromium for each role: both themes, wide and narrow, by keyboard."""

import pytest
from playwright.sync_api import Page, expect

from indexing.models import Finding
from indexing.policy_models import ScrubPattern
from tests import factories
from tests.indexing.scrub_samples import ALNUM, FORMATS, chars

pytestmark = pytest.mark.browser

LONG = "src/a/very/deep/folder/that/goes/on/and/on/" + "module_with_a_long_name" * 2 + ".py"
FILES = {
    "README.md": "# Lib\nWrite to ann.lee" + "@kitehouse.net or call 415-679-0285 today.\n",
    LONG: f'def connect():\n    token = "{FORMATS["github_pat"]}"  # footnote:allow\n',
    "tests/test_d.py": f'app_secret = "{chars(ALNUM, 32)}"\n',
    "wide.txt": "word " * 60 + FORMATS["aws_access_key_id"] + " word" * 60 + "\n",
}


@pytest.fixture
def lib(here, index_files):
    repository = index_files(FILES)
    ScrubPattern.objects.create(name="Report keys", kind="rptx", pattern=r"RPTX-\d{4}-[A-Z]+-\d+")
    factories.index(repository)
    return repository


def addresses() -> list[str]:
    number = Finding.objects.filter(kind="github_pat").values_list("id", flat=True)[0]
    return [
        "/console/findings",
        "/console/findings?kind=email&state=open&path=readme",
        f"/console/findings/{number}",
        "/console/findings/trend",
        "/console/reviews",
        "/console/lookup",
        "/console/patterns",
    ]


def overflow(page: Page) -> int:
    return int(page.evaluate("document.documentElement.scrollWidth - innerWidth"))


@pytest.mark.parametrize("width", [380, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out(lib, open_context, officer, width: int, scheme: str):
    page = open_context(officer, viewport={"width": width, "height": 900}, color_scheme=scheme)
    for address in [*addresses(), "/console/patterns/new", "/console/policy/lib"]:
        page.goto(address)
        assert overflow(page) <= 0, address


def test_an_officer_dismisses_what_matches_and_takes_it_back(lib, open_context, officer):
    page = open_context(officer)
    page.goto("/console/findings?kind=email")
    page.get_by_label("all on this page").check()
    page.get_by_role("button", name="Review those chosen").click()
    page.get_by_label("Dismiss: it is no secret.").check()
    page.get_by_label("Reason").fill("public address")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Reviews")).to_be_visible()
    page.get_by_role("link", name="the values of these findings").click()
    expect(page.locator(".badge.good")).to_have_text("dismissed")
    page.goto("/console/reviews")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_text("undone by officer")).to_be_visible()


def test_an_officer_asks_after_a_value(lib, open_context, officer):
    page = open_context(officer)
    page.goto("/console/lookup")
    page.get_by_label("The value").fill(FORMATS["github_pat"])
    page.get_by_role("button", name="Look").click()
    expect(page.get_by_text("It stood in 1 place.")).to_be_visible()
    expect(page.get_by_label("The value")).to_have_value("")
    assert page.url.endswith("/console/lookup")
    assert FORMATS["github_pat"] not in page.content()


def test_an_auditor_sees_no_button_that_changes(lib, open_context, auditor):
    page = open_context(auditor)
    for address in addresses():
        page.goto(address)
        for name in ("Review", "Undo", "New pattern", "Switch", "Delete"):
            assert page.get_by_role("button", name=name).count() == 0, (address, name)


def test_a_member_finds_no_console(lib, open_context, member):
    page = open_context(member, ignore_https_errors=True)
    for address in addresses():
        assert page.request.get(address).status == 404
