"""An answer arrives in a real browser while a scripted model writes it, over the real server."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connections
from playwright.sync_api import expect

from answers import claims
from answers.jobs import write_answer
from outbound import sealing
from tests.answers.conftest import FILES, QUESTION, host  # noqa: F401 - a fixture
from tests.answers.scripted import MODEL, block, cite, prose, reply
from tests.browser.asgi_site import serving
from tests.browser.test_import import SHIFTS, session_of
from tests.outbound import modelhost

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# The first call of a model imports what its provider needs.
expect.set_options(timeout=60_000)
PATH = "till/sessions.py"
FIRST = "The `value` is read from the cookie that is named in `cookie_name`."
SECOND = "It gives an empty session where there is none."
THIRD = "Else `serializer.loads` reads it, unless it is older than `max_age` allows."


@pytest.fixture(scope="module")
def server(django_db_setup, tmp_path_factory) -> Iterator[tuple[str, Path]]:
    data = tmp_path_factory.mktemp("site") / "data"
    with serving(data, tmp_path_factory.getbasetemp(), FOOTNOTE_ANSWER_MODEL=MODEL) as address:
        yield address, data


class Gate:
    """Lets the model go on, one statement at a time."""

    def __init__(self) -> None:
        self._turns = threading.Semaphore(0)

    def open(self, times: int = 1) -> None:
        self._turns.release(times)

    def pieces(self, text: str) -> Iterator[str]:
        for part in text.replace('{"type"', '\0{"type"').split("\0"):
            yield part
            self._turns.acquire(timeout=30)


@pytest.fixture
def gate(host, monkeypatch, settings):  # noqa: F811
    settings.MODEL_TIMEOUT_SECONDS = 60  # the model is silent until the test lets it go on
    found = Gate()
    monkeypatch.setattr(modelhost, "pieces_of", found.pieces)

    def written(body):
        seen = block(body, PATH)
        return reply(
            prose(FIRST, cite(seen, "value = request.cookies.get")),
            prose(SECOND, cite(seen, "return {}")),
            prose(THIRD, cite(seen, "return serializer.loads", label="other")),
        )

    host.reply = written
    yield found
    found.open(20)


@pytest.fixture
def writing(gate) -> Iterator[None]:
    """An answer worker in a thread."""
    sealing.load()
    stop = threading.Event()

    def work() -> None:
        try:
            while not stop.wait(0.05):
                if (answer := claims.claim_next()) is not None:
                    write_answer(answer)
        finally:
            connections.close_all()

    thread = threading.Thread(target=work, name="answer worker of the tests")
    thread.start()
    yield
    stop.set()
    gate.open(20)
    thread.join()


@pytest.fixture
def open_page(chromium, server, owner, index_files, writing):
    index_files(FILES, slug="till")
    problems: list[str] = []
    contexts = []

    def opened(**options):
        context = chromium.new_context(base_url=server[0], **options)
        contexts.append(context)
        cookie = {"name": "sessionid", "value": session_of(owner), "url": server[0]}
        context.add_cookies([cookie])
        page = context.new_page()
        page.set_default_timeout(20_000)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.extend([said.text] * (said.type == "error")))
        page.goto("/ask")
        page.get_by_label("Question").fill(QUESTION)
        page.locator("form.ask").get_by_role("button", name="Ask").click()
        page.wait_for_url("**/answers/*")
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


def statements(page):
    return page.locator(".statement")


def shoot(page, name):
    if place := os.environ.get("PICTURES"):
        page.screenshot(path=f"{place}/{name}.png")


@pytest.mark.fast
def test_statements_arrive_and_nothing_moves(open_page, gate):
    page = open_page()
    page.evaluate(SHIFTS)
    expect(page.locator("#piece-1")).to_be_visible()
    expect(page.locator("#stop")).to_be_visible()
    gate.open()
    expect(statements(page)).to_have_count(1)
    first = statements(page).first
    expect(first.locator("code").first).to_have_text("value")
    expect(first.locator(".note.ok")).to_have_count(1)
    place = first.bounding_box()
    gate.open(10)
    expect(statements(page)).to_have_count(3)
    expect(statements(page).nth(2).locator(".note.reanchored")).to_have_count(1)
    expect(page.locator(".foot")).to_be_visible()
    expect(page.locator("#stop")).to_have_count(0)
    assert first.bounding_box() == place
    assert page.evaluate("window.shifted") == 0
    assert page.evaluate("window.stayed")
    page.locator("[data-cite='1']").hover()
    assert page.locator(".piece .lit > a").all_text_contents() == ["12"]


@pytest.mark.parametrize("by_key", [False, True])
def test_stopping_keeps_what_is_there(open_page, gate, by_key):
    page = open_page()
    gate.open()
    expect(statements(page)).to_have_count(1)
    if by_key:
        page.keyboard.press("Escape")
    else:
        page.locator("#stop").click()
    expect(page.locator("#status")).to_contain_text("stopped")
    expect(page.locator(".foot")).to_contain_text("Try again")
    page.reload()
    expect(statements(page)).to_have_count(1)


def test_a_reload_goes_on_where_it_was(open_page, gate):
    page = open_page()
    gate.open()
    expect(statements(page)).to_have_count(1)
    page.reload()
    expect(statements(page)).to_have_count(1)
    gate.open(10)
    expect(statements(page)).to_have_count(3)
    expect(page.locator(".foot")).to_be_visible()


def test_without_script_the_page_refreshes_itself(open_page, gate):
    page = open_page(java_script_enabled=False)
    gate.open(10)
    expect(statements(page)).to_have_count(3)
    expect(page.locator(".foot")).to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 380])
def test_it_looks_right_while_it_is_written(open_page, gate, scheme, width):
    page = open_page(color_scheme=scheme, viewport={"width": width, "height": 800})
    page.evaluate(SHIFTS)
    gate.open(2)
    expect(statements(page)).to_have_count(2)
    shoot(page, f"writing-{scheme}-{width}")
    gate.open(10)
    expect(page.locator(".foot")).to_be_visible()
    shoot(page, f"written-{scheme}-{width}")
    assert page.evaluate("window.shifted") == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width
