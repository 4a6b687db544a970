"""Asking in a real browser: from the box to the lines that a footnote opens."""

import pytest
from playwright.sync_api import expect

from tests.answers.conftest import FILES, QUESTION
from tests.browser.test_frame import LAYOUT_SHIFT

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "\n".join(f"    step_{n} = stamp(letter, {n})" for n in range(150))
MORE = {
    "post/office.py": f'def frank(letter):\n    """Stamp a letter many times."""\n{LONG}\n'
    "    return letter.postage + last_fee\n",
}
# The function that the first extract quotes whole.
OPEN_SESSION = list(range(9, 16))


@pytest.fixture
def till(index_files):
    return index_files({**FILES, **MORE}, slug="till")


@pytest.fixture
def open_till(till, owner, open_context):
    return lambda **options: open_context(owner, **options)


@pytest.fixture
def page(open_till):
    return open_till()


def ask(page, question=QUESTION):
    page.goto("/ask")
    page.get_by_label("Question").fill(question)
    page.locator("form.ask").get_by_role("button", name="Ask").click()
    page.wait_for_url("**/answers/*")


def lit(page):
    return page.eval_on_selector_all(
        ".piece .lit > a", "lines => lines.map((line) => Number(line.textContent))"
    )


def test_ctrl_enter_in_the_box_asks_at_once(page):
    page.goto("/")
    page.keyboard.press("/")
    page.keyboard.type(QUESTION)
    page.keyboard.press("Control+Enter")
    page.wait_for_url("**/answers/*")
    expect(page.locator("h1")).to_have_text(QUESTION)
    page.go_back()
    expect(page.locator("h1")).not_to_have_text(QUESTION)


def test_hover_and_focus_light_the_lines_of_a_footnote(page):
    ask(page)
    assert lit(page) == []
    page.locator("[data-cite='1']").hover()
    assert lit(page) == OPEN_SESSION
    page.mouse.move(0, 0)
    assert lit(page) == []
    page.keyboard.press("j")
    assert lit(page) == OPEN_SESSION


def test_click_pins_and_a_second_click_lets_go(page):
    ask(page)
    note = page.locator("[data-cite='1']")
    note.click()
    page.mouse.move(0, 0)
    assert lit(page) == OPEN_SESSION
    expect(note).to_have_attribute("aria-pressed", "true")
    note.click()
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    assert lit(page) == []


def test_pinning_moves_the_evidence_and_not_what_is_read(page):
    page.set_viewport_size({"width": 1280, "height": 600})
    ask(page, "postage last_fee")
    note = page.locator("[data-cite='1']")
    before = note.bounding_box()
    note.click()
    assert note.bounding_box() == before
    line = page.locator(".piece .lit").first
    expect(line).to_be_in_viewport()


def test_enter_opens_exactly_the_lines(page):
    ask(page)
    page.locator("[data-cite='1']").focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/file/till/sessions.py*#L9-L15")
    expect(page.locator("#L10")).to_have_class("lit")


def test_markdown_is_copied(page):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ask(page)
    page.keyboard.press("m")
    expect(page.locator("[data-copy-status]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()").startswith(f"> {QUESTION}")


def test_everything_works_without_script(open_till):
    page = open_till(java_script_enabled=False)
    ask(page)
    page.locator("[data-cite='1']").click()
    assert page.url.endswith("#L9-L15")


def test_ask_again_is_a_new_answer(page):
    ask(page)
    first = page.url
    page.get_by_role("button", name="Ask again").click()
    page.wait_for_url(lambda url: url != first and "/answers/" in url)
    expect(page.locator("h1")).to_have_text(QUESTION)


def test_changing_the_question_waits_for_the_person(page):
    ask(page)
    page.get_by_role("link", name="Change the question").click()
    expect(page.get_by_label("Question")).to_have_value(QUESTION)
    assert "/ask?" in page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 380])
def test_nothing_is_cut_or_moves(open_till, tmp_path, scheme, width):
    page = open_till(color_scheme=scheme, viewport={"width": width, "height": 800})
    for question in (QUESTION, "How are kubernetes cookies evicted by etcd?"):
        ask(page, question)
        page.screenshot(path=tmp_path / f"{scheme}-{width}-{len(question)}.png", full_page=True)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(LAYOUT_SHIFT) == 0
        left, right = page.locator(".said").bounding_box(), page.locator(".evidence").bounding_box()
        assert (right["y"] >= left["y"] + left["height"]) is (width == 380)


def test_on_a_phone_there_is_a_way_back_from_the_lines(open_till):
    page = open_till(viewport={"width": 380, "height": 600})
    ask(page)
    back = page.get_by_role("button", name="Back to the statement")
    expect(back).to_be_hidden()
    mark = page.locator("[data-cite]").first
    mark.click()
    expect(mark).not_to_be_in_viewport()
    back.click()
    expect(mark).to_be_in_viewport()
    expect(mark).to_be_focused()
    expect(back).to_be_hidden()
