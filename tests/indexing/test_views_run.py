"""The page of a run in each of its states, and who may start and stop runs."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from indexing.jobs import index_repository
from indexing.models import IndexRun, RunFailure, RunStage
from indexing.runs import claim, confirm, fail, start_run
from repos.models import Repository
from tests import factories

URL = "/r/lib/runs/1"
FILES = {"a.py": "def f():\n    return 1\n", "vendor/x.js": "1\n", ".env": "A=1\n"}


@pytest.fixture
def lib(tmp_path, owner, member):
    folder = factories.write_files(tmp_path / "sources/lib", FILES)
    return factories.repository_for(owner, member, slug="lib", address=str(folder))


@pytest.fixture
def browser(client_of, owner):
    return client_of(owner)


def ago(seconds: int) -> datetime:
    return timezone.now() - timedelta(seconds=seconds)


def claimed(repository: Repository, *, preview: bool = False) -> IndexRun:
    run = claim(start_run(repository, preview=preview).pk)
    assert run is not None
    return run


def page(browser, url: str = URL, **headers) -> str:
    return " ".join(browser.get(url, headers=headers).content.decode().split())


def test_a_finished_run_shows_stages_and_what_was_left_out(browser, lib):
    factories.index(lib)
    shown = page(browser)
    for words in ("fetch", "walk", "scrub, parse, index", "resolve", "publish", "3 files"):
        assert words in shown
    assert '<a href="/r/lib/file/vendor/x.js">vendor/x.js</a>' in shown
    assert '<a href="/r/lib/file/.env">.env</a>' in shown
    assert "data-events" not in shown
    assert "http-equiv" not in shown


def test_a_waiting_run_follows_itself_with_and_without_script(browser, lib):
    start_run(lib)
    shown = page(browser)
    assert "waiting for a worker" in shown
    assert 'data-events="/r/lib/runs/1/events"' in shown
    assert '<noscript> <meta http-equiv="refresh" content="3"> </noscript>' in shown
    assert "No worker has taken this run yet" not in shown


def test_a_run_that_nobody_takes_says_what_to_do(browser, lib):
    run = start_run(lib)
    IndexRun.objects.filter(pk=run.pk).update(heartbeat=ago(16))
    assert "No worker has taken this run yet" in page(browser)


def test_a_running_stage_shows_counts_rate_and_time_left(browser, lib):
    run = claimed(lib)
    RunStage.objects.create(
        run=run, stage="derive", done=2000, total=10_000, unit="files", started=ago(100)
    )
    shown = page(browser)
    assert "2,000 of 10,000 files" in shown
    assert "20 a second" in shown
    assert "about 7 minutes left" in shown
    assert "Stage 3 of 6: scrub, parse, index." in shown


def test_search_is_live_while_the_vectors_are_made(browser, lib, settings):
    factories.index(lib)
    settings.EMBEDDING_MODEL = "local"
    run = IndexRun.objects.get()
    IndexRun.objects.filter(pk=run.pk).update(state="running", stage="embed", finished=None)
    RunStage.objects.create(run=run, stage="embed", done=5, total=20, unit="texts", started=ago(2))
    shown = page(browser)
    assert "Search is live." in shown
    assert "vectors for search by meaning: 5 of 20 texts" in shown
    assert 'id="to-search"' in shown


def test_a_failed_run_says_what_happened_and_what_to_do(browser, lib):
    fail(claimed(lib), "auth", "github.com asks for a sign-in.")
    shown = page(browser)
    assert "github.com asks for a sign-in. Check the access token in the settings" in shown
    assert "> Try again </button>" in shown


def test_a_failed_folder_says_so_for_real(browser, lib):
    lib.address = "/etc"
    lib.save()
    factories.index(lib)
    assert "outside the folders that may be imported" in page(browser)


def test_what_failed_is_listed_with_reasons_and_links(browser, lib):
    run = factories.index(lib)
    RunFailure.objects.create(run=run, path="a <b>.py", reason="took longer than 10 seconds")
    shown = page(browser)
    assert "1 file that could not be read" in shown
    assert '<a href="/r/lib/file/a%20%3Cb%3E.py">a &lt;b&gt;.py</a>' in shown
    assert "Took longer than 10 seconds" in shown


def test_many_failures_come_in_pages(browser, lib):
    run = factories.index(lib)
    RunFailure.objects.bulk_create(
        RunFailure(run=run, path=f"f{n:03}", reason="no") for n in range(101)
    )
    assert "f100" not in page(browser)
    assert "f100" in page(browser, f"{URL}?page=2")
    assert "f100" in page(browser, f"{URL}?page=99999999999")


def test_the_owner_is_led_to_the_preview(browser, client_of, member, lib):
    factories.index(lib, preview=True)
    assert browser.get(URL)["Location"] == "/r/lib/preview"
    polled = browser.get(URL, headers={"HX-Request": "true"})
    assert polled["HX-Redirect"] == "/r/lib/preview"
    assert "The owner of this repository decides" in page(client_of(member))


def test_polling_gets_the_fragment_and_is_told_of_the_end(browser, lib):
    run = start_run(lib)
    polled = browser.get(URL, headers={"HX-Request": "true"})
    assert (polled.status_code, b"<html" in polled.content) == (200, False)
    index_repository(run.pk)
    assert browser.get(URL, headers={"HX-Request": "true"}).status_code == 286


def test_start_makes_a_run_and_leads_to_it(browser, lib):
    answer = browser.post("/r/lib/runs", {"full": "1"})
    run = IndexRun.objects.get()
    assert answer["Location"] == URL
    assert (run.full, run.preview) == (True, False)


def test_a_second_start_leads_to_the_run_that_goes_on(browser, lib):
    start_run(lib)
    answer = browser.post("/r/lib/runs", follow=True)
    assert answer.redirect_chain == [(URL, 302)]
    assert "Run 1 of this repository is still going on." in answer.content.decode()


def test_cancel_ends_a_run_that_waits(browser, lib):
    run = start_run(lib)
    browser.post(f"{URL}/cancel")
    run.refresh_from_db()
    assert run.state == "cancelled"
    assert "Cancelled. Nothing of this run was kept." in page(browser)


def test_cancel_after_the_end_says_so(browser, lib):
    factories.index(lib)
    answer = browser.post(f"{URL}/cancel", follow=True)
    assert "The run had already ended." in answer.content.decode()


def test_a_retry_of_an_import_shows_the_preview_again(browser, lib):
    fail(claimed(lib, preview=True), "timeout", "Too slow.")
    assert 'name="preview" value="1"' in page(browser)


def test_a_confirmed_run_is_not_previewed_again(browser, lib):
    run = factories.index(lib, preview=True)
    confirm(run, "")
    assert 'name="preview"' not in page(browser)


@pytest.mark.parametrize("address", ["/r/lib/runs", f"{URL}/cancel"])
def test_members_may_not_start_or_cancel(client_of, member, outsider, lib, address):
    start_run(lib)
    assert client_of(member).post(address).status_code == 404
    assert client_of(outsider).post(address).status_code == 404


def test_a_member_sees_the_run_without_buttons(client_of, member, lib):
    start_run(lib)
    shown = page(client_of(member))
    assert "waiting for a worker" in shown
    assert "/cancel" not in shown


def test_an_outsider_finds_no_run(client_of, outsider, lib):
    start_run(lib)
    assert client_of(outsider).get(URL).status_code == 404
    assert client_of(outsider).get(f"{URL}/events").status_code == 404


def test_a_run_that_is_not_there_is_not_found(browser, lib):
    assert browser.get("/r/lib/runs/7").status_code == 404
    assert browser.get("/r/lib/runs/99999999999999999999").status_code == 404


def test_starting_by_get_is_refused(browser, lib):
    assert browser.get("/r/lib/runs").status_code == 405
