"""Stands for grammars that crash, hang, raise or eat memory; imported by the parser children."""

import os
import signal
import time

from indexing.deriving import FileInput
from indexing.scrubbing.policy import Policy
from indexing.workers import Outcome, derive_batch

GRAMMARS = ("crash", "hang", "raise", "memory", "sleep")  # bad with the parser only
WAITS = ("wait",)  # as on a busy machine
WAIT_SECONDS = 3
READERS = ("always",)  # bad without it, too


def derive_with_faults(files: tuple[FileInput, ...], policy: Policy) -> list[Outcome]:
    for file in files:
        name = file.path.partition(".")[0]
        if file.parse and name in GRAMMARS:
            _misbehave(name)
        if name in WAITS:
            time.sleep(WAIT_SECONDS)
        if name in READERS:
            os.kill(os.getpid(), signal.SIGSEGV)
    return derive_batch(files, policy)


def _misbehave(name: str) -> None:
    if name == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    while name == "hang":
        pass
    if name == "sleep":
        time.sleep(1000)
    if name == "memory":
        bytearray(64 * 2**30)
    raise ValueError("text of the file")
