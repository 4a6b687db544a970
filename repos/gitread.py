"""Reading with git what is already on this disk: trees, blobs, attributes, work trees.

Nothing here runs filters, textconv or hooks, and nothing reaches the network.
"""

import hashlib
import os
import re
import stat
import subprocess
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from repos.gitprocess import MAX_OUTPUT, GitError, environment, expect, run, start, stop

ATTRIBUTES = ("linguist-generated", "linguist-vendored", "working-tree-encoding")

_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_FORBIDDEN_REF = re.compile(
    r"[\x00-\x20\x7f~^:?*\[\\]|\.\.|@\{|//|\.lock(?:/|$)|(?:^|/)\.|^-|[/.]$|^/"
)
_NOT_READ = frozenset({stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFBLK})
# Skipping this much of an unwanted blob through the pipe is quicker than a new process.
_SKIP_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class TreeEntry:
    """One path of a commit; `type` is blob or commit (a submodule, which has no size)."""

    mode: str
    type: str
    sha: str
    size: int | None
    path: bytes


def check_ref(ref: str) -> str:
    """The same name, if git allows it for a branch or tag."""
    if not ref or len(ref) > 1000 or _FORBIDDEN_REF.search(ref) or ref == "@":
        raise GitError("refused", "This cannot be the name of a branch or tag. Check the spelling.")
    return ref


def blob_sha(data: bytes) -> str:
    """Git's own hash of a file with these bytes."""
    header = b"blob %d\0" % len(data)
    return hashlib.sha1(header + data, usedforsecurity=False).hexdigest()


def head_commit(git_dir: Path, ref: str = "HEAD") -> str:
    """The commit that `ref` (HEAD, a full or short name, a commit) leads to; `empty` if unborn."""
    name = f"{check_ref(ref)}^{{commit}}"
    arguments = ["rev-parse", "--verify", "--quiet", "--end-of-options", name]
    done = run(arguments, env=_env(git_dir), cwd=git_dir)
    if done.status == 0:
        return done.out.decode().strip()
    if ref == "HEAD":
        raise GitError("empty", "The repository has no commits yet: nothing to index.")
    raise GitError("no_such_ref", "There is no such branch, tag or commit in the repository.")


def list_tree(git_dir: Path, commit: str, *, max_bytes: int = MAX_OUTPUT) -> list[TreeEntry]:
    """Every path of the commit, as git stores it (bytes, unquoted).

    A few nested trees can stand for billions of paths: a list above `max_bytes` is `too_large`.
    """
    arguments = ["ls-tree", "-r", "-z", "-l", "--full-tree", _checked_sha(commit)]
    out = expect(
        run(arguments, env=_env(git_dir), cwd=git_dir, max_output=max_bytes),
        "The files of the commit cannot be listed",
    )
    return [_entry(record) for record in out.split(b"\0") if record]


def _entry(record: bytes) -> TreeEntry:
    meta, _, path = record.partition(b"\t")
    mode, kind, sha, size = meta.decode("ascii").split()
    return TreeEntry(mode, kind, sha, None if size == "-" else int(size), path)


def tree_of_head(folder: Path) -> list[TreeEntry]:
    """The tracked files of a checkout at its HEAD."""
    git_dir = git_dir_of(folder)
    return list_tree(git_dir, head_commit(git_dir))


class BlobReader:
    """Blobs by hash through one `git cat-file --batch`; use as a context manager.

    One question is under way at a time, so neither pipe can fill up while the other waits.
    A process that dies over a damaged object is replaced at the next question.
    """

    def __init__(self, git_dir: Path) -> None:
        self._git_dir = git_dir
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def read(self, sha: str, max_bytes: int) -> bytes:
        """The first `max_bytes` of the blob; GitError `broken` if it is missing or damaged."""
        try:
            return self._ask(_checked_sha(sha), max_bytes)
        except (OSError, EOFError, ValueError) as error:
            self._end()
            raise GitError("broken", f"The object {sha[:12]} is missing or damaged.") from error

    def _ask(self, sha: str, max_bytes: int) -> bytes:
        process = self._running()
        if process.stdin is None or process.stdout is None:
            raise EOFError
        process.stdin.write(sha.encode("ascii") + b"\n")
        process.stdin.flush()
        header = process.stdout.readline().split()
        if len(header) != 3:
            if header[1:] == [b"missing"]:
                raise GitError("broken", f"The object {sha[:12]} is missing in the repository.")
            raise EOFError
        size = int(header[2])
        if header[1] != b"blob":
            self._end()
            raise GitError("broken", f"The object {sha[:12]} is not a file.")
        data = _exactly(process, min(size, max_bytes))
        self._skip(process, size - len(data) + 1)  # git ends every object with a line feed
        return data

    def _skip(self, process: subprocess.Popen[bytes], count: int) -> None:
        if count > _SKIP_BYTES:
            self._end()
        else:
            _exactly(process, count)

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            pipes = (subprocess.PIPE, subprocess.PIPE, subprocess.DEVNULL)
            env = _env(self._git_dir)
            self._process = start(["cat-file", "--batch"], env, self._git_dir, pipes)
        return self._process

    def _end(self) -> None:
        if self._process is not None:
            stop(self._process)
            self._process = None


def _exactly(process: subprocess.Popen[bytes], count: int) -> bytes:
    data = process.stdout.read(count) if process.stdout is not None else b""
    if len(data) < count:
        raise EOFError
    return data


def check_attributes(
    git_dir: Path, commit: str, paths: Iterable[bytes]
) -> dict[bytes, dict[str, str]]:
    """What the commit's .gitattributes say, by git's own rules; paths without any are left out.

    Values are `set`, `unset` or the text given. `check-attr --source` needs git 2.40, so the
    commit is read into a temporary index.
    """
    with tempfile.TemporaryDirectory(prefix="footnote-index-") as folder:
        env = _env(git_dir, {"GIT_INDEX_FILE": f"{folder}/index"})
        expect(
            run(["read-tree", _checked_sha(commit)], env=env, cwd=git_dir),
            "The attributes of the commit cannot be read",
        )
        return _attributes(["--cached"], paths, env, git_dir)


def worktree_attributes(folder: Path, paths: Iterable[bytes]) -> dict[bytes, dict[str, str]]:
    """The same from the .gitattributes files of a folder, be it a checkout or not.

    An empty repository elsewhere stands in for the folder's own, whose settings are not read.
    """
    with tempfile.TemporaryDirectory(prefix="footnote-git-") as place:
        git_dir = Path(place)
        init_bare(git_dir)
        env = _env(git_dir, {"GIT_WORK_TREE": str(folder.resolve())})
        return _attributes([], paths, env, folder)


def init_bare(git_dir: Path) -> None:
    """An empty bare repository; harmless where one is already."""
    git_dir.mkdir(mode=0o700, parents=True, exist_ok=True)  # it holds text nobody has scrubbed
    arguments = ["init", "--quiet", "--bare", "--template=", "--initial-branch=main", "."]
    done = run(arguments, env=environment(), cwd=git_dir)
    expect(done, "The folder for the clone cannot be prepared")


def _attributes(
    options: list[str], paths: Iterable[bytes], env: Mapping[str, str], cwd: Path
) -> dict[bytes, dict[str, str]]:
    arguments = ["check-attr", "-z", "--stdin", *options, *ATTRIBUTES]
    done = run(arguments, env=env, cwd=cwd, data=b"".join(path + b"\0" for path in paths))
    fields = expect(done, "The attributes cannot be read").split(b"\0")[:-1]
    found: dict[bytes, dict[str, str]] = {}
    for path, name, value in zip(fields[::3], fields[1::3], fields[2::3], strict=True):
        if value != b"unspecified":
            found.setdefault(path, {})[name.decode()] = value.decode(errors="replace")
    return found


def git_dir_of(folder: Path) -> Path:
    """The checkout's own .git; refused when any part of it leads out of the folder.

    Links, `gitdir:` files and borrowed object stores would show other people's repositories.
    """
    git_dir = folder / ".git"
    if git_dir.is_symlink() or not git_dir.is_dir():
        raise GitError(
            "refused",
            "The folder has no .git folder of its own. It can be taken as a plain folder.",
        )
    for name in ("commondir", "objects/info/alternates", "objects/info/http-alternates"):
        if os.path.lexists(git_dir / name):
            raise _leads_out(name)
    for entry in _own_entries(git_dir):
        if stat.S_IFMT(entry.stat(follow_symlinks=False).st_mode) in _NOT_READ:
            raise _leads_out(entry.name)
    return git_dir


def _own_entries(git_dir: Path) -> Iterator[os.DirEntry[str]]:
    """What git reads objects and settings from: a link leads out, a pipe blocks for ever."""
    places = [git_dir, git_dir / "info", git_dir / "refs", git_dir / "objects"]
    while places:
        place = places.pop()
        if not place.is_dir():
            continue
        with os.scandir(place) as entries:
            for entry in entries:
                yield entry
                if place.name == "objects" and entry.is_dir(follow_symlinks=False):
                    places.append(Path(entry.path))


def _leads_out(name: str) -> GitError:
    shown = "".join(char for char in name[:60] if char.isprintable())
    return GitError(
        "refused", f"The .git folder leads elsewhere ({shown}). Clone it anew, without sharing."
    )


def list_worktree(folder: Path) -> list[bytes]:
    """Tracked and untracked-but-not-ignored paths that exist; a directory is a nested repository.

    A hand-made index may name paths outside; those, and paths below a link, are left out.
    """
    env = _env(git_dir_of(folder), {"GIT_WORK_TREE": str(folder.resolve())})
    arguments = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    out = expect(run(arguments, env=env, cwd=folder), "The files of the folder cannot be listed")
    real: dict[bytes, bool] = {b"": True}
    root = os.fsencode(folder)
    paths = sorted({path.rstrip(b"/") for path in out.split(b"\0") if path})
    return [path for path in paths if _is_inside(root, path, real)]


def _is_inside(root: bytes, path: bytes, real: dict[bytes, bool]) -> bool:
    parts = path.split(b"/")
    if any(part in {b"", b".", b".."} or part.lower() == b".git" for part in parts):
        return False
    return _is_real_folder(root, path.rpartition(b"/")[0], real) and os.path.lexists(
        os.path.join(root, path)  # noqa: PTH118 - pathlib does not take bytes
    )


def _is_real_folder(root: bytes, path: bytes, real: dict[bytes, bool]) -> bool:
    if path not in real:
        full = os.path.join(root, path)  # noqa: PTH118 - pathlib does not take bytes
        above = path.rpartition(b"/")[0]
        real[path] = (
            _is_real_folder(root, above, real)
            and os.path.isdir(full)  # noqa: PTH112
            and not os.path.islink(full)  # noqa: PTH114
        )
    return real[path]


def _env(git_dir: Path, extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Named outright, the repository is not searched for and its core.worktree does not count."""
    place = str(git_dir.resolve())
    return environment(extra={"GIT_DIR": place, "GIT_WORK_TREE": place} | dict(extra or {}))


def _checked_sha(sha: str) -> str:
    if not _SHA.fullmatch(sha):
        raise GitError("refused", "This is not the full hash of a commit or object.")
    return sha
