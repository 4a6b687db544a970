import os
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import psutil
import pytest

from config import ports
from config.refused import StartRefused


class Teapot(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(418)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        pass


@pytest.fixture
def teapot() -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), Teapot) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize(
    ("bind", "expected"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
        ("notes.example", "http://notes.example:8000"),
    ],
)
def test_the_address_that_is_shown(bind, expected):
    assert ports.address(bind, 8000) == expected


def test_a_free_port_is_fine():
    ports.refuse_taken("127.0.0.1", free_port())


def test_a_taken_port_is_named_with_its_holder(teapot):
    name = psutil.Process(os.getpid()).name()
    with pytest.raises(StartRefused) as caught:
        ports.refuse_taken("127.0.0.1", teapot)
    assert str(caught.value) == (
        f"Port {teapot} on 127.0.0.1 is taken by {name} (process {os.getpid()}). Stop that "
        "program, or choose another port: FOOTNOTE_PORT=8001 make up"
    )


@pytest.mark.parametrize("bind", ["192.0.2.1", "no such host.invalid"])
def test_an_address_of_another_machine(bind):
    with pytest.raises(StartRefused, match=r"FOOTNOTE_BIND is .*, on which this machine cannot"):
        ports.refuse_taken(bind, free_port())


def test_a_port_that_needs_more_rights():
    message = ports._reason("127.0.0.1", 80, PermissionError(13, "Permission denied"))
    assert message == "Port 80 needs more rights; choose one above 1023 with FOOTNOTE_PORT."


def test_an_answer_is_waited_for(teapot):
    assert ports.wait_for_answer("0.0.0.0", teapot, 5, lambda: True) == 418


def test_no_answer_within_the_time():
    assert ports.wait_for_answer("127.0.0.1", free_port(), 0.3, lambda: True) == 0


def test_no_wait_for_what_has_ended():
    assert ports.wait_for_answer("127.0.0.1", free_port(), 60, lambda: False) == 0
