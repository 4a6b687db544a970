"""Lines of a file: links, ranges, copying, big files, hostile text."""

import pytest
from playwright.sync_api import expect

from repos.paths import PAGE_LINES
from tests import explorer as rows

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HOSTILE = "<script>window.PROBE = 1</script><img src=x onerror='window.PROBE=2'>"
SOURCE = "def first():\n    return 1\n\n\ndef second():\n\treturn '  two'\n"


@pytest.fixture
def page(open_context, owner):
    repository = rows.repository_row(owner, "lib")
    file = rows.add_file(repository, "a.py", SOURCE, language="python")
    rows.add_symbol(file, "first", 1, 2)
    rows.add_symbol(file, "second", 5, 6)
    text = "".join(f"x = {n}\n" for n in range(1, 3 * PAGE_LINES + 1))
    rows.add_file(repository, "big.py", text, language="python")
    rows.add_file(repository, "README.md", HOSTILE)
    rows.add_file(repository, f"{HOSTILE.replace('/', '')}.html", HOSTILE)
    rows.publish(repository)
    return open_context(owner)


def lit(page):
    return page.eval_on_selector_all(".lit", "lines => lines.map((line) => line.id)")


def test_a_range_in_the_address_is_lit(page):
    page.goto("/r/lib/file/a.py#L2-L5")
    assert lit(page) == ["L2", "L3", "L4", "L5"]


def test_click_and_shift_click_make_a_range(page):
    page.goto("/r/lib/file/a.py")
    page.locator("#L5 > a").click()
    page.locator("#L2 > a").click(modifiers=["Shift"])
    assert page.url.endswith("#L2-L5")
    assert lit(page) == ["L2", "L3", "L4", "L5"]


def test_the_code_host_gets_the_same_lines(page):
    page.goto("/r/lib/file/a.py#L2-L5")
    assert page.locator("#host-link").get_attribute("href").endswith("/a.py#L2-L5")
    page.locator("#L3 > a").click()
    assert page.locator("#host-link").get_attribute("href").endswith("/a.py#L3")


def test_an_anchor_beyond_the_first_page_is_found(page):
    line = 2 * PAGE_LINES + 5
    page.goto(f"/r/lib/file/big.py#L{line}")
    page.wait_for_selector(f"#L{line}.lit")
    assert page.locator(f"#L{line}").bounding_box()["y"] > 44


def test_what_is_copied_is_the_text_alone(page):
    page.goto("/r/lib/file/a.py")
    copied = page.evaluate("""() => {
      getSelection().selectAllChildren(document.getElementById("source"));
      return getSelection().toString();
    }""")
    assert [line.rstrip() for line in copied.rstrip().split("\n")] == SOURCE.rstrip().split("\n")


def test_j_and_k_walk_through_the_outline(page):
    page.goto("/r/lib/file/a.py")
    page.keyboard.press("j")
    page.keyboard.press("j")
    assert page.evaluate("document.activeElement.textContent") == "second"
    page.keyboard.press("Enter")
    assert page.url.endswith("#L5")


def test_asking_about_lines_opens_the_form_with_them(page):
    page.goto("/r/lib/file/a.py#L2-L5")
    page.get_by_role("link", name="Ask about these lines").click()
    page.wait_for_url("**/ask?**")
    expect(page.locator("form.ask .badge")).to_have_text("a.py:2-5")
    assert page.get_by_role("checkbox", name="lib").is_checked()


def test_the_path_is_copied(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto("/r/lib/file/a.py")
    page.get_by_role("button", name="Copy the path").click()
    assert page.evaluate("navigator.clipboard.readText()") == "a.py"


@pytest.mark.parametrize("path", ["", "tree/", "tree/?filter=PROBE", "symbols"])
def test_hostile_text_and_names_do_nothing(page, path):
    page.goto(f"/r/lib/{path}")
    assert page.evaluate("window.PROBE") is None


def test_a_hostile_file_does_nothing(page):
    page.goto("/r/lib/tree/")
    page.get_by_role("link", name="window.PROBE").first.click()
    page.wait_for_selector("#source")
    assert page.evaluate("window.PROBE") is None
    page.get_by_role("link", name="Raw").click()
    assert page.evaluate("window.PROBE") is None


def test_the_filter_lists_while_typing(page):
    page.goto("/r/lib/tree/")
    page.keyboard.press("f")
    page.keyboard.type("big")
    expect(page.locator("#listing tbody tr")).to_have_count(1)
    page.keyboard.press("Tab")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.wait_for_url("**/file/big.py")
