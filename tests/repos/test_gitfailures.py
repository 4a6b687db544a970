"""Each way in which a clone can fail: its code, its sentence, and nothing left behind."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable

import pytest

from repos.git import GitError, GitLimits, clone
from repos.gitfailures import failure as told
from tests.repos.githost import Host, command_lines, commit, failure, fetch, git

TOKEN = "ghp_TOKENtokenTOKENtoken0123456789"
NEVER = 60.0  # seconds: a test that waits for the answer runs into its own limit first


def test_an_empty_repository_is_a_calm_case(host, target):
    (host.root / "empty").mkdir()
    git(host.root / "empty", "init", "-q", "--bare", "-b", "main")
    assert failure(host, target, "empty").code == "empty"


def test_the_first_push_to_an_empty_repository_is_picked_up(host, target):
    (host.root / "empty").mkdir()
    git(host.root / "empty", "init", "-q", "-b", "main")
    failure(host, target, "empty")
    expected = commit(host.root / "empty", {"a": ""})
    assert fetch(host, target, "empty").commit == expected


def test_no_such_repository(host, target):
    error = failure(host, target, "acme/none")
    assert error.code == "not_found"
    assert f"no such repository on localhost:{host.port}" in str(error)


def test_a_page_that_is_not_git(host, app, target):
    host.garbage = True
    assert failure(host, target).code == "not_found"


def test_no_such_ref_names_the_branches_there_are(host, app, target):
    error = failure(host, target, ref="mian")
    assert (error.code, str(error)) == (
        "no_such_ref",
        "There is no branch or tag mian. Branches there: main.",
    )


def test_no_such_commit(host, app, target):
    assert failure(host, target, ref="f" * 40).code == "no_such_ref"


def test_a_default_branch_that_was_never_pushed(host, app, target):
    git(app, "branch", "dev")
    git(app, "symbolic-ref", "HEAD", "refs/heads/absent")
    error = failure(host, target)
    assert error.code == "no_such_ref"
    assert "Branches there: dev, main." in str(error)


def test_the_only_branch_stands_in_for_a_missing_default(host, app, target):
    git(app, "symbolic-ref", "HEAD", "refs/heads/absent")
    assert fetch(host, target).ref == "main"


def test_a_tag_on_a_file_is_no_commit(host, app, target):
    git(app, "tag", "blob", git(app, "rev-parse", "HEAD:a.py"))
    assert failure(host, target, ref="blob").code == "no_such_ref"


@pytest.mark.parametrize(
    "ref", ["--upload-pack=touch x", "-x", "a b", "a..b", "a:b", "a\nb", "a^{}", "a.lock", "*", "@"]
)
def test_names_git_does_not_allow_are_refused_before_any_request(host, app, target, ref):
    assert failure(host, target, ref=ref).code == "refused"
    assert host.requests == []


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost/a/b",
        "file:///etc",
        "/etc",
        "ext::sh -c true",
        "https://user:secret@localhost/a/b",
        "--upload-pack=true",
        "https://localhost/a/../b",
        "https://localhost/a/b?x",
        "https://localhost",
    ],
)
def test_only_plain_https_is_cloned(target, url):
    with pytest.raises(GitError) as caught:
        clone(url, target)
    assert caught.value.code == "refused"
    assert "secret" not in str(caught.value)


def test_an_unknown_host(target):
    with pytest.raises(GitError) as caught:
        clone("https://no-such-host.invalid/a/b", target)
    assert caught.value.code == "unknown_host"
    assert "no-such-host.invalid cannot be found" in str(caught.value)


def test_a_closed_port_is_named(target):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(GitError) as caught:
        clone(f"https://127.0.0.1:{port}/a/b", target, token=TOKEN)
    assert caught.value.code == "unreachable"
    assert f"127.0.0.1:{port} cannot be reached: the connection was refused" in str(caught.value)


def test_an_unknown_certificate_is_refused_whatever_the_environment_says(
    host, app, target, monkeypatch
):
    monkeypatch.setenv("GIT_SSL_NO_VERIFY", "1")
    with pytest.raises(GitError) as caught:
        clone(host.url("acme/app"), target)
    assert caught.value.code == "unreachable"
    assert "certificate" in str(caught.value)


@pytest.mark.parametrize("status", [500, 503, 429])
def test_a_server_in_trouble(host, app, target, status):
    host.status = status
    assert failure(host, target).code == "unreachable"


def test_too_large_is_stopped(host, app, target):
    (app / "big").write_bytes(os.urandom(3_000_000))
    git(app, "add", "big")
    git(app, "commit", "-q", "-m", "big")
    error = failure(host, target, limits=GitLimits(max_bytes=1024**2))
    assert error.code == "too_large"
    assert "limit of 1 MiB" in str(error)


@pytest.mark.timeout(40)
def test_a_slow_server_is_given_up_and_no_process_stays(host, app, target):
    host.delay = NEVER
    assert failure(host, target, limits=GitLimits(seconds=0.5)).code == "timeout"
    assert not any(host.name in line for line in command_lines())


@pytest.mark.timeout(40)
def test_the_time_limit_holds_for_the_pack_too(host, app, target):
    host.pack_delay = NEVER
    assert failure(host, target, limits=GitLimits(seconds=1.5)).code == "timeout"


@pytest.mark.timeout(40)
def test_cancelling_stops_at_once(host, app, target):
    host.delay = NEVER
    assert failure(host, target, cancelled=lambda: True).code == "cancelled"


def test_an_error_in_a_callback_leaves_nothing_behind(host, app, target):
    def fail() -> bool:
        raise KeyboardInterrupt

    host.delay = 2
    with pytest.raises(KeyboardInterrupt):
        fetch(host, target, cancelled=fail)
    assert not target.exists()
    assert not any(host.name in line for line in command_lines())


def test_git_ends_when_the_worker_is_killed(host, app, target):
    host.delay = 3
    script = "import sys; from pathlib import Path; from repos.git import clone\n"
    script += "clone(sys.argv[1], Path(sys.argv[2]), ca_file=Path(sys.argv[3]))"
    arguments = [host.url("acme/app"), str(target), str(host.ca_file)]
    with subprocess.Popen([sys.executable, "-c", script, *arguments]) as worker:
        assert eventually(lambda: is_asking(host))
        worker.kill()
    assert eventually(lambda: not is_asking(host))


def is_asking(host: Host) -> bool:
    """Whether the git that writes is there; the child that only reads may wait for its answer."""
    return any(line.startswith("git ls-remote") and host.name in line for line in command_lines())


def eventually(condition: Callable[[], bool]) -> bool:
    patience = time.monotonic() + 2
    while not condition() and time.monotonic() < patience:
        time.sleep(0.02)
    return condition()


@pytest.mark.parametrize(
    ("err", "code"),
    [
        ("fatal: dumb http transport does not support shallow capabilities", "refused"),
        ("error: RPC failed; curl 92 HTTP/2 stream 5 was not closed cleanly", "unreachable"),
        ("fatal: write error: No space left on device", "broken"),
        ("fatal: unable to access 'https://h/x/': Operation too slow", "timeout"),
        ("fatal: unable to access 'https://h/openssl /certificate/': surprise", "broken"),
        ("remote: Could not resolve host\nfatal: surprise", "broken"),
        ("", "broken"),
    ],
)
def test_what_git_prints_becomes_a_code(err, code):
    assert told(err, "h", "").code == code


def test_what_git_prints_is_shown_as_one_clean_line():
    error = told(f"fatal: odd \x1b[31m{TOKEN}\u202e\nhint: more", "h", TOKEN)
    assert str(error) == "Git failed with h. Git said: fatal: odd [31m***"
