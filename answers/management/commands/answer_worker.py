"""`manage.py answer_worker`: writes the answers that wait for a model, several at a time."""

import logging
import select
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import InterfaceError, OperationalError, connection, connections

from answers import claims
from answers.jobs import write_answer
from answers.llm import is_configured
from outbound import completion

LOOK_SECONDS = 2.0  # for what was notified to nobody, and for claims of dead workers
RETRY_SECONDS = 1.0

logger = logging.getLogger(__name__)


class Command(BaseCommand):
    help = "Write the answers that wait for a model; runs until it is told to stop."

    def handle(self, *args: Any, **options: Any) -> None:
        if not is_configured():
            raise CommandError("No model is set up: FOOTNOTE_ANSWER_MODEL names one.")
        stopping = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopping.set())
        completion.warm_up()
        Worker(stopping, settings.ANSWER_THREADS).run()


class Worker:
    """Claims an answer whenever a thread is free and one waits."""

    def __init__(self, stopping: threading.Event, threads: int) -> None:
        self._stopping = stopping
        self._free = threading.Semaphore(threads)
        self._threads = threads

    def run(self) -> None:
        with ThreadPoolExecutor(self._threads, thread_name_prefix="answer") as pool:
            while not self._stopping.is_set():
                try:
                    self._listen(pool)
                except (OperationalError, InterfaceError) as error:
                    logger.warning("no database for now: %s", type(error).__name__)
                    self._stopping.wait(RETRY_SECONDS)

    def _listen(self, pool: ThreadPoolExecutor) -> None:
        with _listening() as raw:
            while not self._stopping.is_set():
                self.drain(pool)
                select.select([raw.fileno()], [], [], LOOK_SECONDS)
                for _notification in raw.notifies(timeout=0):
                    pass

    def drain(self, pool: ThreadPoolExecutor) -> None:
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
            pool.submit(self._write, answer)

    def _write(self, answer: Any) -> None:
        try:
            write_answer(answer)
        except (OperationalError, InterfaceError) as error:
            logger.warning("answer %s: the database went away: %s", answer.pk, error)
        finally:
            connection.close()
            self._free.release()
            claims.wake_workers()


@contextmanager
def _listening() -> Iterator[Any]:
    own = connections.create_connection("default")
    try:
        with own.cursor() as cursor:
            cursor.execute(f"LISTEN {claims.WAITING}")
        yield own.connection
    finally:
        own.close()
