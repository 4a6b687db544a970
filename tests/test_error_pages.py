"""Error pages carry a reference that is in the log; every page carries the strict headers."""

import re

import pytest
from django.test import Client, RequestFactory

from config import error_pages


def reference_in(html):
    (reference,) = re.findall(r"<code>([0-9a-f]{8})</code>", html)
    return reference


def test_a_404_has_a_reference_that_is_in_the_log(client_of, member, caplog):
    response = client_of(member).get("/nowhere%0Aat-all")
    assert response.status_code == 404
    entry = next(r for r in caplog.records if r.name == "footnote.errors")
    assert reference_in(response.content.decode()) in entry.getMessage()
    assert "\n" not in entry.getMessage()


@pytest.mark.django_db
def test_a_500_has_a_reference_and_needs_no_database(caplog, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = error_pages.server_error(RequestFactory().get("/broken"))
    assert response.status_code == 500
    assert reference_in(response.content.decode()) in caplog.text


def test_a_host_that_is_refused_says_what_an_administrator_can_do(client_of, member):
    response = client_of(member).get("/", headers={"host": "code.example"})
    assert response.status_code == 400
    assert "FOOTNOTE_HOSTS" in response.content.decode()


def test_a_csrf_failure_says_that_nothing_was_changed(member, settings):
    settings.CSRF_FAILURE_VIEW = "config.error_pages.csrf_failure"
    client = Client(enforce_csrf_checks=True)
    response = client.post("/sign-in", {"username": "member", "password": "x"})
    assert response.status_code == 403
    assert "Nothing was changed" in response.content.decode()


@pytest.mark.parametrize("path", ["/", "/preferences", "/nowhere"])
def test_nothing_inline_and_nothing_from_elsewhere(client_of, member, path):
    response = client_of(member).get(path)
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    html = response.content.decode()
    assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", html)
    assert not re.search(r"(src|href)=\"(https?:)?//", html)


def test_htmx_runs_without_eval_or_its_own_style(client_of, member):
    html = client_of(member).get("/").content.decode()
    assert '"allowEval":false' in html
    assert '"includeIndicatorStyles":false' in html
