"""Where a search may look: allowed repositories at fixed snapshots, narrowed by filters."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from indexing.languages import LANGUAGES, language_of
from indexing.terms import tokenize
from search.query import Field, SearchQuery

KIND_WORDS = {"func": "function", "def": "function", "const": "constant", "var": "variable"}


class FileKey(NamedTuple):
    repository_id: int
    file_id: int


@dataclass(frozen=True, slots=True)
class Scope:
    """`snapshots` are the snapshot numbers of `repositories`, pair by pair.

    The other fields narrow; None does not. Paths are ILIKE patterns, `excluded` a tsquery
    in text form, `only` the files that hold every phrase.
    """

    repositories: tuple[int, ...]
    snapshots: tuple[int, ...]
    languages: tuple[str, ...] | None = None
    not_languages: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    not_paths: tuple[str, ...] = ()
    kinds: tuple[str, ...] | None = None
    not_kinds: tuple[str, ...] = ()
    excluded: str | None = None
    only: tuple[FileKey, ...] | None = None

    @property
    def is_narrow(self) -> bool:
        """Whether any filter leaves out files."""
        narrow = (self.languages, self.not_languages, self.paths, self.not_paths, self.excluded)
        return any(narrow) or self.only is not None

    @property
    def has_kinds(self) -> bool:
        return self.kinds is not None or bool(self.not_kinds)

    def parameters(self) -> dict[str, Any]:
        """The named parameters that channels.FILES and channels.KINDS ask for."""
        only = self.only
        return {
            "repositories": list(self.repositories),
            "snapshots": list(self.snapshots),
            "languages": None if self.languages is None else list(self.languages),
            "not_languages": list(self.not_languages),
            "paths": list(self.paths),
            "not_paths": list(self.not_paths),
            "kinds": None if self.kinds is None else list(self.kinds),
            "not_kinds": list(self.not_kinds),
            "excluded": self.excluded,
            "only_repositories": None if only is None else [key.repository_id for key in only],
            "only_files": None if only is None else [key.file_id for key in only],
        }


def narrow(scope: Scope, query: SearchQuery) -> Scope:
    """The scope with the filters and exclusions of the query; `repo:` is the engine's."""
    return replace(
        scope,
        languages=_languages(query.values(Field.LANGUAGE)) or scope.languages,
        not_languages=_languages(query.values(Field.LANGUAGE, negated=True)) or (),
        paths=tuple(map(path_pattern, query.values(Field.PATH))),
        not_paths=tuple(map(path_pattern, query.values(Field.PATH, negated=True))),
        kinds=_kinds(query.values(Field.KIND)) or scope.kinds,
        not_kinds=_kinds(query.values(Field.KIND, negated=True)) or (),
        excluded=tsquery_without(query.excluded),
    )


def escape_like(text: str) -> str:
    return re.sub(r"([\\%_])", r"\\\1", text)


def path_pattern(value: str) -> str:
    """An ILIKE pattern: part of a path; `*` stands for anything, `/` first for the root."""
    head = "" if value.startswith("/") else "%"
    tail = "" if value.endswith("$") or ("*" in value and not value.endswith("*")) else "%"
    bare = escape_like(value.removeprefix("/").removesuffix("$"))
    return head + re.sub(r"\*+", "%", bare) + tail


def quote_term(term: str) -> str:
    """One lexeme in the text form of a tsquery."""
    doubled = term.replace("\\", "\\\\").replace("'", "''")
    return f"'{doubled}'"


def tsquery_without(excluded: Iterable[str]) -> str | None:
    """Files with any of these words are left out; a word is all of its parts together."""
    words = [" & ".join(quote_term(term) for term in tokenize(word)) for word in excluded]
    return " | ".join(f"({word})" for word in words if word) or None


def _languages(values: list[str]) -> tuple[str, ...] | None:
    return tuple(dict.fromkeys(map(language_name, values))) or None


def language_name(value: str) -> str:
    """`py`, `.py`, `Python` and `python` are `python`; what nobody knows stays as it is."""
    wanted = value.lower()
    for language in LANGUAGES.values():
        if wanted in {language.name, language.label.lower()}:
            return language.name
    by_suffix = language_of(str(PurePosixPath("x." + wanted.removeprefix("."))))
    return by_suffix.name if by_suffix else wanted


def _kinds(values: list[str]) -> tuple[str, ...] | None:
    return tuple(KIND_WORDS.get(value.lower(), value.lower()) for value in values) or None
