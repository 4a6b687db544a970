"""Git as the rest of Footnote sees it: fetch a commit over https, then read what is on the disk.

Clones are bare: no work tree is ever written. git follows no redirect and asks nobody for a
password; the token travels in the environment of the process alone.
"""

import base64
import re
import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from repos.addresses import guess_provider
from repos.gitfailures import failure
from repos.gitprocess import Finished, GitError, die_with_us, environment, expect, run
from repos.gitread import (
    ATTRIBUTES,
    BlobReader,
    TreeEntry,
    blob_sha,
    check_attributes,
    check_ref,
    git_dir_of,
    head_commit,
    init_bare,
    list_tree,
    list_worktree,
    tree_of_head,
    worktree_attributes,
)
from repos.gitwatch import GitLimits, Progress, Watch

__all__ = [
    "ATTRIBUTES",
    "BlobReader",
    "Clone",
    "GitError",
    "GitLimits",
    "TreeEntry",
    "blob_sha",
    "check_attributes",
    "check_ref",
    "clone",
    "git_dir_of",
    "head_commit",
    "list_refs",
    "list_tree",
    "list_worktree",
    "ls_remote",
    "tree_of_head",
    "worktree_attributes",
]

PRIVATE_REF = "refs/footnote/head"
MAX_HOPS = 3
STALL_SECONDS = 120  # a server that sends nothing for so long has gone
MAX_REFS_BYTES = 64 * 1024 * 1024

_URL = re.compile(
    r"https://(\[[0-9a-f:.]+\]|[a-z0-9_][a-z0-9._-]*)(?::(\d+))?(/[A-Za-z0-9_.~+][A-Za-z0-9_.~+-]*)+"
)
_SHA = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_TOKEN = re.compile(r"[\x21-\x7e]+")
_INFO_REFS = "/info/refs?service=git-upload-pack"
# Real histories hold these from tools long gone; none of them can do harm to a reader.
_OLD_FAULTS = (
    "badDate",
    "badDateOverflow",
    "badEmail",
    "badName",
    "badTimezone",
    "missingEmail",
    "missingNameBeforeEmail",
    "missingSpaceBeforeDate",
    "missingSpaceBeforeEmail",
    "multipleAuthors",
    "zeroPaddedDate",
    "zeroPaddedFilemode",
)
# With access tokens the user name is a formality; these are the ones the hosts document.
_TOKEN_USERS = {"gitlab": "oauth2", "bitbucket": "x-token-auth"}


@dataclass(frozen=True, slots=True)
class Clone:
    """`ref` is the short name of the branch or tag that was fetched, or the commit asked for."""

    commit: str
    ref: str


@dataclass(frozen=True, slots=True)
class _Remote:
    """One address with all it takes to ask it; `config` holds the token, so never show it."""

    url: str
    host: str
    token: str
    config: dict[str, str]
    deadline: float

    def environment(self, extra: dict[str, str] | None = None) -> dict[str, str]:
        return environment(self.config, protocols="https", extra=extra)

    def failure(self, err: str) -> GitError:
        return failure(err, self.host, self.token)


def clone(
    address_url: str,
    target: Path,
    *,
    ref: str = "",
    token: str = "",
    limits: GitLimits | None = None,
    ca_file: Path | None = None,
    addresses: Sequence[str] = (),
    progress: Progress | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> Clone:
    """Fetch one commit into the bare repository `target`, which is made if it is not there.

    `ref` is a branch, a tag or a full commit hash; "" is the default branch. `addresses` pins
    the IP addresses that `check_public` has seen. A first clone that fails leaves nothing; a
    failed re-index leaves the repository as it was.
    """
    limits = limits or GitLimits()
    first = not (target / PRIVATE_REF).is_file()
    if ref:
        check_ref(ref)
    try:
        remote = _remote(address_url, token, limits, ca_file, addresses)
        watch = Watch(target, limits, progress, cancelled)
        remote, refs, default = _ask(remote, watch)
        full = _choose(ref, refs, default)
        _sweep(target)
        init_bare(target)
        _fetch(remote, target, full, watch)
        commit = _fetched_commit(target)
    except BaseException:
        if first:
            shutil.rmtree(target, ignore_errors=True)
        raise
    name = (default or full) if full == "HEAD" else full
    return Clone(commit, name.removeprefix("refs/heads/").removeprefix("refs/tags/"))


def ls_remote(
    address_url: str,
    *,
    token: str = "",
    limits: GitLimits | None = None,
    ca_file: Path | None = None,
    addresses: Sequence[str] = (),
) -> dict[str, str]:
    """Full ref name (and HEAD) to commit; annotated tags give the commit they stand for."""
    remote = _remote(address_url, token, limits or GitLimits(seconds=60), ca_file, addresses)
    return _ask(remote, None)[1]


def list_refs(
    address_url: str,
    *,
    token: str = "",
    limits: GitLimits | None = None,
    ca_file: Path | None = None,
    addresses: Sequence[str] = (),
) -> list[str]:
    """The full names of all branches and tags."""
    refs = ls_remote(address_url, token=token, limits=limits, ca_file=ca_file, addresses=addresses)
    return [name for name in refs if name.startswith(("refs/heads/", "refs/tags/"))]


def _remote(
    url: str, token: str, limits: GitLimits, ca_file: Path | None, addresses: Sequence[str]
) -> _Remote:
    match = _plain(url)
    if match is None:
        raise GitError("refused", "Only plain https addresses of repositories can be cloned.")
    if token and not _TOKEN.fullmatch(token):
        raise GitError("auth", "The access token holds blanks or other signs no token has.")
    port = match[2] or "443"
    config = _https_config(ca_file)
    if addresses:
        pinned = ",".join(f"[{ip}]" if ":" in ip else ip for ip in addresses)
        config["http.curloptResolve"] = f"{match[1]}:{port}:{pinned}"
    if token:
        config[f"http.https://{match[1]}:{port}/.extraHeader"] = _login(match[1], token)
    host = match[1] if port == "443" else f"{match[1]}:{port}"
    return _Remote(url, host, token, config, time.monotonic() + limits.seconds)


def _https_config(ca_file: Path | None) -> dict[str, str]:
    config = {
        "http.followRedirects": "false",
        "http.sslVerify": "true",
        "http.lowSpeedLimit": "1",
        "http.lowSpeedTime": str(STALL_SECONDS),
        "protocol.https.allow": "always",
        "protocol.version": "2",
        "transfer.fsckObjects": "true",
        "transfer.unpackLimit": "1",  # keep the checked pack as it came
        "transfer.bundleURI": "false",
        "pack.threads": "1",
    }
    if ca_file is not None:
        config["http.sslCAInfo"] = str(ca_file)
    return config | {f"fetch.fsck.{fault}": "ignore" for fault in _OLD_FAULTS}


def _login(host: str, token: str) -> str:
    user = _TOKEN_USERS.get(guess_provider(host), "x-access-token")
    pair = token if ":" in token else f"{user}:{token}"
    return f"Authorization: Basic {base64.b64encode(pair.encode()).decode()}"


def _ask(remote: _Remote, watch: Watch | None) -> tuple[_Remote, dict[str, str], str]:
    """The refs of the remote and its default branch; the remote may have moved on its host."""
    with_suffix = False
    for _ in range(MAX_HOPS + 1):
        done = _list(remote, watch)
        if done.status == 0 and (done.out or _speaks_git(remote, watch)):
            return remote, *_parse_refs(done.out)
        if "returned error: 3" in done.err:
            remote = _moved(remote, _redirected(remote, watch))
            continue
        problem = remote.failure(done.err or "fatal: not valid: is this a git repository?")
        if problem.code != "not_found" or with_suffix or remote.url.endswith(".git"):
            raise problem
        with_suffix = True  # plain git servers know only the full name of the folder
        remote = replace(remote, url=f"{remote.url}.git")
    raise GitError("refused", f"{remote.host} forwards the address in circles.")


def _list(remote: _Remote, watch: Watch | None, extra: dict[str, str] | None = None) -> Finished:
    return run(
        ["ls-remote", "--symref", "--", remote.url],
        env=remote.environment({"GIT_DIR": "/nonexistent"} | (extra or {})),
        cwd=Path("/"),
        deadline=remote.deadline,
        max_output=MAX_REFS_BYTES,
        tick=watch,
        leash=die_with_us(),
    )


def _parse_refs(out: bytes) -> tuple[dict[str, str], str]:
    refs: dict[str, str] = {}
    default = ""
    for line in out.decode(errors="surrogateescape").split("\n"):
        value, _, name = line.partition("\t")
        if value.startswith("ref: ") and name == "HEAD":
            default = value.removeprefix("ref: ")
        elif _SHA.fullmatch(value):
            refs[name.removesuffix("^{}")] = value  # the peeled line follows the tag's own
    return refs, default


def _speaks_git(remote: _Remote, watch: Watch | None) -> bool:
    """Whether an answer without refs is an empty repository, or any page of the web."""
    kind = "application/x-git-upload-pack-advertisement"
    return kind in _headers(remote, watch, "content-type")


def _redirected(remote: _Remote, watch: Watch | None) -> str:
    found = [*_headers(remote, watch, "location"), ""][0]
    host = "/".join(remote.url.split("/")[:3])
    return host + found if re.match(r"/(?!/)", found) else found


def _headers(remote: _Remote, watch: Watch | None, name: str) -> list[str]:
    """What the server sends under that header: git does not say, so its trace of curl does."""
    trace = {"GIT_TRACE_CURL": "1", "GIT_TRACE_CURL_NO_DATA": "1", "GIT_TRACE_REDACT": "1"}
    err = _list(remote, watch, trace).err
    return re.findall(rf"(?i)<= recv header: {name}: (\S+)", err)


def _plain(url: str) -> re.Match[str] | None:
    return None if {".", ".."} & set(url.split("/")) else _URL.fullmatch(url)


def _moved(remote: _Remote, location: str) -> _Remote:
    """The remote at its new place, if that is a repository on the very same host."""
    here = remote.url.split("/")[:3]
    if [part.lower().removesuffix(":443") for part in location.split("/")[:3]] != here:
        raise GitError(
            "refused",
            f"{remote.host} forwards this address to another place, which is not followed. "
            "Open the address in a browser and import the one it ends at.",
        )
    url = "/".join([*here, *location.removesuffix(_INFO_REFS).split("/")[3:]])
    if not location.endswith(_INFO_REFS) or not _plain(url):
        raise GitError("auth", f"{remote.host} asks for a sign-in. Give an access token.")
    return replace(remote, url=url)


def _choose(ref: str, refs: dict[str, str], default: str) -> str:
    """The full name to fetch; a branch goes before a tag of the same name."""
    if not refs:
        raise GitError("empty", "The repository has no commits yet: nothing to index.")
    branches = [name for name in refs if name.startswith("refs/heads/")]
    if not ref:
        if "HEAD" in refs:
            return "HEAD"
        if len(branches) == 1:  # HEAD names a branch that was never pushed
            return check_ref(branches[0])
        raise _no_such_ref(f"The default branch {default} does not exist.", branches)
    for name in (ref, f"refs/heads/{ref}", f"refs/tags/{ref}"):
        if name in refs and name.startswith("refs/"):
            return name
    if _SHA.fullmatch(ref):
        return ref
    raise _no_such_ref(f"There is no branch or tag {ref}.", branches)


def _no_such_ref(what: str, branches: Sequence[str]) -> GitError:
    some = ", ".join(name.removeprefix("refs/heads/")[:60] for name in branches[:5])
    text = f"{what} Branches there: {some or 'none'}{', ...' if len(branches) > 5 else ''}."
    return GitError("no_such_ref", "".join(char for char in text if char.isprintable()))


def _sweep(target: Path) -> None:
    """Remove what a killed git left; runs on one repository never overlap."""
    for pattern in ("**/*.lock", "objects/**/tmp_*"):
        for leftover in target.glob(pattern):
            leftover.unlink(missing_ok=True)


def _fetch(remote: _Remote, target: Path, full: str, watch: Watch) -> None:
    options = ["--depth=1", "--no-tags", "--force", "--progress", "--no-write-fetch-head"]
    options += ["--no-recurse-submodules", "--no-auto-maintenance"]
    done = run(
        ["fetch", *options, "--", remote.url, f"+{full}:{PRIVATE_REF}"],
        env=remote.environment({"GIT_DIR": str(target.resolve())}),
        cwd=target,
        deadline=remote.deadline,
        tick=watch,
        leash=die_with_us(),
    )
    if done.status != 0:
        raise remote.failure(done.err)
    watch.check_size()


def _fetched_commit(target: Path) -> str:
    try:
        commit = head_commit(target, PRIVATE_REF)
    except GitError as error:
        raise GitError("no_such_ref", "The tag does not stand for a commit.") from error
    env = environment(extra={"GIT_DIR": str(target.resolve())})
    done = run(["symbolic-ref", "HEAD", PRIVATE_REF], env=env, cwd=target)
    expect(done, "The clone cannot be finished")
    return commit
