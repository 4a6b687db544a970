"""Real Chromium on the real pages: `make browser` runs these."""

import shutil
from collections.abc import Iterator

import pytest
from django.test import Client
from playwright._impl._api_structures import SetCookieParam
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from accounts.models import User

CHROMIUM = shutil.which("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]


# For one module: the event loop it leaves in this thread would hinder other tests.
@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Debian's chromium is not installed")
    # Playwright keeps an event loop in this thread; Django would take it for an async view.
    with pytest.MonkeyPatch.context() as patch, sync_playwright() as playwright:
        patch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def open_context(chromium: Browser, live_server):
    """A browser in which `user` is signed in; fails the test on any error a page reports."""
    problems: list[str] = []
    contexts: list[BrowserContext] = []

    def opened(user: User | None = None, **options) -> Page:
        context = chromium.new_context(base_url=live_server.url, **options)
        contexts.append(context)
        if user is not None:
            context.add_cookies([_session_of(user, live_server.url)])
        page = context.new_page()
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: _note(problems, said.type, said.text))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


def _session_of(user: User, url: str) -> SetCookieParam:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}


def _note(problems: list[str], kind: str, text: str) -> None:
    if kind in {"error", "warning"}:
        problems.append(text)
