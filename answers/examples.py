"""Questions to begin with, made of a repository's own symbols, so that they have an answer."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from indexing.models import Import, Symbol
from repos.models import File, Repository

REPOSITORIES = 2  # that examples are made of
FILES = 3  # of each: those that most others import
SAMPLE = 5_000  # imports that are counted
KINDS = ("class", "struct", "interface", "trait", "function", "method")


@dataclass(frozen=True, slots=True)
class Example:
    text: str
    slug: str


def examples(repositories: Iterable[Repository]) -> list[Example]:
    """Of the first repositories that are indexed: what it is for, and its most used symbols."""
    published = [one for one in repositories if one.published_snapshot]
    return [Example(text, one.slug) for one in published[:REPOSITORIES] for text in _questions(one)]


def _questions(repository: Repository) -> list[str]:
    said = [_("What is %(name)s for?") % {"name": repository.name}]
    forms = (_("How does `%s` work?"), _("Where is `%s` used?"), _("What does `%s` do?"))
    named = dict.fromkeys(filter(None, (_symbol(one) for one in _files(repository))))
    return [*said, *(form % name for form, name in zip(forms, named, strict=False))]


def _files(repository: Repository) -> list[File]:
    """Those that most others import, the most imported first."""
    rows = Import.objects.filter(repository=repository, last_snapshot=None).exclude(target_path="")
    counted = Counter(rows.values_list("target_path", flat=True)[:SAMPLE])
    paths = [path for path, _times in counted.most_common(2 * FILES)]
    found = File.objects.in_snapshot(repository.pk, repository.published_snapshot or 0)
    by_path = {one.path: one for one in found.filter(path__in=paths)}
    return [by_path[path] for path in paths if path in by_path]


def _symbol(file: File) -> str:
    """The longest public symbol that says what it is; "" where there is none."""
    rows = Symbol.objects.filter(repository=file.repository_id, file_id=file.id, kind__in=KINDS)
    told = rows.filter(exported=True).exclude(doc="").exclude(name__startswith="_")
    spans = told.values_list("end_line", "start_line", "name")
    return max(((last - first, name) for last, first, name in spans), default=(0, ""))[1]
