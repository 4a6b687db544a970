"""The data folder (FOOTNOTE_DATA): made on first use, with its locks and its secrets."""

import contextlib
import fcntl
import os
import pwd
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from config.refused import StartRefused


def make(data: Path) -> None:
    """Make the folder and prove that it can be written to. Raises StartRefused."""
    # The embedded server runs as another user under root and must pass through.
    mode = 0o711 if os.geteuid() == 0 else 0o700
    try:
        data.mkdir(mode=mode, parents=True, exist_ok=True)
        descriptor, probe = tempfile.mkstemp(prefix=".writable-", dir=data)
        os.close(descriptor)
        Path(probe).unlink()
        # Django refuses every command while FILE_UPLOAD_TEMP_DIR is not there.
        (data / "uploads").mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        message = (
            f"The data folder {data} cannot be used by {user_name(os.geteuid())}: "
            f"{error.strerror}. Make it writable, or set FOOTNOTE_DATA to a folder that is."
        )
        raise StartRefused(message) from error


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock between processes; it ends with the process that holds it."""
    try:
        file = path.open("a", encoding="ascii")
    except OSError as error:
        raise StartRefused(_unusable(path, error)) from error
    with file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def read_or_create_secret(path: Path) -> str:
    """A random secret kept in `path`, which is in a folder of the data folder (mode 0600).

    Of several first callers one wins.
    """
    try:
        if not path.exists():
            _create_secret(path)
        secret = path.read_text(encoding="ascii").strip()
    except UnicodeDecodeError as error:
        raise StartRefused(f"{path} does not hold a secret: it is not ASCII text.") from error
    except OSError as error:
        raise StartRefused(_unusable(path, error)) from error
    if not secret:
        message = f"{path} is empty. Restore it from a backup; what it encrypted needs it."
        raise StartRefused(message)
    return secret


def _create_secret(path: Path) -> None:
    make(path.parent.parent)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=path.parent, encoding="ascii") as draft:
        draft.write(secrets.token_urlsafe(48))
        draft.flush()
        os.fsync(draft.fileno())
        # A link fails where the name is taken: no secret is ever overwritten.
        with contextlib.suppress(FileExistsError):
            os.link(draft.name, path)


def user_name(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return f"user number {uid}"


def _unusable(path: Path, error: OSError) -> str:
    user = user_name(os.geteuid())
    return (
        f"{path} cannot be read or written by {user}: {error.strerror}. Run Footnote as the "
        "user that created the data folder, or set FOOTNOTE_DATA to another folder."
    )
