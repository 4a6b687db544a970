"""What the home page of a repository shows beside its README."""

import re
from dataclasses import dataclass
from html import escape
from urllib.parse import unquote

from django.core.cache import cache
from django.utils.safestring import SafeString, mark_safe

from indexing import explore, readme
from indexing.guarded import TookTooLong, guarded
from indexing.models import Content
from indexing.places import Place
from repos import paths
from repos.models import File, Snapshot

README_NAMES = ["readme.md", "readme.rst", "readme.markdown", "readme.txt", "readme"]
ENTRY_NAMES = [
    "__main__.py", "manage.py", "main.py", "app.py", "cli.py", "pyproject.toml", "setup.py",
    "package.json", "index.js", "index.ts", "main.ts", "main.go", "go.mod", "cargo.toml",
    "main.rs", "lib.rs", "pom.xml", "build.gradle", "build.gradle.kts", "gemfile",
    "composer.json", "cmakelists.txt", "makefile", "dockerfile", "docker-compose.yml",
    "contributing.md", "changelog.md",
]  # fmt: skip
# Programs and manifests below these are beside the point: a fixture, a sample, a book.
ASIDE = {
    "doc", "docs", "example", "examples", "fixtures", "sample", "samples", "test", "testdata",
    "testing", "tests",
}  # fmt: skip
NAMES_LOOKED_AT = 200
RENDER_VERSION = 1
OVERVIEW_VERSION = 1
CACHED_SECONDS = 24 * 3600

_OWN_LINK = re.compile(f'href="{readme.OWN_SCHEME}([^"#]*)(#[^"]*)?"')


@dataclass(frozen=True, slots=True)
class Overview:
    """Counts over all files of a snapshot, and the files with names worth knowing."""

    languages: list[explore.Share]
    classes: list[tuple[str, int]]
    named: list[tuple[str, int, str]]

    @property
    def left_out(self) -> list[tuple[str, int]]:
        return [(str(File.Classification(name).label), files) for name, files in self.classes]

    @property
    def entries(self) -> list[str]:
        """Paths where reading begins: programs and manifests, nearest to the top first."""
        found = [
            path
            for path, _id, _language in self.named
            if _name(path) in ENTRY_NAMES and ASIDE.isdisjoint(path.lower().split("/")[:-1])
        ]
        return found[: explore.ENTRY_POINTS]


@dataclass(frozen=True, slots=True)
class Readme:
    path: str
    html: SafeString
    cut: bool


def overview(snapshot: Snapshot) -> Overview:
    """Kept, since a published snapshot never changes."""
    key = f"overview:{OVERVIEW_VERSION}:{snapshot.pk}"
    stored: Overview | None = cache.get(key)
    if stored is None:
        names = [*README_NAMES, *ENTRY_NAMES]
        stored = Overview(
            explore.languages(snapshot),
            explore.classes(snapshot),
            explore.find_names(snapshot, names, NAMES_LOOKED_AT),
        )
        cache.set(key, stored, CACHED_SECONDS)
    return stored


def readme_of(place: Place, named: list[tuple[str, int, str]]) -> Readme | None:
    """The README of the top folder, chosen from Overview.named."""
    at_top = {_name(path): (path, file_id) for path, file_id, _language in named if "/" not in path}
    name = next((name for name in README_NAMES if name in at_top), None)
    if name is None:
        return None
    path, file_id = at_top[name]
    # A file row never changes, so its rendering does not either.
    key = f"readme:{RENDER_VERSION}:{place.repository.pk}:{file_id}"
    stored = cache.get(key)
    if stored is None:
        stored = _rendered(place.repository.pk, file_id, path)
        cache.set(key, stored, CACHED_SECONDS)
    html, cut = stored
    return Readme(path, _with_addresses(html, place), cut)


def _rendered(repository_id: int, file_id: int, path: str) -> tuple[str, bool]:
    content = Content.objects.filter(repository_id=repository_id, file_id=file_id).first()
    text = content.text if content else ""
    cut = len(text) > readme.MAX_CHARACTERS
    try:
        return guarded(readme.render, text[: readme.MAX_CHARACTERS], path), cut
    except TookTooLong:
        return readme.plain(text), cut


def _with_addresses(html: str, place: Place) -> SafeString:
    def address(match: re.Match[str]) -> str:
        path = unquote(match[1])
        at = place.at
        own = paths.file_url(place.slug, path, at=at) if path else paths.tree_url(place.slug, at=at)
        return f'href="{escape(own)}{match[2] or ""}"'

    return mark_safe(_OWN_LINK.sub(address, html))  # noqa: S308 - cleaned by readme.render


def _name(path: str) -> str:
    return path.rsplit("/", 1)[-1].lower()
