"""A provider on loopback: speaks OpenAI's protocol over real HTTP, and misbehaves on demand.

Chat completions (whole and streamed) and embeddings. Each request takes the next `Step` of the
script; without one it is answered well.
"""

import hashlib
import json
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Step:
    """What goes wrong with one request. `stall_after` and `cut_after` count pieces of a stream;
    `raw` is sent instead of what would be right; `change` changes the right answer."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    message: str = "the provider's own words"
    raw: bytes | None = None
    silent: bool = False  # never answers
    stall_after: int | None = None
    pings: bool = False  # comment lines while it stalls
    cut_after: int | None = None
    change: Callable[[dict[str, Any]], dict[str, Any]] | None = None
    reply: str | None = None


@dataclass(frozen=True, slots=True)
class Received:
    path: str
    body: Body
    headers: Mapping[str, str]


def vector_of(text: str, dimension: int) -> list[float]:
    """The same text has the same vector, of length 1."""
    seed = hashlib.shake_256(text.encode()).digest(dimension)
    numbers = [byte - 127.5 for byte in seed]
    length = math.sqrt(sum(number * number for number in numbers))
    return [number / length for number in numbers]


class ModelHost:
    """`reply` is what chat answers, or what makes it of the request; `most_texts` and
    `most_words` are the limits of the embedding side (of a batch, and of one text)."""

    def __init__(self) -> None:
        self.requests: list[Received] = []
        self.steps: deque[Step] = deque()
        self.reply: str | Callable[[Body], str] = "Hello there, reader."
        self.usage: Mapping[str, Any] | None = {"prompt_tokens": 11, "completion_tokens": 5}
        self.dimension = 8
        self.most_texts = 1_000
        self.most_words = 1_000
        self.pause = 0.0  # seconds between two pieces of a stream
        self.key = ""  # what must be sent; "" takes any
        self.ending = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler_for(self))
        self._server.daemon_threads = True

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self._server.server_address[1]}"

    def script(self, *steps: Step) -> None:
        self.steps.extend(steps)

    def texts(self) -> list[list[str]]:
        """The inputs of each embedding request."""
        return [list(one.body["input"]) for one in self.requests if "input" in one.body]

    @contextmanager
    def running(self) -> Iterator["ModelHost"]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self.ending.set()
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    def chat(self, body: Body, step: Step) -> str:
        if step.reply is not None:
            return step.reply
        return self.reply if isinstance(self.reply, str) else self.reply(body)

    def embeddings(self, body: Body) -> dict[str, Any]:
        texts = body["input"]
        data = [
            {"object": "embedding", "index": place, "embedding": vector_of(text, self.dimension)}
            for place, text in enumerate(texts)
        ]
        tokens = sum(len(text.split()) for text in texts)
        return {
            "object": "list",
            "model": body["model"],
            "data": data,
            "usage": {"prompt_tokens": tokens, "total_tokens": tokens},
        }

    def refusal(self, body: Body) -> str:
        """Why a real provider would not take this input; "" if it would."""
        texts: Sequence[str] = body.get("input", ())
        if any(not text.strip() for text in texts):
            return "'$.input' is invalid: input cannot be an empty string"
        if len(texts) > self.most_texts:
            return f"batch size {len(texts)} exceeds the maximum of {self.most_texts}"
        longest = max((len(text.split()) for text in texts), default=0)
        if longest > self.most_words:
            return f"This model's maximum context length is {self.most_words} tokens"
        return ""


def pieces_of(text: str) -> list[str]:
    """Pieces that end anywhere, as tokens do."""
    return [text[start : start + 3] for start in range(0, len(text), 3)]


def _handler_for(host: ModelHost) -> type[BaseHTTPRequestHandler]:  # noqa: C901
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            host.requests.append(Received(self.path, body, dict(self.headers)))
            step = host.steps.popleft() if host.steps else Step()
            if step.silent:
                host.ending.wait(30)
                self.close_connection = True
            elif host.key and self.headers["Authorization"] != f"Bearer {host.key}":
                self._error(401, "Incorrect API key provided", {})
            elif step.status != 200:
                self._error(step.status, step.message, step.headers)
            elif step.raw is not None:
                self._send(200, step.raw, {})
            elif refusal := host.refusal(body):
                self._error(400, refusal, {})
            elif "input" in body:
                self._json(host.embeddings(body), step)
            elif body.get("stream"):
                self._stream(body, step)
            else:
                self._json(self._completion(body, step), step)

        def _completion(self, body: Body, step: Step) -> dict[str, Any]:
            message = {"role": "assistant", "content": host.chat(body, step)}
            found: dict[str, Any] = {
                "id": "c1",
                "object": "chat.completion",
                "created": 1,
                "model": body["model"],
                "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            }
            return {**found, "usage": self._usage()} if host.usage else found

        def _usage(self) -> dict[str, Any]:
            usage = dict(host.usage or {})
            return {**usage, "total_tokens": usage["prompt_tokens"] + usage["completion_tokens"]}

        def _stream(self, body: Body, step: Step) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Connection", "close")
            self.end_headers()
            self.close_connection = True
            for number, piece in enumerate(pieces_of(host.chat(body, step))):
                if host.pause:
                    time.sleep(host.pause)
                if number == step.cut_after:
                    return
                if number == step.stall_after:
                    self._stall(step)
                    return
                if not self._event(body, {"content": piece}, None):
                    return
            if self._event(body, {}, "stop") and host.usage:
                self._event(body, None, None)
            self._write(b"data: [DONE]\n\n")

        def _stall(self, step: Step) -> None:
            while not host.ending.wait(0.1):
                if step.pings and not self._write(b": ping\n\n"):
                    return

        def _event(self, body: Body, delta: dict[str, Any] | None, finish: str | None) -> bool:
            choices = [] if delta is None else [
                {"index": 0, "delta": delta, "finish_reason": finish}
            ]  # fmt: skip
            event: dict[str, Any] = {
                "id": "c1", "object": "chat.completion.chunk", "created": 1,
                "model": body["model"], "choices": choices,
            }  # fmt: skip
            if delta is None:
                event["usage"] = self._usage()
            return self._write(b"data: " + json.dumps(event).encode() + b"\n\n")

        def _write(self, data: bytes) -> bool:
            """False where the reader has gone."""
            try:
                self.wfile.write(data)
                self.wfile.flush()
            except OSError:
                return False
            return True

        def _json(self, found: dict[str, Any], step: Step) -> None:
            found = step.change(found) if step.change else found
            self._send(200, json.dumps(found).encode(), step.headers)

        def _error(self, status: int, message: str, headers: Mapping[str, str]) -> None:
            error = {"message": message, "type": "invalid_request_error", "code": None}
            self._send(status, json.dumps({"error": error}).encode(), headers)

        def _send(self, status: int, data: bytes, headers: Mapping[str, str]) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self._write(data)

    return Handler
