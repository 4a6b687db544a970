"""The frame: keys, switcher, theme, first run; both themes, narrow pages, no layout shift."""

import pytest

from tests import explorer as rows

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

README = "# Lib\n\n" + "Some words about it. " * 40 + "\n\n```\ncode that is long enough\n```\n"
FILES = {"README.md": README, "src/a.py": "def first():\n    return 1\n\n\ndef second(): ...\n"}
PAGES = ["/", "/r/lib/", "/r/lib/tree/", "/r/lib/file/src/a.py", "/r/lib/symbols", "/preferences"]
LAYOUT_SHIFT = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) sum += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 300);
})"""


@pytest.fixture
def lib(owner):
    return rows.published(FILES, owner, slug="lib", name="us/lib")


@pytest.fixture
def open_as_owner(open_context, lib, owner):
    return lambda **options: open_context(owner, **options)


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize("width", [1280, 380])
def test_pages_fit_and_stand_still(open_context, lib, owner, path, width):
    page = open_context(owner, viewport={"width": width, "height": 800})
    page.goto(path)
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(LAYOUT_SHIFT) == 0


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("scheme", "ground"), [("light", 255), ("dark", 20)])
def test_the_system_decides_the_theme(open_as_owner, path, scheme, ground):
    page = open_as_owner(color_scheme=scheme)
    page.goto(path)
    colour = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert colour.startswith(f"rgb({ground}, ")


def test_the_first_run_in_a_browser(open_context):
    page = open_context()
    page.goto("/")
    page.get_by_label("Username").fill("ana")
    page.get_by_label("Password", exact=True).fill("plums in rum")
    page.get_by_label("Password confirmation").fill("plums in rum")
    page.get_by_role("button", name="Create and sign in").click()
    assert page.get_by_role("heading", name="No repository yet").is_visible()


def test_slash_goes_to_the_box_and_question_mark_lists_keys(open_context, lib, owner):
    page = open_context(owner)
    page.goto("/")
    page.keyboard.press("/")
    assert page.evaluate("document.activeElement.id") == "box"
    page.keyboard.press("Tab")
    page.keyboard.press("?")
    assert page.get_by_role("heading", name="Keys").is_visible()
    page.keyboard.press("Escape")
    assert page.get_by_role("heading", name="Keys").is_hidden()


def test_the_box_is_scoped_to_the_repository(open_context, lib, owner):
    page = open_context(owner)
    page.goto("/r/lib/")
    assert page.get_by_role("checkbox", name="us/lib").is_checked()


def test_a_click_on_the_switcher_is_ready_to_type(open_context, lib, owner):
    page = open_context(owner)
    page.goto("/")
    page.click(".switcher summary")
    page.wait_for_function("document.activeElement.matches('.switcher input')")


def test_the_switcher_filters_and_goes(open_context, lib, owner):
    rows.repository_row(owner, "other", name="them/other")
    page = open_context(owner)
    page.goto("/")
    page.keyboard.press("r")
    page.get_by_label("Filter repositories").fill("us lib")
    page.get_by_role("link", name="us/lib").nth(0).wait_for()
    page.wait_for_function(
        "!document.querySelector('#switcher-list li a[href*=other]')?.offsetParent"
    )
    page.keyboard.press("Enter")
    page.wait_for_url("**/r/lib/")


def test_the_theme_changes_at_once_and_stays(open_context, lib, owner):
    page = open_context(owner, color_scheme="light")
    page.goto("/")
    page.locator(".person summary").click()
    with page.expect_response("**/preferences/theme"):
        page.get_by_role("button", name="Dark").click()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.goto("/r/lib/")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_everything_can_be_read_without_script(open_context, lib, owner):
    page = open_context(owner, java_script_enabled=False)
    page.goto("/")
    page.get_by_role("link", name="us/lib").click()
    page.get_by_role("link", name="Files").click()
    page.get_by_role("link", name="src/").click()
    page.get_by_role("link", name="a.py").click()
    assert page.locator("#L1").inner_text().endswith("def first():")
    page.locator(".person summary").click()
    page.get_by_role("button", name="Dark").click()
    assert page.locator("html").get_attribute("data-theme") == "dark"
