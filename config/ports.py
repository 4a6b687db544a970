"""The address of the web server: whether it is free, and whether it answers."""

import errno
import http.client
import socket
import time
from collections.abc import Callable

import psutil

from config.refused import StartRefused

ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - where a server listens on all


def address(bind: str, port: int) -> str:
    """The URL at which this machine reaches a server that listens on `bind`."""
    host = ANY_ADDRESS.get(bind, bind)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def refuse_taken(bind: str, port: int) -> None:
    """Raise StartRefused where a web server could not listen there."""
    try:
        family, kind, _, _, place = socket.getaddrinfo(bind, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(place)
    except OSError as error:
        raise StartRefused(_reason(bind, port, error)) from error


def _reason(bind: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return (
            f"Port {port} on {bind} is taken{_holder(port)}. Stop that program, or choose "
            "another port: FOOTNOTE_PORT=8001 make up"
        )
    if error.errno == errno.EACCES:
        return f"Port {port} needs more rights; choose one above 1023 with FOOTNOTE_PORT."
    return (
        f"FOOTNOTE_BIND is {bind}, on which this machine cannot listen ({error.strerror}); "
        "write 127.0.0.1, 0.0.0.0 or an address of this machine."
    )


def _holder(port: int) -> str:
    """Who listens there, as far as this user may know."""
    try:
        found = psutil.net_connections("tcp")
    except psutil.AccessDenied:
        return ""
    for connection in found:
        listens = connection.status == psutil.CONN_LISTEN
        if listens and connection.pid and connection.laddr[1:2] == (port,):
            return f" by {_name(connection.pid)} (process {connection.pid})"
    return ""


def _name(pid: int) -> str:
    try:
        return psutil.Process(pid).name()
    except psutil.Error:
        return "another program"


def wait_for_answer(bind: str, port: int, seconds: float, alive: Callable[[], bool]) -> int:
    """The status of the first reply by HTTP; 0 when none came in time or `alive` ended."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and alive():
        status = _status(ANY_ADDRESS.get(bind, bind), port)
        if status:
            return status
        time.sleep(0.1)
    return 0


def _status(host: str, port: int) -> int:
    connection = http.client.HTTPConnection(host, port, timeout=10)
    try:
        connection.request("GET", "/", headers={"Host": f"127.0.0.1:{port}"})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return 0
    finally:
        connection.close()
