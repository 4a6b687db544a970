"""A pool of child processes that derive files; a file that kills its child costs one file.

Some grammars crash (SIGSEGV) or hang on hostile text. Files go out in batches with a time
limit; when a batch is lost its files go again one by one, then without the parser, and what
fails even then is reported as that file's failure.
"""

import ctypes
import gc
import multiprocessing
import os
import resource
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import TimeoutError as TaskTimeout
from dataclasses import dataclass, replace
from typing import Protocol, Self

from pebble import ProcessExpired, ProcessPool

from indexing.decode import Undecodable
from indexing.deriving import FileInput, derive
from indexing.packing import PackedFile, pack_file
from indexing.scrubbing.policy import Policy

BATCH_FILES = 64
BATCH_BYTES = 200_000
# Of files that are derived before the walk has ended; what comes of them waits in memory.
AHEAD_BYTES = 8 * 2**20
PR_SET_PDEATHSIG = 1  # linux/prctl.h
RECYCLE_AFTER = 2_000  # batches; grammars may leak
# Of address space, libraries included: a grammar that eats memory ends its child, not the machine.
CHILD_BYTES = 4 * 2**30
# A batch's limit is in seconds of processor time, else a busy machine would cost files their
# symbols; by the clock it may take so many times as long.
PATIENCE = 12


@dataclass(frozen=True, slots=True)
class FailedFile:
    """A file that gave no rows at all, and why."""

    file_id: int
    path: str
    reason: str


Outcome = PackedFile | FailedFile
Work = Callable[[tuple[FileInput, ...], Policy], list[Outcome]]


class _Future(Protocol):
    def result(self) -> list[Outcome]: ...

    def exception(self) -> BaseException | None: ...


class _Batch:
    """Files for one child at a time, up to a number and a size."""

    def __init__(self) -> None:
        self.files: list[FileInput] = []
        self.size = 0

    def has_room_for(self, file: FileInput) -> bool:
        """One file always has room, however large."""
        fits = len(self.files) < BATCH_FILES and self.size + len(file.data) <= BATCH_BYTES
        return fits or not self.files

    def add(self, file: FileInput) -> None:
        self.files.append(file)
        self.size += len(file.data)


_Sent = deque[tuple[tuple[FileInput, ...], _Future]]


def start_child(parent: int) -> None:
    """End with the parent, however it ends: a killed worker must not leave children behind."""
    gc.freeze()  # what is loaded stays; looking through it again and again takes a thirtieth
    resource.setrlimit(resource.RLIMIT_AS, (CHILD_BYTES, CHILD_BYTES))
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    # A crash must not write the text it was reading, which nobody has scrubbed, to the disk.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if os.getppid() != parent:  # the parent died before the call above
        os.kill(os.getpid(), signal.SIGKILL)


def derive_batch(files: tuple[FileInput, ...], policy: Policy) -> list[Outcome]:
    """What a child does: an undecodable file is an outcome, anything else ends the batch."""
    outcomes: list[Outcome] = []
    for file in files:
        try:
            outcomes.append(pack_file(derive(file, policy)))
        except Undecodable as error:
            outcomes.append(FailedFile(file.file_id, file.path, str(error)))
    return outcomes


def within(seconds: int, work: Work, files: tuple[FileInput, ...], policy: Policy) -> list[Outcome]:
    """What `work` gives in at most so many seconds of processor time; then the kernel ends us."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    most = int(used.ru_utime + used.ru_stime) + 1 + seconds
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)  # an administrator's; it cannot be raised
    if hard != resource.RLIM_INFINITY:
        most = min(most, hard)
    resource.setrlimit(resource.RLIMIT_CPU, (most, hard))
    return work(files, policy)


class DerivePool:
    """Use as a context manager; `outcomes` keeps the order of batches, not of files.

    `begun` are the files that `begin` took, by path, with git's hash of their bytes.
    """

    def __init__(self, *, processes: int, seconds: int, policy: Policy) -> None:
        self._processes = processes or os.cpu_count() or 1
        self._seconds = seconds
        self._policy = policy
        self._pool = self._new_pool()
        self.begun: dict[str, str] = {}
        self._room = AHEAD_BYTES
        self._begun = _Sent()
        self._next = _Batch()

    def _new_pool(self) -> ProcessPool:
        return ProcessPool(
            max_workers=self._processes,
            max_tasks=RECYCLE_AFTER,
            initializer=start_child,
            initargs=[os.getpid()],
            context=multiprocessing.get_context("spawn"),
        )

    def __enter__(self) -> Self:
        return self

    def start(self) -> None:
        """Let the children start and load what they need, while there is nothing to do yet."""
        _ = self._pool.active

    def __exit__(self, *_: object) -> None:
        self._pool.stop()  # type: ignore[no-untyped-call]
        self._pool.join()

    def begin(self, path: str, data: bytes, sha: str) -> None:
        """Derive a file that has no row yet, as long as there is room for what comes of it.

        Its outcome has the number 0 and comes before those of the files given to `outcomes`.
        """
        if len(data) > self._room:
            return
        self._room -= len(data)
        self.begun[path] = sha
        file = FileInput(0, path, data)
        if not self._next.has_room_for(file):
            self._send_begun()
        self._next.add(file)

    def _send_begun(self) -> None:
        if batch := tuple(self._next.files):
            self._begun.append((batch, self._send(batch)))
        self._next = _Batch()

    def outcomes(self, files: Iterable[FileInput]) -> Iterator[list[Outcome]]:
        """One list a batch. Only a few batches are under way, so memory stays flat."""
        self._send_begun()
        waiting, self._begun = self._begun, _Sent()
        for batch in _batches(files):
            waiting.append((batch, self._send(batch)))
            while len(waiting) > 2 * self._processes:
                yield self._collect(*waiting.popleft())
        while waiting:
            yield self._collect(*waiting.popleft())

    def _send(self, batch: tuple[FileInput, ...]) -> _Future:
        if not self._pool.active:  # a child died before it had anything to do
            self._pool = self._new_pool()
        arguments = (self._seconds, derive_batch, batch, self._policy)
        most = PATIENCE * self._seconds
        future: _Future = self._pool.schedule(within, arguments, timeout=most)
        return future

    def _collect(self, batch: tuple[FileInput, ...], future: _Future) -> list[Outcome]:
        error = future.exception()
        if error is None:
            return future.result()
        if len(batch) > 1:
            singles = [((file,), self._send((file,))) for file in batch]
            return [one for single in singles for one in self._collect(*single)]
        return self._without_parser(batch[0], error)

    def _without_parser(self, file: FileInput, error: BaseException) -> list[Outcome]:
        if file.parse:
            again = (replace(file, parse=False),)
            return self._collect(again, self._send(again))
        return [FailedFile(file.file_id, file.path, self._reason(error))]

    def _reason(self, error: BaseException) -> str:
        if isinstance(error, TaskTimeout) or _is_out_of_time(error):
            return f"took longer than {self._seconds} seconds"
        # Not the message: it may quote the file, which has perhaps not been scrubbed yet.
        return f"the process that read it ended ({type(error).__name__})"


def _is_out_of_time(error: BaseException) -> bool:
    return isinstance(error, ProcessExpired) and error.exitcode == -signal.SIGXCPU


def _batches(files: Iterable[FileInput]) -> Iterator[tuple[FileInput, ...]]:
    batch = _Batch()
    for file in files:
        if not batch.has_room_for(file):
            yield tuple(batch.files)
            batch = _Batch()
        batch.add(file)
    if batch.files:
        yield tuple(batch.files)
