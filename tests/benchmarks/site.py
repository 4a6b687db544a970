"""Footnote as in production, over the database of this process: a web server and an answer worker
on loopback, and a person who asks over HTTP.
"""

import http.client
import os
import re
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.test import Client

from accounts.models import User
from tests.benchmarks.machine import ROOT

USER = "bench-answers"
ENDING_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Site:
    """`seconds` is how long anything may take before something is broken."""

    port: int
    web: subprocess.Popen[bytes]
    cookies: str
    token: str
    seconds: float

    def ask(self, question: str) -> uuid.UUID:
        """Of all repositories, as the form does."""
        body = urlencode({"question": question, "csrfmiddlewaretoken": self.token})
        headers = {"Cookie": self.cookies, "Content-Type": "application/x-www-form-urlencoded"}
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.seconds)
        line.request("POST", "/ask", body, headers)
        response = line.getresponse()
        response.read()
        line.close()
        found = re.search(r"/answers/([0-9a-f-]{36})", response.headers.get("Location", ""))
        if found is None:
            raise SystemExit(f"The question was answered with status {response.status}.")
        return uuid.UUID(found[1])

    def events(self, answer: uuid.UUID) -> Iterator[str]:
        """Lines of its stream, to the end."""
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=self.seconds)
        line.request("GET", f"/answers/{answer}/events", headers={"Cookie": self.cookies})
        response = line.getresponse()
        while found := response.readline():
            yield found.decode()
        line.close()


@contextmanager
def served(model: Mapping[str, str], *, seconds: float) -> Iterator[Site]:
    """`model` are the settings of the model; what both processes print goes where ours does."""
    with ExitStack() as stack:
        port = free_port()
        env = {**os.environ, **model}
        manage = [sys.executable, "manage.py"]
        collect = [*manage, "collectstatic", "--noinput", "--verbosity", "0"]
        subprocess.run(collect, cwd=ROOT, env=env, check=True)
        serve = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port)]
        serve += ["--lifespan", "off", "--log-level", "warning", "--timeout-graceful-shutdown", "1"]
        web = stack.enter_context(running(serve, env))
        stack.enter_context(running([*manage, "answer_worker"], env))
        wait_for(lambda: listens(port), "the web server", seconds)
        yield Site(port, web, *_signed_in(), seconds)


def _signed_in() -> tuple[str, str]:
    """Cookies of an administrator, and the token of the forms."""
    user, _ = User.objects.get_or_create(username=USER, defaults={"is_superuser": True})
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    token = "b" * 32  # any 32 letters: the cookie and the form must say the same
    session = client.cookies[settings.SESSION_COOKIE_NAME].value
    names = settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME
    return f"{names[0]}={session}; {names[1]}={token}", token


@contextmanager
def running(command: list[str], env: Mapping[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(command, cwd=ROOT, env=env)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(done: Callable[[], bool], what: str, seconds: float) -> None:
    until = time.monotonic() + seconds
    while not done():
        if time.monotonic() > until:
            raise SystemExit(f"{what} does not answer.")
        time.sleep(0.05)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


def listens(port: int) -> bool:
    with socket.socket() as attempt:
        return attempt.connect_ex(("127.0.0.1", port)) == 0
