"""Questions to begin with, made of a repository's own symbols, so that they have an answer."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import TextField, Value
from django.db.models.functions import Lower, Replace
from django.utils.translation import gettext as _

from indexing.models import Import, Symbol
from repos.models import File, Repository

REPOSITORIES = 2  # that examples are made of
NAMES = 40  # the most imported ones, of which those are taken that say what they are
SAMPLE = 5_000  # imports that are counted
KINDS = ("class", "struct", "interface", "trait", "function")


@dataclass(frozen=True, slots=True)
class Example:
    text: str
    slug: str


def examples(repositories: Iterable[Repository]) -> list[Example]:
    """Of the first repositories that are indexed: what it is for, and its most used symbols."""
    published = [one for one in repositories if one.published_snapshot]
    return [Example(text, one.slug) for one in published[:REPOSITORIES] for text in _questions(one)]


def _questions(repository: Repository) -> list[str]:
    forms = (_("How does %s work?"), _("Where is %s used?"), _("What does %s do?"))
    names = _told(repository, _imported(repository))
    said = _("What is %(name)s for?") % {"name": repository.name}
    return [said, *(form % name for form, name in zip(forms, names, strict=False))]


def _imported(repository: Repository) -> list[str]:
    """Names that files of the repository import from each other, the most imported first."""
    rows = Import.objects.filter(repository=repository, last_snapshot=None).exclude(target_path="")
    lists = rows.exclude(names="").values_list("names", flat=True)[:SAMPLE]
    counted = Counter(name for names in lists for name in names.split(", "))
    return [name for name, _times in counted.most_common(NAMES) if not name.startswith("_")]


def _told(repository: Repository, names: Sequence[str]) -> list[str]:
    """Those that are public symbols with words about them, in their order."""
    folded = [name.lower().replace("_", "") for name in names]
    plain = Replace("name", Value("_"), Value(""), output_field=TextField())
    rows = Symbol.objects.alias(folded=Lower(plain))  # as the index symbol_folded has it
    rows = rows.filter(repository=repository, folded__in=folded, kind__in=KINDS, exported=True)
    found = rows.exclude(doc="").values_list("file_id", "name")
    live = File.objects.in_snapshot(repository.pk, repository.published_snapshot or 0)
    files = set(live.filter(id__in={file for file, _name in found}).values_list("id", flat=True))
    known = {name for file, name in found if file in files}
    return [name for name in names if name in known]
