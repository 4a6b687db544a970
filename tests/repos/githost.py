"""A small git host on loopback: smart HTTP over TLS, with the bad manners that tests ask for."""

import base64
import datetime as dt
import gzip
import ipaddress
import os
import ssl
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from repos.git import Clone, GitError, clone

BUILD_ENV = {
    "PATH": os.environ["PATH"],
    "HOME": "/nonexistent",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_AUTHOR_NAME": "Ana",
    "GIT_AUTHOR_EMAIL": "ana@example.test",
    "GIT_AUTHOR_DATE": "2024-01-02T03:04:05Z",
    "GIT_COMMITTER_NAME": "Ana",
    "GIT_COMMITTER_EMAIL": "ana@example.test",
    "GIT_COMMITTER_DATE": "2024-01-02T03:04:05Z",
}


def git(folder: Path, *arguments: str, data: bytes = b"") -> str:
    """Run git while building test inputs."""
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env=BUILD_ENV, input=data, capture_output=True, check=True
    )
    return done.stdout.decode(errors="surrogateescape").strip()


def checkout(folder: Path, files: dict[str, str]) -> str:
    """A repository with a work tree and one commit of `files`; returns the commit."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    return commit(folder, files)


def commit(folder: Path, files: dict[str, str]) -> str:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    git(folder, "add", "-A", "-f")
    git(folder, "commit", "-q", "--allow-empty", "-m", "step")
    return git(folder, "rev-parse", "HEAD")


@dataclass
class Host:
    """What the server does; tests change the fields while it runs."""

    root: Path
    ca_file: Path
    port: int = 0
    token: str = ""  # when set, only this password opens the door
    delay: float = 0.0  # seconds before every answer
    redirects: dict[str, str] = field(default_factory=dict)  # path prefix -> new start of URL
    status: int = 0  # answer everything with this
    garbage: bool = False  # answer with a page that is not git
    full_names_only: bool = False  # know a repository by its folder name alone
    pack_delay: float = 0.0  # seconds before the answer that carries the pack
    requests: list[str] = field(default_factory=list)
    users: list[str] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"localhost:{self.port}"

    def url(self, path: str) -> str:
        return f"https://{self.name}/{path}"


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    host: Host
    tls: ssl.SSLContext

    def handle_error(self, request, client_address) -> None:
        """Clients that are killed in the middle are what several tests are about."""

    def finish_request(self, request, client_address) -> None:
        # The handshake belongs to the request's own thread: a slow client must not block others.
        request.settimeout(30)
        with self.tls.wrap_socket(request, server_side=True) as secured:
            super().finish_request(secured, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"

    def log_message(self, format, *args) -> None:  # noqa: A002 - the name is http.server's
        """Silence: the tests read `Host.requests`."""

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self._answer(body)

    def _answer(self, body: bytes) -> None:
        host = self.server.host
        host.requests.append(self.path)
        time.sleep(host.delay)
        moved = next((old for old in host.redirects if self.path.startswith(old)), None)
        if b"want " in body:
            time.sleep(host.pack_delay)
        if host.full_names_only and ".git/" not in self.path:
            self._reply(404, {}, b"")
        elif host.status:
            self._reply(host.status, {}, b"no")
        elif moved is not None:
            location = host.redirects[moved] + self.path.removeprefix(moved)
            self._reply(302, {"Location": location}, b"")
        elif host.token and not self._knows_token(host):
            self._reply(401, {"WWW-Authenticate": 'Basic realm="x"'}, b"")
        elif host.garbage:
            self._reply(200, {"Content-Type": "text/html"}, b"<h1>hello</h1>")
        else:
            self._reply(*self._backend(body))

    def _knows_token(self, host: Host) -> bool:
        kind, _, value = self.headers.get("Authorization", "").partition(" ")
        if kind != "Basic":
            return False
        user, _, password = base64.b64decode(value).decode().partition(":")
        host.users.append(user)
        return password == host.token

    def _backend(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        address = urlsplit(self.path)
        env = BUILD_ENV | {
            "GIT_PROJECT_ROOT": str(self.server.host.root),
            "GIT_HTTP_EXPORT_ALL": "1",
            "GIT_PROTOCOL": self.headers.get("Git-Protocol", ""),
            "GIT_CONFIG_COUNT": "1",
            "GIT_CONFIG_KEY_0": "safe.directory",
            "GIT_CONFIG_VALUE_0": "*",
            "PATH_INFO": address.path,
            "QUERY_STRING": address.query,
            "REQUEST_METHOD": self.command,
            "CONTENT_TYPE": self.headers.get("Content-Type", ""),
            "CONTENT_LENGTH": str(len(body)),
            "REMOTE_ADDR": "127.0.0.1",
        }
        done = subprocess.run(
            ["git", "http-backend"], env=env, input=body, capture_output=True, check=False
        )
        head, _, content = done.stdout.partition(b"\r\n\r\n")
        pairs = [line.split(": ", 1) for line in head.decode().split("\r\n") if ": " in line]
        headers = dict(pairs)
        status = int(headers.pop("Status", "200 OK").split()[0])
        return status, headers, content

    def _reply(self, status: int, headers: dict[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


def _certificate(folder: Path) -> tuple[Path, Path]:
    """A self-signed certificate for localhost and its key, as files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = dt.datetime.now(dt.UTC)
    names = [
        x509.DNSName("localhost"),
        x509.DNSName("pinned.example.test"),
        x509.IPAddress(ipaddress.ip_address("127.0.0.1")),
    ]
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    cert_file, key_file = folder / "ca.pem", folder / "key.pem"
    cert_file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    key_file.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    return cert_file, key_file


@contextmanager
def serve(root: Path, keys: Path) -> Iterator[Host]:
    """Serve the repositories below `root` until the block ends; `keys` takes the certificate."""
    cert_file, key_file = _certificate(keys)
    server = _Server(("127.0.0.1", 0), _Handler)
    server.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.tls.load_cert_chain(cert_file, key_file)
    server.host = Host(root, cert_file, server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server.host
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def fetch(host: Host, target: Path, path: str = "acme/app", **options) -> Clone:
    return clone(host.url(path), target, ca_file=host.ca_file, **options)


def failure(host: Host, target: Path, path: str = "acme/app", **options) -> GitError:
    """The error of a first clone, which must leave nothing behind."""
    with pytest.raises(GitError) as caught:
        fetch(host, target, path, **options)
    assert not target.exists()
    return caught.value


def command_lines() -> list[str]:
    """The arguments of every process of this machine."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(file.read_bytes().replace(b"\0", b" ").decode(errors="replace"))
        except OSError:  # the process has ended meanwhile
            continue
    return lines


def refusal(code, function, *arguments) -> str:
    with pytest.raises(GitError) as caught:
        function(*arguments)
    assert caught.value.code == code
    return str(caught.value)
