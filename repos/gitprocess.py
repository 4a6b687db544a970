"""How git is started: nothing inherited, nothing of a repository's own configuration obeyed.

The only file that starts a git process. Repositories are hostile: every setting with which a
.git/config could run a program is overridden from the environment, which git ranks highest.
"""

import math
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Literal

Code = Literal[
    "unknown_host",
    "not_found",
    "auth",
    "too_large",
    "timeout",
    "empty",
    "no_such_ref",
    "refused",
    "unreachable",
    "cancelled",
    "broken",
]

POLL_SECONDS = 0.1
READ_SECONDS = 300.0
MAX_OUTPUT = 128 * 1024 * 1024
TAIL_BYTES = 2000
GONE_SECONDS = 2.0  # where nobody reaps orphans, their group never goes

Stream = int | IO[bytes]

# Whatever a hostile .git/config says about these, this is what counts.
_OVERRIDES = {
    "core.fsmonitor": "false",
    "core.hooksPath": "/dev/null",
    "core.attributesFile": "/dev/null",
    "core.excludesFile": "/dev/null",
    "core.alternateRefsCommand": "false",
    "core.sshCommand": "false",
    "core.askPass": "",
    "core.pager": "cat",
    "core.untrackedCache": "false",
    "core.sparseCheckout": "false",
    "core.symlinks": "true",
    "core.ignoreCase": "false",
    "core.precomposeUnicode": "false",
    "core.bigFileThreshold": "16m",
    "index.sparse": "false",
    "credential.helper": "",
    "diff.external": "",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "protocol.allow": "never",
    "protocol.file.allow": "never",
    "protocol.ext.allow": "never",
    "safe.directory": "*",
    "submodule.recurse": "false",
    "fetch.recurseSubmodules": "false",
}


class GitError(Exception):
    """What git could not do; `code` for programs, the message (one plain line) for people."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code: Code = code


@dataclass(frozen=True, slots=True)
class Finished:
    """A git process that has ended by itself."""

    status: int
    out: bytes
    err: str


def environment(
    config: Mapping[str, str] | None = None,
    *,
    protocols: str = "none",
    extra: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The whole environment of a git process; `config` goes on top of the overrides.

    Settings travel as variables, not as `-c` arguments: arguments are visible to every user.
    """
    settings = [*_OVERRIDES.items(), *(config or {}).items()]
    env = {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": "/nonexistent",
        "LC_ALL": "C.UTF-8",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_SYSTEM": "/dev/null",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "GIT_PAGER": "cat",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "GIT_ALLOW_PROTOCOL": protocols,
        "GIT_CONFIG_COUNT": str(len(settings)),
    }
    for number, (key, value) in enumerate(settings):
        env[f"GIT_CONFIG_KEY_{number}"] = key
        env[f"GIT_CONFIG_VALUE_{number}"] = value
    return env | dict(extra or {})


def start(
    arguments: Sequence[str],
    env: Mapping[str, str],
    cwd: Path,
    streams: tuple[Stream, Stream, Stream],
    *,
    leash: Sequence[str] = (),
) -> subprocess.Popen[bytes]:
    """Start git as the leader of its own process group, so that `stop` reaches its children.

    `streams` are standard input, output and error; `leash` a command to start git through.
    """
    try:
        return subprocess.Popen(
            [*leash, "git", *arguments],
            stdin=streams[0],
            stdout=streams[1],
            stderr=streams[2],
            env=dict(env),
            cwd=cwd,
            start_new_session=True,
        )
    except OSError as error:
        raise GitError(
            "broken", f"git could not be started in its folder: {error.strerror}."
        ) from error


def stop(process: subprocess.Popen[bytes]) -> None:
    """Kill the whole group at once and wait until it has gone.

    A child that still writes would bring back files that the caller removes.
    """
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):  # what was not yet written cannot be
                stream.close()
    process.wait()
    patience = time.monotonic() + GONE_SECONDS
    while _group_lives(process.pid) and time.monotonic() < patience:
        time.sleep(0.01)


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)  # asks, and sends nothing
    except (ProcessLookupError, PermissionError):
        return False
    return True


def run(
    arguments: Sequence[str],
    *,
    env: Mapping[str, str],
    cwd: Path,
    data: bytes = b"",
    deadline: float | None = None,
    max_output: int = MAX_OUTPUT,
    tick: Callable[[bytes], None] | None = None,
    leash: Sequence[str] = (),
) -> Finished:
    """Run git to its end, or kill its group at `deadline` (monotonic seconds) or `max_output`.

    `tick` sees the end of the standard error several times a second; what it raises ends the
    run. Files instead of pipes: nothing can block, and sizes are known without reading.
    """
    limit = deadline if deadline is not None else time.monotonic() + READ_SECONDS
    with TemporaryFile() as given, TemporaryFile() as out, TemporaryFile() as err:
        given.write(data)
        given.seek(0)
        process = start(arguments, env, cwd, (given, out, err), leash=leash)
        try:
            while not _ended(process):
                _check(limit, max_output, out.fileno())
                if tick is not None:
                    tick(_tail(err.fileno()))
        except BaseException:
            stop(process)
            raise
        _check(math.inf, max_output, out.fileno())
        if tick is not None:
            tick(_tail(err.fileno()))
        return Finished(process.returncode, _content(out), _content(err).decode(errors="replace"))


def die_with_us() -> list[str]:
    """A leash for long runs: the kernel kills git when this process is killed.

    A worker that dies by SIGKILL stops nothing itself, and a fetch could go on for hours. The
    child of git that talks to the host ends at its next byte, with nobody left to write it.
    """
    setpriv = shutil.which("setpriv")  # util-linux; where it is missing, the stall limit remains
    return [setpriv, "--pdeathsig", "KILL", "--"] if setpriv else []


def _ended(process: subprocess.Popen[bytes]) -> bool:
    try:
        process.wait(POLL_SECONDS)
    except subprocess.TimeoutExpired:
        return False
    return True


def _tail(file: int) -> bytes:
    """The last bytes, read without moving the offset that git writes at."""
    return os.pread(file, TAIL_BYTES, max(0, os.fstat(file).st_size - TAIL_BYTES))


def _content(file: IO[bytes]) -> bytes:
    file.seek(0)
    return file.read()


def _check(limit: float, max_output: int, out: int) -> None:
    if time.monotonic() > limit:
        raise GitError("timeout", "Git took longer than the time limit and was stopped.")
    if os.fstat(out).st_size > max_output:
        raise _too_much(max_output)


def _too_much(max_output: int) -> GitError:
    return GitError("too_large", f"Git's answer is larger than {max_output // 1024**2} MiB.")


def one_line(text: str) -> str:
    """The line of `text` with git's verdict, short and free of control characters."""
    lines = [line for line in text.splitlines() if line.startswith(("fatal:", "error:"))]
    shown = "".join(char for char in (lines or [""])[-1] if char.isprintable())
    return shown[:200] or "nothing"


def expect(finished: Finished, what: str) -> bytes:
    """The output of a run that must have worked; `what` names it for people."""
    if finished.status == 0:
        return finished.out
    raise GitError("broken", f"{what}. Git said: {one_line(finished.err)}")
