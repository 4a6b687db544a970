"""Addresses of repositories: what people paste becomes one canonical https address, or a refusal.

`parse_address` never touches the network; `check_public` resolves the name.
"""

import ipaddress
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass, replace
from urllib.parse import quote, unquote

from repos.hosts import (
    AUTHORITY,
    DEFAULT_HOSTS,
    HTTPS_PORT,
    AddressRefused,
    HostUnknown,
    check_host,
    https_port,
    is_private,
    netloc,
    normal_entry,
    resolve,
    split_authority,
    without_www,
)

__all__ = [
    "DEFAULT_HOSTS",
    "Address",
    "AddressRefused",
    "HostUnknown",
    "check_public",
    "guess_provider",
    "host_link",
    "parse_address",
    "resolve_tree_ref",
]

MAX_LENGTH = 2000

_PROVIDERS = {
    "github.com": "github",
    "gitlab.com": "gitlab",
    "bitbucket.org": "bitbucket",
    "codeberg.org": "gitea",
    "gitea.com": "gitea",
}
_PROVIDER_WORDS = {"gitlab": "gitlab", "forgejo": "gitea", "gitea": "gitea", "github": "github"}
# Hosts on which a project is always owner/name, so whatever follows is a page of it.
_TWO_PART_HOSTS = DEFAULT_HOSTS - {"gitlab.com"}
_NOT_OWNERS = frozenset({"explore", "login", "marketplace", "orgs", "search", "settings", "topics"})
_REF_PAGES = frozenset({"blame", "blob", "commit", "commits", "edit", "raw", "tree"})
_BITBUCKET_PAGES = frozenset({"annotate", "branch", "commits", "raw", "src"})
_GITEA_PAGES = frozenset({"blame", "commits", "media", "raw", "src"})
_GITEA_KINDS = frozenset({"branch", "commit", "tag"})
# Pages that a host shows rendered: without this question the line anchors lead nowhere.
_RENDERED = (".md", ".markdown", ".rst", ".adoc", ".org", ".ipynb", ".svg")

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_SCP = re.compile(r"(?:[^@/:]+@)?([^@/:\[\]]+):(?!\d+(?:/|$))(.*)", re.DOTALL)
_SEGMENT = re.compile(r"[A-Za-z0-9_.~+][A-Za-z0-9_.~+-]*")
_COMMIT = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")


@dataclass(frozen=True, slots=True)
class Address:
    """One project on one host.

    `url` is canonical https without .git, credentials, query or fragment; `key` recognises
    the same project (host lower case, path as written). `rest` is what followed /tree/ or the
    like, decoded: ref and path in one. `ref` and `subpath` are its split at the first slash,
    a guess until `resolved` has compared it with the refs that exist.
    """

    host: str
    port: int | None
    path: str
    ref: str | None
    subpath: str | None
    url: str
    key: str
    provider: str
    rest: str | None = None

    def resolved(self, refs: Collection[str]) -> "Address":
        """The same with `ref` and `subpath` settled; refused when no ref fits."""
        if self.rest is None:
            return self
        ref, subpath = resolve_tree_ref(self.rest, refs)
        return replace(self, ref=ref, subpath=subpath or None)


def parse_address(text: str, *, allowed_hosts: Collection[str]) -> Address:
    """The project that `text` names; `allowed_hosts` holds `host` or `host:port` entries."""
    allowed = {normal_entry(entry) for entry in allowed_hosts}
    scheme, authority, raw_path = _take_apart(_clean(text))
    host, port = split_authority(authority)
    if scheme == "ssh":  # the port of ssh says nothing about the port of https
        port = https_port(host, allowed)
    host = without_www(host, port, allowed)
    check_host(host, port, allowed)
    parts = [part for part in raw_path.split("/") if part]
    project, page = _split_project(host, parts)
    path = "/".join(_check_project(host, project))
    place = netloc(host, port)
    if scheme == "http":
        raise AddressRefused(
            f"http is not encrypted and not accepted. Use https://{place}/{path} instead."
        )
    rest = _ref_and_path(page, _provider(host, page))
    ref, _, subpath = (rest or "").partition("/")
    return Address(
        host=host,
        port=port,
        path=path,
        ref=ref or None,
        subpath=subpath or None,
        url=f"https://{place}/{path}",
        key=f"{place}/{path}",
        provider=_provider(host, page),
        rest=rest,
    )


def guess_provider(host: str) -> str:
    """`github`, `gitlab`, `bitbucket`, `gitea` (Forgejo too) or `generic`, by the name alone."""
    name = host.lower().partition(":")[0]
    if name in _PROVIDERS:
        return _PROVIDERS[name]
    return next((kind for word, kind in _PROVIDER_WORDS.items() if word in name), "generic")


def resolve_tree_ref(rest: str, refs: Collection[str]) -> tuple[str, str]:
    """Split `rest` (decoded) into a member of `refs` and a path; the longest ref wins.

    `refs` are full names (refs/heads/x) or short ones; a branch goes before a tag of one name.
    """
    rest = rest.strip("/")
    candidates = [(len(name), _ref_rank(ref), ref, name) for ref in refs for name in _names(ref)]
    fitting = [c for c in candidates if rest == c[3] or rest.startswith(f"{c[3]}/")]
    if fitting:
        _, _, ref, name = max(fitting, key=lambda c: (c[0], c[1]))
        return ref, rest[len(name) :].strip("/")
    first, _, path = rest.partition("/")
    if _COMMIT.fullmatch(first):
        return first, path
    raise AddressRefused(
        "No branch, tag or commit of this repository fits the address. "
        "Choose the branch or tag by its exact name."
    )


def _ref_rank(ref: str) -> int:
    return 0 if ref.startswith("refs/tags/") else 1


def _names(ref: str) -> set[str]:
    return {ref, ref.removeprefix("refs/heads/").removeprefix("refs/tags/")}


def host_link(  # noqa: PLR0917 - one link, told apart by what it points at
    address_url: str,
    provider: str,
    commit: str,
    path: str,
    start: int | None = None,
    end: int | None = None,
) -> str:
    """The page of `path` at `commit` on the code host; "" where the host's form is not known.

    `path` may carry surrogates for bytes that are not UTF-8.
    """
    forms = {
        "github": ("/blob/", "?plain=1", "#L{start}", "#L{start}-L{end}"),
        "gitlab": ("/-/blob/", "?plain=1", "#L{start}", "#L{start}-{end}"),
        "bitbucket": ("/src/", "", "#lines-{start}", "#lines-{start}:{end}"),
        "gitea": ("/src/commit/", "?display=source", "#L{start}", "#L{start}-L{end}"),
    }
    if provider not in forms:
        return ""
    middle, source_view, one_line, several = forms[provider]
    base = address_url.rstrip("/").removesuffix(".git")
    link = f"{base}{middle}{quote(commit, safe='')}/{quote(path, errors='surrogateescape')}"
    if start is None:
        return link
    if path.lower().endswith(_RENDERED):
        link += source_view
    anchor = one_line if end is None or end == start else several
    return link + anchor.format(start=start, end=end)


def check_public(address: Address, allowed_hosts: Collection[str]) -> tuple[str, ...]:
    """Resolve the host; refuse private addresses unless the administrator listed the host.

    The public services of DEFAULT_HOSTS must never resolve to a private address. Hand the
    returned IP addresses to `git.clone`, so that a second look-up cannot give another answer.
    """
    found = resolve(address.host, address.port or HTTPS_PORT)
    listed = netloc(address.host, address.port) in {normal_entry(e) for e in allowed_hosts}
    if listed and address.host not in DEFAULT_HOSTS:
        return found
    if any(is_private(ipaddress.ip_address(ip)) for ip in found):
        raise AddressRefused(
            f"{address.host} leads to a private network address. "
            "An administrator can put the host on the list of allowed hosts."
        )
    return found


def _clean(text: str) -> str:
    text = text.strip()
    if not text:
        raise AddressRefused("The address is empty. Paste the https address of a repository.")
    if len(text) > MAX_LENGTH:
        raise AddressRefused(f"The address is longer than {MAX_LENGTH} characters.")
    if any(unicodedata.category(char)[0] in "CZ" for char in text):
        raise AddressRefused("The address holds blanks or invisible characters. Type it anew.")
    if "\\" in text or text.startswith("-"):
        raise AddressRefused("This is not an address. It looks like https://host/owner/project.")
    return text


def _take_apart(text: str) -> tuple[str, str, str]:
    """Scheme (https, http or ssh), host with port, path; credentials are refused here."""
    text = re.split(r"[?#]", text, maxsplit=1)[0]
    match = _SCHEME.match(text)
    if match is None:
        scp = _SCP.fullmatch(text)
        if scp is not None:
            return "ssh", _without_user(scp[1], scp[2], "scp"), scp[2]
        authority, _, path = text.partition("/")
        return "https", _without_user(authority, path, "https"), path
    scheme = match[1].lower()
    authority, _, path = text[match.end() :].partition("/")
    if scheme not in {"https", "http", "ssh"}:
        raise AddressRefused("Only https addresses are accepted, as https://host/owner/project.")
    return scheme, _without_user(authority, path, scheme), path


def _without_user(authority: str, path: str, scheme: str) -> str:
    user, at, host = authority.rpartition("@")
    # A password with a raw slash in it ends the authority early and leaves its @ in the path.
    # In user:password@host:path it is the scp form that hides it behind the colon.
    spilled = "@" in path and (scheme == "scp" or AUTHORITY.fullmatch(authority) is None)
    harmless = scheme == "ssh" and ":" not in user and not spilled
    if (at and not harmless) or spilled:
        raise AddressRefused(
            "The address holds a user name, password or token. "
            "Leave out everything up to the @ and put the token into the token field."
        )
    return host


def _split_project(host: str, parts: list[str]) -> tuple[list[str], list[str]]:
    """The segments of the project and those of a page inside it."""
    end = len(parts)
    if host in _TWO_PART_HOSTS or guess_provider(host) == "github":
        end = 2
    else:
        end = next((i for i in range(2, len(parts)) if _page_begins(parts[i:])), end)
    dotted = next((i + 1 for i in range(1, len(parts)) if parts[i].endswith(".git")), end)
    end = min(end, dotted)
    return parts[:end], parts[end:]


def _page_begins(parts: list[str]) -> bool:
    if parts[0] == "-":
        return True
    if len(parts) < 2:
        return False
    return parts[0] in _REF_PAGES or (parts[0] == "src" and parts[1] in _GITEA_KINDS)


def _check_project(host: str, parts: list[str]) -> list[str]:
    parts = [*parts[:-1], parts[-1].removesuffix(".git")] if parts else []
    parts = [_decoded(part) for part in parts]
    if len(parts) < 2 or (host == "github.com" and parts[0] in _NOT_OWNERS):
        raise AddressRefused(
            f"The address names no project. It needs an owner and a name: https://{host}/owner/name."
        )
    if any(part in {".", ".."} or not _SEGMENT.fullmatch(part) for part in parts):
        raise AddressRefused(
            "The path of the project holds characters that no code host uses. "
            "Copy the address from the page of the project."
        )
    return parts


def _decoded(part: str) -> str:
    try:
        text = unquote(part, errors="strict")
    except UnicodeDecodeError as error:
        raise AddressRefused("The address holds broken %-escapes. Copy it anew.") from error
    if any(unicodedata.category(char) in {"Cc", "Zl", "Zp"} for char in text):
        raise AddressRefused("The address holds control characters. Copy it anew.")
    return text


def _provider(host: str, page: list[str]) -> str:
    """The page that was pasted tells what an unknown host runs."""
    known = guess_provider(host)
    if known != "generic" or not page:
        return known
    if page[0] == "-":
        return "gitlab"
    return "gitea" if page[0] == "src" else known


def _ref_and_path(page: list[str], provider: str) -> str | None:
    parts = page[1:] if page[:1] == ["-"] else page
    taken = _marker_length(parts, provider)
    rest = "/".join(_decoded(part) for part in parts[taken:]).strip("/")
    if not taken or not rest:
        return None
    if rest.startswith("-") or ".." in rest.split("/"):
        raise AddressRefused("The address names a branch or folder that cannot exist.")
    return rest


def _marker_length(parts: list[str], provider: str) -> int:
    """How many segments say "a ref follows": 0 when the page is about something else."""
    if parts[:2] == ["releases", "tag"]:
        return 2
    kind = parts[0] if parts else ""
    if provider == "bitbucket":
        return int(kind in _BITBUCKET_PAGES)
    if provider in {"gitea", "generic"} and kind in _GITEA_PAGES:
        if parts[1:2] and parts[1] in _GITEA_KINDS:
            return 2
        return int(kind in _REF_PAGES)
    return int(kind in _REF_PAGES or (provider == "gitlab" and kind == "tags"))
