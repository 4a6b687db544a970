"""`manage.py answer_worker`: writes the answers that wait for a model, several at a time."""

import logging
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError, connection, connections

from answers import claims
from answers.jobs import write_answer
from answers.llm import is_configured
from answers.models import Answer
from outbound import sealing

LOOK_SECONDS = 2.0  # for what was notified to nobody, and for claims of dead workers
RETRY_SECONDS = 1.0
LEAVING_SECONDS = 3.0  # for threads whose answer was given back to end their model calls

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Write the answers that wait for a model; runs until it is told to stop."

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_configured():
            raise CommandError("No model is set up: FOOTNOTE_ANSWER_MODEL names one.")
        stopping = threading.Event()
        # What is written here ends the wait of the listener, which may sleep for seconds.
        waking, woken = os.pipe()

        def stop(*_: object) -> None:
            stopping.set()
            os.write(woken, b"x")

        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, stop)
        sealing.load()  # takes seconds, which nobody's first question should wait for
        worker = Worker(stopping, settings.ANSWER_THREADS, waking)
        worker.run()
        if not worker.leave():
            # A thread waits for a model that says nothing. Its answer is another worker's already.
            logging.shutdown()
            sys.stdout.flush()
            os._exit(0)


class Worker:
    """Claims an answer whenever a thread is free and one waits.

    `waking` is a file that becomes readable when `stopping` is set.
    """

    def __init__(self, stopping: threading.Event, threads: int, waking: int) -> None:
        self._stopping = stopping
        self._waking = waking
        self._free = threading.Semaphore(threads)
        self._lock = threading.Lock()
        self._written: dict[threading.Thread, Answer] = {}

    def run(self) -> None:
        while not self._stopping.is_set():
            try:
                self._listen()
            except (OperationalError, InterfaceError) as error:
                logger.warning("no database for now: %s", type(error).__name__)
                self._stopping.wait(RETRY_SECONDS)

    def leave(self) -> bool:
        """Give back what is being written, now; False where a thread does not end."""
        with self._lock:
            left = dict(self._written)
        try:
            for answer in left.values():
                claims.give_back(answer)
        except (OperationalError, InterfaceError) as error:
            logger.warning("not given back: %s; claims end by themselves", type(error).__name__)
        until = time.monotonic() + LEAVING_SECONDS
        for thread in left:
            thread.join(max(until - time.monotonic(), 0))
        return not any(thread.is_alive() for thread in left)

    def _listen(self) -> None:
        with _listening() as raw:
            while not self._stopping.is_set():
                self._drain()
                select.select([raw.fileno(), self._waking], [], [], LOOK_SECONDS)
                for _notification in raw.notifies(timeout=0):
                    pass

    def _drain(self) -> None:
        """Hand out all that waits, as far as threads are free."""
        while not self._stopping.is_set() and self._free.acquire(blocking=False):
            try:
                answer = claims.claim_next()
            except BaseException:
                self._free.release()
                raise
            if answer is None:
                self._free.release()
                return
            thread = threading.Thread(
                target=self._write, args=(answer,), name=f"answer-{answer.pk}", daemon=True
            )
            with self._lock:
                self._written[thread] = answer
            thread.start()

    def _write(self, answer: Answer) -> None:
        try:
            write_answer(answer)
        except (OperationalError, InterfaceError) as error:
            logger.warning("answer %s: the database went away: %s", answer.pk, error)
        finally:
            with self._lock:
                self._written.pop(threading.current_thread(), None)
            self._free.release()
            self._wake()

    def _wake(self) -> None:
        """Say that a thread is free. The answer is saved: nothing is lost where this fails."""
        try:
            claims.wake_workers()
        except (OperationalError, InterfaceError) as error:
            logger.warning("no database for now: %s", type(error).__name__)
        finally:
            connection.close()


@contextmanager
def _listening() -> Iterator[Any]:
    own = connections.create_connection("default")
    try:
        with own.cursor() as cursor:
            cursor.execute(f"LISTEN {claims.WAITING}")
        yield own.connection
    finally:
        own.close()
