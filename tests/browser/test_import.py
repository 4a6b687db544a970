"""From a folder to search in a real browser, with the real server and a worker."""

import os
import re
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.db import connection
from django.test import Client
from playwright.sync_api import Page, expect

from accounts.models import User
from indexing.runs import notify, start_run
from repos.models import Repository
from tests import factories
from tests.browser.asgi_site import serving, working

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FILES: dict[str, str | bytes] = {
    **{f"app/part{n}.py": f"def part{n}():\n    return {n}\n" * 40 for n in range(150)},
    **{f"web/view{n}.ts": f"export const view{n} = {n}\n" * 30 for n in range(20)},
    "docs/guide.md": "# Guide\n\nHow it works.\n",
    "docs/data.csv": "a,b\n" * 500,
    "node_modules/left/index.js": "module.exports = 1\n",
    "logo.png": b"\x89PNG\r\n\x1a\n" + b"\0" * 3000,
    ".env": "PASSWORD=hush\n",
}
LISTENING = "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%%' AND datname = %s"
CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"
SHIFTS = """() => {
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const one of list.getEntries()) if (!one.hadRecentInput) window.shifted += one.value;
  }).observe({ type: "layout-shift", buffered: true });
  window.stayed = true;
}"""


@pytest.fixture
def folder(tmp_path) -> Path:
    return factories.write_files(tmp_path / "sources" / "Our lib", FILES)


@pytest.fixture(scope="module")
def server(django_db_setup, tmp_path_factory) -> Iterator[tuple[str, Path]]:
    data = tmp_path_factory.mktemp("site") / "data"
    with serving(data, tmp_path_factory.getbasetemp()) as address:
        yield address, data


@pytest.fixture
def site(server, settings) -> str:
    """The address of the server; the worker of the tests reads and writes where it does."""
    settings.DATA = server[1]
    settings.CLONES, settings.UPLOADS = server[1] / "clones", server[1] / "uploads"
    return str(server[0])


@pytest.fixture
def open_page(chromium, site):
    """A page of the server in which a person is signed in; fails on errors the page reports."""
    problems: list[str] = []
    contexts = []

    def opened(person: User, **options) -> Page:
        context = chromium.new_context(base_url=site, **options)
        contexts.append(context)
        context.add_cookies([{"name": "sessionid", "value": session_of(person), "url": site}])
        page: Page = context.new_page()
        page.set_default_timeout(15_000)
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("console", lambda said: problems.extend([said.text] * (said.type == "error")))
        return page

    yield opened
    for context in contexts:
        context.close()
    assert problems == []


@pytest.fixture
def shoot():
    """Keeps a picture of the page where PICTURES names a folder."""
    place = os.environ.get("PICTURES", "")

    def shot(page: Page, name: str) -> None:
        if place:
            page.screenshot(path=f"{place}/{name}.png", full_page=True)

    return shot


def session_of(person: User) -> str:
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return client.cookies["sessionid"].value


@pytest.mark.parametrize("look", [("light", 1280), ("dark", 1280), ("light", 380)], ids=str)
def test_from_a_folder_to_search(open_page, owner, folder, look, shoot):
    scheme, width = look
    page = open_page(owner, color_scheme=scheme, viewport={"width": width, "height": 900})
    page.goto("/import")
    page.get_by_label("Address or folder").press_sequentially(str(folder), delay=1)
    expect(page.locator("#understood")).to_contain_text(f"Folder {folder}")
    shoot(page, f"import-{scheme}-{width}")
    page.get_by_role("button", name="Look at it").click()
    page.wait_for_url("**/runs/1")
    shoot(page, f"run-waiting-{scheme}-{width}")
    with working():
        page.wait_for_url("**/preview")
        shoot(page, f"preview-{scheme}-{width}")
        assert "172 files" in page.locator(".totals").inner_text()
        page.get_by_label("Leave out").fill("docs/\n")
        expect(page.locator(".totals")).to_contain_text("170 files")
        expect(page.locator("#totals-again")).to_have_text("170 files · 12,600 lines")
        shoot(page, f"preview-less-{scheme}-{width}")
        page.get_by_role("button", name="Index", exact=True).click()
        page.wait_for_url("**/runs/1")
        page.evaluate(SHIFTS)
        expect(page.locator("#stage-derive")).to_have_class(re.compile("running|done"))
        shoot(page, f"run-live-{scheme}-{width}")
        expect(page.locator("#run-notice")).to_contain_text("Done.", timeout=30_000)
    shoot(page, f"run-done-{scheme}-{width}")
    assert page.evaluate("window.stayed")
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert Repository.objects.get().snapshots.get().indexed_files == 170
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()
    expect(page.locator("#to-search")).to_have_attribute("href", re.compile(r"our-lib"))


def test_the_stages_do_not_move_while_they_are_told(open_page, owner, folder):
    repository = factories.repository_for(owner, slug="lib", address=str(folder))
    start_run(repository)
    page = open_page(owner, viewport={"width": 1280, "height": 900})
    page.goto("/r/lib/runs/1")
    page.evaluate(SHIFTS)
    with working():
        expect(page.locator("#stage-publish")).to_have_class(re.compile("done"), timeout=30_000)
        expect(page.locator("#run-notice")).to_contain_text("Done.")
    assert page.evaluate("window.shifted") < 0.01
    before = page.locator("#stage-fetch").bounding_box()
    page.reload()
    assert page.locator("#stage-fetch").bounding_box() == before
    expect(page.locator("#run-notice")).to_contain_text("Done.")


def test_it_works_without_scripts(open_page, owner, folder):
    page = open_page(owner, java_script_enabled=False)
    page.goto("/import")
    page.get_by_label("Address or folder").fill(str(folder))
    page.get_by_role("button", name="Look at it").click()
    with working():
        page.wait_for_url("**/preview", timeout=20_000)  # the page refreshes itself
        page.get_by_label("Leave out").fill("docs/\n")
        page.get_by_role("button", name="Count again").click()
        assert "170 files" in page.locator(".totals").inner_text()
        page.get_by_role("button", name="Index", exact=True).click()
        expect(page.locator("#run-notice")).to_contain_text("Done.", timeout=30_000)


def test_without_event_source_it_asks_every_two_seconds(open_page, owner, folder):
    repository = factories.repository_for(owner, slug="lib", address=str(folder))
    start_run(repository)
    page = open_page(owner)
    page.add_init_script("delete window.EventSource")
    page.goto("/r/lib/runs/1")
    page.evaluate("window.stayed = true")
    with working():
        expect(page.locator("#run-notice")).to_contain_text("Done.", timeout=30_000)
    assert page.evaluate("window.stayed")
    expect(page.get_by_role("button", name="Cancel")).to_be_hidden()


def test_a_stream_that_is_refused_is_replaced_by_asking(open_page, owner, folder):
    repository = factories.repository_for(owner, slug="lib", address=str(folder))
    start_run(repository)
    page = open_page(owner)
    page.route("**/events", lambda route: route.fulfill(status=204))
    page.goto("/r/lib/runs/1")
    with working():
        expect(page.locator("#run-notice")).to_contain_text("Done.", timeout=30_000)


def test_cancel_keeps_the_focus_while_the_page_changes(open_page, owner, folder):
    repository = factories.repository_for(owner, slug="lib", address=str(folder))
    run = start_run(repository)
    page = open_page(owner)
    page.goto("/r/lib/runs/1")
    page.get_by_role("button", name="Cancel").focus()
    notify(run.pk)
    page.wait_for_timeout(600)
    page.keyboard.press("Enter")
    expect(page.locator("#run-notice")).to_contain_text("Cancelled. Nothing of this run was kept.")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


def test_an_archive_is_dropped(open_page, owner):
    page = open_page(owner)
    page.goto("/import")
    page.evaluate("""() => {
      const data = new DataTransfer();
      data.items.add(new File(["x"], "lib.zip"));
      const zone = document.querySelector("[data-drop]");
      zone.dispatchEvent(new DragEvent("dragover", { bubbles: true, dataTransfer: data }));
      zone.dispatchEvent(new DragEvent("drop", { bubbles: true, dataTransfer: data }));
    }""")
    assert page.evaluate("document.getElementById('id_upload').files[0].name") == "lib.zip"


def test_a_folder_is_chosen_from_the_list(open_page, owner, folder, tmp_path):
    page = open_page(owner)
    page.goto("/import")
    page.get_by_label("Branch, tag or commit").fill("kept")
    page.get_by_text("Choose a folder").click()
    page.get_by_role("link", name=str(tmp_path.parent)).click()
    page.get_by_role("link", name=f"{tmp_path.name}/").click()
    page.get_by_role("link", name="sources/").click()
    page.get_by_role("link", name="Our lib/").click()
    expect(page.locator(".folders p .path")).to_have_text(str(folder))
    page.get_by_role("link", name="Take this one").click()
    expect(page.locator("#understood")).to_contain_text(f"Folder {folder}")
    assert page.get_by_label("Branch, tag or commit").input_value() == "kept"


def counted(statement: str, expected: int) -> int:
    """The count once it is `expected`, or after five seconds."""
    for _ in range(50):
        with connection.cursor() as cursor:
            cursor.execute(statement, [connection.settings_dict["NAME"]])
            found = int(cursor.fetchone()[0])
        if found == expected:
            break
        time.sleep(0.1)
    return found


def opened_stream(site: str, person: User) -> socket.socket:
    """A connection on which the first event has come."""
    address = urlsplit(site)
    stream = socket.create_connection((address.hostname, address.port), timeout=10)
    cookie = f"Cookie: sessionid={session_of(person)}"
    head = ["GET /r/lib/runs/1/events HTTP/1.1", f"Host: {address.netloc}", cookie]
    stream.sendall("\r\n".join([*head, "", ""]).encode())
    said = b""
    while b"event: progress" not in said:
        said += stream.recv(65536)
    return stream


def test_browsers_that_go_away_leave_no_connection(site, owner, folder):
    repository = factories.repository_for(owner, slug="lib", address=str(folder))
    run = start_run(repository)
    before = counted(CONNECTIONS, 1)
    streams = [opened_stream(site, owner) for _ in range(40)]
    assert counted(LISTENING, 1) == 1
    assert counted(CONNECTIONS, before + 1) == before + 1  # an open stream holds none
    for stream in streams:
        notify(run.pk)  # some go away while they are being written to
        stream.close()
    assert counted(LISTENING, 0) == 0
    assert counted(CONNECTIONS, before) == before
