"""Whether the source of a repository still answers, and to whom. It marks, and deletes nothing."""

from pathlib import Path

from django.conf import settings
from django.utils import timezone

from repos import addresses, folders, git, tokens
from repos.fetching import allowed_hosts, token_keys
from repos.hosts import AddressRefused, HostUnknown
from repos.models import Repository

# Codes of git that say "not for you": private or gone, hosts do not tell which.
CLOSED = frozenset({"auth", "not_found"})
State = Repository.SourceState


def check(repository: Repository) -> str:
    """The state as it is now, which the row has afterwards; UNKNOWN where nothing answered."""
    state = _state(repository)
    row = Repository.objects.filter(pk=repository.pk)
    row.update(source_checked=timezone.now())
    if state != State.UNKNOWN:  # a host that is down says nothing about the repository
        row.update(source_state=state)
    return state


def check_all() -> None:
    """The job: every repository that has a source outside."""
    for repository in Repository.objects.exclude(source=Repository.Source.ARCHIVE):
        check(repository)


def _state(repository: Repository) -> str:
    if repository.source == Repository.Source.FOLDER:
        return _folder_state(repository)
    if repository.source == Repository.Source.ARCHIVE:
        return State.UNKNOWN
    try:
        token = tokens.decrypt(bytes(repository.token), token_keys()) if repository.token else ""
    except tokens.TokenUnreadable:
        token = ""
    public = _answers(repository, "")
    if public != State.GONE or not token:
        return public
    with_token = _answers(repository, token)
    return State.TOKEN if with_token == State.PUBLIC else with_token


def _answers(repository: Repository, token: str) -> str:
    try:
        address = addresses.parse_address(repository.address, allowed_hosts=allowed_hosts())
        pinned = addresses.check_public(address, settings.GIT_HOSTS)
        ca_file = Path(settings.GIT_CA_FILE) if settings.GIT_CA_FILE else None
        git.ls_remote(address.url, token=token, ca_file=ca_file, addresses=pinned)
    except git.GitError as error:
        if error.code == "empty":
            return State.PUBLIC
        return State.GONE if error.code in CLOSED else State.UNKNOWN
    except (AddressRefused, HostUnknown):
        return State.UNKNOWN
    return State.PUBLIC


def _folder_state(repository: Repository) -> str:
    try:
        folders.resolve_folder(repository.address, settings.FOLDER_ROOTS)
    except folders.FolderRefused:
        return State.GONE if _is_mounted(Path(repository.address)) else State.AWAY
    return State.PUBLIC


def _is_mounted(address: Path) -> bool:
    """Whether a folder that should hold it is there, allowed, and holds something: the place of a
    disk that is not mounted is missing or empty."""
    roots = {one for root in settings.FOLDER_ROOTS for one in (root, root.resolve())}
    for place in (address, *address.parents):
        if not any(place.is_relative_to(root) for root in roots):
            break
        try:
            return next(place.iterdir(), None) is not None
        except FileNotFoundError:
            continue
        except OSError:
            return place == address  # closed, or no folder: that is its own state
    return False
