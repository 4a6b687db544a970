"""What a person pasted, uploaded or chose becomes a repository row."""

import re
import shutil
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO
from urllib.parse import quote

from django.conf import settings
from django.contrib.auth.models import Group
from django.db import IntegrityError, models, transaction
from django.utils.translation import gettext as _

from accounts.models import User
from repos import addresses, archives, folders, tokens
from repos.fetching import allowed_hosts, token_keys
from repos.hosts import AddressRefused
from repos.models import Repository
from repos.places import archive_of, folder_of

ARCHIVE_SUFFIXES = (".zip", ".tar.gz", ".tgz")
SLUG_LENGTH = 100
REF_LENGTH = 500
NOT_IN_SLUG = re.compile(r"[^a-z0-9._]+")
_WORD = re.compile(r"[A-Za-z0-9_-]+")
PATH_BEGINS = ("/", "./", "../", "~/")
HOST_NAMES = {
    "github.com": "GitHub",
    "gitlab.com": "GitLab",
    "bitbucket.org": "Bitbucket",
    "codeberg.org": "Codeberg",
    "gitea.com": "Gitea",
}
# How each kind of host writes a page at a ref; `parse_address` reads them all back.
REF_PAGES = {"gitlab": "/-/tree/", "gitea": "/src/branch/", "bitbucket": "/src/"}


class ImportRefused(Exception):
    """Nothing was imported; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Understood:
    """What an import field's text means. `sentence` says it back to the person.

    `link` is a pasted page whose branch may hold slashes: where its name ends is settled by
    the fetch, which knows the refs. `ref` is empty then.
    """

    source: Repository.Source
    address: str
    address_key: str
    provider: str
    ref: str
    name: str
    sentence: str
    link: str = ""


def understand(text: str, *, from_shell: bool = True) -> Understood:
    """A git address, or the path of a folder or archive on this machine. Raises ImportRefused.

    A page passes `from_shell=False`: full paths of folders only, and nothing outside the
    configured roots is looked at.
    """
    text = text.strip()
    if text.startswith(PATH_BEGINS):
        return _understand_path(text) if from_shell else _understand_folder(text)
    if _names_no_host(text):
        raise ImportRefused(
            _("This names no host. Paste the whole address, or the full path of a folder.")
        )
    try:
        address = addresses.parse_address(text, allowed_hosts=allowed_hosts())
    except AddressRefused as error:
        raise ImportRefused(str(error)) from error
    is_open = "/" in (address.rest or "")
    ref = "" if is_open else address.ref or ""
    link = _ref_page(address) if is_open else ""
    if len(ref) > REF_LENGTH or len(link) > addresses.MAX_LENGTH:
        raise ImportRefused(_("The name of the branch in this address is too long."))
    return Understood(
        source=Repository.Source.GIT,
        address=address.url,
        address_key=address.key,
        provider=address.provider,
        ref=ref,
        name=address.path,
        sentence=f"{HOST_NAMES.get(address.host, address.host)}, {address.path}, {_where(address)}",
        link=link,
    )


def _names_no_host(text: str) -> bool:
    """`flask` and `pallets/flask` are no addresses, unless an administrator listed such a host."""
    host = text.partition("/")[0]
    return bool(_WORD.fullmatch(host)) and host.lower() not in allowed_hosts()


def _where(address: addresses.Address) -> str:
    if "/" in (address.rest or ""):
        return _("the branch or tag at the start of %(rest)s") % {"rest": address.rest}
    return _("branch or tag %(ref)s") % {"ref": address.ref} if address.ref else _("default branch")


def _ref_page(address: addresses.Address) -> str:
    """The page that was pasted without query and fragment, which may hold anything."""
    return address.url + REF_PAGES.get(address.provider, "/tree/") + quote(address.rest or "")


def _understand_path(text: str) -> Understood:
    path = Path(text).expanduser().absolute()
    if path.is_file() and path.name.lower().endswith(ARCHIVE_SUFFIXES):
        return _understood_archive(path.name)
    return _understand_folder(str(path))


def _understand_folder(path: str) -> Understood:
    try:
        folder = folders.resolve_folder(path, settings.FOLDER_ROOTS)
    except folders.FolderRefused as error:
        raise ImportRefused(str(error)) from error
    return Understood(
        source=Repository.Source.FOLDER,
        address=str(folder),
        address_key=f"folder:{folder}",
        provider="",
        ref="",
        name=folder.name,
        sentence=_("Folder %(path)s") % {"path": folder},
    )


def _understood_archive(filename: str) -> Understood:
    name = PurePosixPath(filename).name
    stem = name
    for suffix in ARCHIVE_SUFFIXES:
        if stem.lower().endswith(suffix):
            stem = stem[: -len(suffix)]
            break
    else:
        raise ImportRefused(_("Upload a .zip, .tar.gz or .tgz archive."))
    return Understood(
        source=Repository.Source.ARCHIVE,
        address=name[:500],
        address_key="",
        provider="",
        ref="",
        name=stem or "archive",
        sentence=_("Archive %(name)s") % {"name": name},
    )


def understand_archive(filename: str) -> Understood:
    """The same for an uploaded archive, by its file name."""
    return _understood_archive(filename)


def already_imported(understood: Understood, user: User, *, ref: str = "") -> Repository | None:
    """A repository of the same source and ref that `user` may see."""
    return find_imported(understood, Repository.objects.visible_to(user), ref=ref)


def find_imported(
    understood: Understood, among: models.QuerySet[Repository], *, ref: str = ""
) -> Repository | None:
    """The repository of this source, at `ref` where one is given beside the address."""
    if not understood.address_key:
        return None
    same = among.filter(address_key=understood.address_key)
    if ref.strip() or not understood.link:
        return same.filter(ref=ref.strip() or understood.ref).first()
    rest = addresses.parse_address(understood.link, allowed_hosts=allowed_hosts()).rest or ""
    fitting = [row for row in same if row.ref and f"{rest}/".startswith(f"{row.ref}/")]
    unsettled = [row for row in same if row.address == understood.link]
    return max(fitting, key=lambda row: len(row.ref), default=next(iter(unsettled), None))


def create_repository(
    understood: Understood,
    *,
    owner: User | None,
    name: str = "",
    ref: str = "",
    token: str = "",
    excludes: str = "",
    everyone: bool = True,
    groups: Collection[Group] = (),
    archive: BinaryIO | None = None,
) -> Repository:
    """The row (and the archive on disk); nothing is fetched. Raises ImportRefused."""
    shown = (name or understood.name).strip()[:200]
    is_open = understood.link and not ref.strip()
    repository = Repository(
        name=shown,
        source=understood.source,
        address=understood.link if is_open else understood.address,
        address_key=understood.address_key,
        provider=understood.provider,
        ref=ref.strip() or understood.ref,
        token=tokens.encrypt(token.strip(), token_keys()) if token.strip() else b"",
        excludes=excludes,
        owner=owner,
        everyone=everyone,
    )
    with transaction.atomic():
        _save_with_slug(repository, shown)
        repository.groups.set(groups)
        if archive is not None:
            store_archive(repository, archive)
    return repository


def store_archive(repository: Repository, archive: BinaryIO) -> None:
    """Keep the upload (again: a new version) until it is unpacked. Raises ImportRefused."""
    target = archive_of(repository)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = target.with_suffix(".part")
    written = 0
    try:
        with draft.open("wb") as file:
            while block := archive.read(1 << 20):
                written += len(block)
                if written > settings.ARCHIVE_MAX_BYTES:
                    limit = settings.ARCHIVE_MAX_BYTES >> 20
                    raise ImportRefused(
                        _("The archive is larger than %(limit)d MB (FOOTNOTE_ARCHIVE_MAX_MB).")
                        % {"limit": limit}
                    )
                file.write(block)
        archives.check(draft, archives.ArchiveLimits(max_bytes=settings.IMPORT_MAX_BYTES))
        draft.replace(target)
    except archives.ArchiveRefused as error:
        raise ImportRefused(error.message) from error
    finally:
        draft.unlink(missing_ok=True)
        if not any(target.parent.iterdir()):
            target.parent.rmdir()


def _save_with_slug(repository: Repository, shown: str) -> None:
    """Save under the first free slug: name, name-2, name-3, ...; two at once cannot share one."""
    base = slug_of(shown)
    for number in range(1, 1000):
        repository.slug = base if number == 1 else f"{base}-{number}"
        try:
            with transaction.atomic():
                repository.save(force_insert=True)
        except IntegrityError:
            continue
        return
    raise ImportRefused(_("There are too many repositories of this name. Choose another."))


def slug_of(name: str) -> str:
    """The last part of a name in lower case; letters, digits, dots, dashes, underscores."""
    last = name.rstrip("/").rsplit("/", 1)[-1].lower()
    slug = NOT_IN_SLUG.sub("-", last).strip("-.")[:SLUG_LENGTH]
    return slug or "repository"


def forget_archive(repository: Repository) -> None:
    """Remove an upload that was refused while it was unpacked."""
    archive_of(repository).unlink(missing_ok=True)


def forget_disk(repository_id: int) -> None:
    """Remove clone, archive and unpacked trees of a repository."""
    shutil.rmtree(folder_of(Repository(pk=repository_id)), ignore_errors=True)
