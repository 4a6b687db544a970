"""What Footnote adds to a model: from the question to the prompt, from the last token to the
checked statement, and the memory of a web process with fifty open streams.

A web server and an answer worker as in production, over the database of the benchmark; the model
is a scripted one on loopback, which answers at once and costs nothing.
"""

import os
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.db import connection

from answers import claims
from answers.models import Answer, Citation, Conversation
from search.evaluate import percentile
from search.preparing import prepare
from tests.answers.scripted import MODEL, prose, reply, seen_in
from tests.benchmarks.machine import resident_mib
from tests.benchmarks.site import USER, Site, served, wait_for
from tests.benchmarks.sources import SOURCES, folder
from tests.outbound.modelhost import Body, ModelHost

QUESTIONS = (
    "How is the session loaded from the signed cookie?",
    "How does a redirect change the method of a request?",
    "Where are fixtures resolved for a test function?",
    "How does the linter apply fixes to a file?",
    "What happens when a blueprint is registered twice?",
    "How are the arguments of the command line parsed?",
    "Which adapter sends the request over the connection?",
    "How are assertions rewritten on import?",
    "How are templates rendered before the parser sees them?",
    "Where is the configuration read from a file?",
)
ROUNDS = int(os.environ.get("BENCH_ROUNDS", "3"))
PAUSE = 0.01  # seconds between two pieces of three characters: faster than models write
CHECKED = "its statement, checked"
STREAMS = 50
STREAM_ROUNDS = ROUNDS + 2
STATEMENTS = 20  # of the answer that fifty readers watch
SECONDS = 600.0  # after which something is broken


class TimedHost(ModelHost):
    """Notes when a prompt arrives and when the last token of its reply has left.

    The host asks for `usage` once a stream has ended; before that, nobody does.
    """

    def __init__(self) -> None:
        self.arrived = self.last_token = 0.0
        self.gate = threading.Event()
        self.gate.set()
        self.statements = 1
        self._usage: Mapping[str, Any] | None = None
        super().__init__()
        self.reply = self._reply

    @property
    def usage(self) -> Mapping[str, Any] | None:
        self.last_token = self.last_token or time.monotonic()
        return self._usage

    @usage.setter
    def usage(self, value: Mapping[str, Any] | None) -> None:
        self._usage = value

    def _reply(self, body: Body) -> str:
        self.arrived, self.last_token = time.monotonic(), 0.0
        self.gate.wait(SECONDS)
        lines = [
            (seen.label, number, text)
            for seen in seen_in(body)
            for number, text in seen.lines.items()
            if len(text.strip()) >= 16
        ]
        return reply(
            *(
                prose(
                    f"This line does {'very ' * place}much.",
                    {"label": label, "start": number, "end": number, "quote": text.strip()},
                )
                for place, (label, number, text) in enumerate(lines[: self.statements])
            )
        )


def report() -> list[str]:
    names = [source.name for source in SOURCES]
    for source in SOURCES:
        prepare(source.name, source.commit, folder())
    with TimedHost().running() as host, served(_model(host), seconds=SECONDS) as site:
        assert isinstance(host, TimedHost)
        times = _times(site, host)
        host.pause = PAUSE
        paced = _times(site, host)
        host.pause = 0.0
        memory = _memory(site, host)
    Conversation.objects.filter(person__username=USER).delete()
    return [
        f"{len(times)} questions to {', '.join(names)} at once, {_circumstances()}:",
        "",
        "| from | to | p50 ms | p95 ms | goal ms |",
        "|---|---|---|---|---|",
        _row("the question (POST)", "the prompt at the model", [one[0] for one in times], 400),
        _row("the last token", CHECKED, [one[1] for one in paced], 50),
        _row(
            "the last token of a reply that comes all at once",
            CHECKED,
            [one[1] for one in times],
            50,
        ),
        "",
        *memory,
    ]


def _circumstances() -> str:
    return f"embeddings {settings.EMBEDDING_MODEL}, load {os.getloadavg()[0]:.1f}"


def _model(host: ModelHost) -> dict[str, str]:
    return {
        "FOOTNOTE_ANSWER_MODEL": MODEL,
        "FOOTNOTE_MODEL_BASE_URL": host.url,
        "FOOTNOTE_MODEL_KEY": "a key of the benchmark",
        "FOOTNOTE_MODEL_WINDOW_TOKENS": "16000",
    }


def _row(start: str, end: str, seconds: list[float], goal: int) -> str:
    p50, p95 = (percentile(seconds, share) * 1000 for share in (0.5, 0.95))
    return f"| {start} | {end} | {p50:.0f} | {p95:.0f} | {goal} |"


def _times(site: Site, host: TimedHost) -> list[tuple[float, float]]:
    """(question to prompt, last token to checked statement) in seconds."""
    site.ask(QUESTIONS[0])  # the first loads what is loaded once
    running = Answer.objects.filter(state=Answer.State.RUNNING)
    wait_for(lambda: not running.exists(), "the answer worker", SECONDS)
    asked = [_timed(site, host, question) for _ in range(ROUNDS) for question in QUESTIONS]
    return [one for one in asked if one is not None]


def _timed(site: Site, host: TimedHost, question: str) -> tuple[float, float] | None:
    """None where the answer abstained before a model was asked."""
    with _changes() as changes:
        began = time.monotonic()
        answer = site.ask(question)
        if not Answer.objects.exclude(model="").filter(pk=answer).exists():
            return None
        for changed, when in changes:
            if changed == answer and _is_checked(answer):
                # No last token yet: the statement was checked before the stream had ended.
                return host.arrived - began, max(when - (host.last_token or when), 0.0)
    raise SystemExit(f"bench: no statement of {question!r} was checked.")


def _is_checked(answer: uuid.UUID) -> bool:
    rows = Citation.objects.filter(statement__answer=answer)
    return rows.exclude(verdict=Citation.Verdict.PENDING).exists()


@contextmanager
def _changes() -> Iterator[Iterator[tuple[uuid.UUID, float]]]:
    """(answer, when) for each change that pages hear of."""
    own = connection.copy()
    try:
        with own.cursor() as cursor:
            cursor.execute(f"LISTEN {claims.CHANGED}")
        raw: Any = own.connection
        heard = raw.notifies(timeout=SECONDS)
        yield ((uuid.UUID(one.payload), time.monotonic()) for one in heard)
        heard.close()
    finally:
        own.close()


def _memory(site: Site, host: TimedHost) -> list[str]:
    before = resident_mib(site.web.pid)
    lines = [
        f"One web process, {STREAMS} readers of one answer of {STATEMENTS} statements:",
        "",
        "| round | open MiB | after all statements MiB | closed MiB |",
        "|---|---|---|---|",
    ]
    for number in range(1, STREAM_ROUNDS + 1):
        opened, written, closed = _watched(site, host)
        lines.append(f"| {number} | {opened:.0f} | {written:.0f} | {closed:.0f} |")
    return [*lines, "", f"Before the first stream: {before:.0f} MiB."]


def _watched(site: Site, host: TimedHost) -> tuple[float, float, float]:
    """Resident MiB with all streams open, when all is written, and when all are closed."""
    host.statements = STATEMENTS
    host.gate.clear()
    answer = site.ask(QUESTIONS[0])
    with _reading(site, answer):
        opened = resident_mib(site.web.pid)
        host.gate.set()
        running = Answer.objects.filter(pk=answer, state=Answer.State.RUNNING)
        wait_for(lambda: not running.exists(), "the answer worker", SECONDS)
        written = resident_mib(site.web.pid)
    host.statements = 1
    return opened, written, resident_mib(site.web.pid)


@contextmanager
def _reading(site: Site, answer: uuid.UUID) -> Iterator[None]:
    """Fifty readers of its stream; all have got their first bytes when the block begins, and all
    have reached its end afterwards."""
    begun = threading.Semaphore(0)

    def read() -> None:
        events = site.events(answer)
        next(events)
        begun.release()
        for _ in events:
            pass

    threads = [threading.Thread(target=read, daemon=True) for _ in range(STREAMS)]
    for thread in threads:
        thread.start()
    for _ in threads:
        if not begun.acquire(timeout=SECONDS):
            raise SystemExit("bench: a stream does not begin.")
    yield
    for thread in threads:
        thread.join(SECONDS)
