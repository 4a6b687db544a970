"""Tokens and redirects: the token reaches its own host and is seen nowhere else."""

import base64
import threading

import pytest

from tests.repos.githost import command_lines, failure, fetch

TOKEN = "ghp_TOKENtokenTOKENtoken0123456789"
FORMS = [
    TOKEN,
    base64.b64encode(f"x-access-token:{TOKEN}".encode()).decode(),
    base64.b64encode(TOKEN.encode()).decode(),
]


def test_a_private_repository_opens_with_the_token(host, app, target):
    host.token = TOKEN
    assert fetch(host, target, token=TOKEN).ref == "main"
    assert set(host.users) == {"x-access-token"}


def test_a_user_name_may_come_with_the_token(host, app, target):
    host.token = TOKEN
    fetch(host, target, token=f"ana:{TOKEN}")
    assert set(host.users) == {"ana"}


def test_a_private_repository_without_a_token(host, app, target):
    host.token = TOKEN
    error = failure(host, target)
    assert error.code == "auth"
    assert "give an access token" in str(error)


def test_a_wrong_token(host, app, target):
    host.token = "another"
    error = failure(host, target, token=TOKEN)
    assert error.code == "auth"
    assert "refused the access token" in str(error)


@pytest.mark.parametrize("token", ["a\nHost: x", "a b", "\u00fc"])
def test_a_token_cannot_add_headers(host, app, target, token):
    assert failure(host, target, token=token).code == "auth"
    assert host.requests == []


def test_the_token_is_in_no_argument_list(host, app, target):
    host.token, host.pack_delay = TOKEN, 0.6
    seen: set[str] = set()
    worker = threading.Thread(target=fetch, args=(host, target), kwargs={"token": TOKEN})
    worker.start()
    while worker.is_alive():
        seen.update(command_lines())
    worker.join()
    assert any("remote-https" in line and host.name in line for line in seen)
    assert not any(form in line for line in seen for form in FORMS)


def test_the_token_is_in_no_file_of_the_clone(host, app, target):
    host.token = TOKEN
    fetch(host, target, token=TOKEN)
    texts = [file.read_bytes() for file in target.rglob("*") if file.is_file()]
    assert texts
    assert not any(form.encode() in text for text in texts for form in FORMS)


@pytest.mark.parametrize("fault", [{"status": 500}, {"status": 403}, {"token": "x"}, {}])
def test_the_token_is_in_no_error(host, target, fault):
    for name, value in fault.items():
        setattr(host, name, value)
    error = failure(host, target, token=TOKEN)
    assert not any(form in repr(error) + str(error.__cause__) for form in FORMS)


def test_a_renamed_repository_is_followed_on_the_same_host(host, app, target):
    host.redirects["/old/name"] = host.url("acme/app")
    assert fetch(host, target, "old/name").ref == "main"


def test_a_relative_redirect_is_followed(host, app, target):
    host.redirects["/old/name"] = "/acme/app"
    assert fetch(host, target, "old/name").ref == "main"


@pytest.mark.parametrize(
    "place", ["https://127.0.0.1:1/x", "http://localhost/x", "file:///etc", "//x", "https://[x/"]
)
def test_a_redirect_elsewhere_is_not_followed(host, target, place):
    host.redirects["/old/name"] = place
    error = failure(host, target, "old/name")
    assert error.code == "refused"
    assert "forwards this address to another place" in str(error)


def test_the_token_does_not_follow_a_redirect_to_another_host(host, app, target):
    host.redirects["/acme/app"] = f"https://127.0.0.1:{host.port}/stolen"
    failure(host, target, token=TOKEN)
    assert not any(request.startswith("/stolen") for request in host.requests)


def test_a_redirect_to_a_sign_in_page(host, app, target):
    host.redirects["/acme/app/info/refs?service=git-upload-pack"] = "/users/sign_in"
    assert failure(host, target).code == "auth"


def test_redirects_in_circles_end(host, target):
    host.redirects["/a/b"] = "/a/b"
    error = failure(host, target, "a/b")
    assert (error.code, "in circles" in str(error)) == ("refused", True)
