"""Runs a function as a user without rights, for what root would be allowed to do."""

import os
from collections.abc import Callable

NOBODY = 65534


def as_nobody(call: Callable[[], object]) -> str:
    """The result of the call as text, or "refused: " and the message of what it raised."""
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        _report(call, writing)
    os.close(writing)
    with os.fdopen(reading, encoding="utf-8") as pipe:
        text = pipe.read()
    os.waitpid(pid, 0)
    return text


def _report(call: Callable[[], object], writing: int) -> None:
    """In the child: never returns, so that pytest does not run on twice."""
    text = "died"
    try:
        if os.geteuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        text = str(call())
    except BaseException as error:  # the parent asserts on whatever it was
        text = f"refused: {error}"
    finally:
        os.write(writing, text.encode())
        os._exit(0)
