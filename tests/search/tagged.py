"""The statements of the apps by their tags: `/* search: holding; uses chunk_terms */`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
APPS = ("accounts", "repos", "outbound", "search", "answers", "indexing", "compliance")

_TAG = re.compile(r"/\* (?P<tag>[^*]+?)(?:[;:] uses (?P<uses>[^*]+?))? \*/")
_INDEX = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")
_READS = re.compile(
    r"\b(?:FROM|JOIN|UPDATE|INTO|USING)\s+(?:accounts|repos|indexing|answers|compliance|outbound)_\w"
)


@dataclass(frozen=True, slots=True)
class Tagged:
    app: str
    tag: str
    uses: tuple[str, ...]  # the names of indexes
    text: str

    @property
    def reads_tables(self) -> bool:
        return _READS.search(self.text) is not None


def tagged_statements() -> dict[str, Tagged]:
    """By tag. Statements of locks, settings and definitions are here as well."""
    found = [one for name in _modules() for one in _statements(import_module(name))]
    return {one.tag: one for one in found}


def _modules() -> Iterator[str]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob("*.py")):
            if "migrations" not in path.parts and "/* " in path.read_text(encoding="utf-8"):
                yield ".".join(path.relative_to(ROOT).with_suffix("").parts)


def _statements(module: ModuleType) -> Iterator[Tagged]:
    for value in vars(module).values():
        for text in value.values() if isinstance(value, dict) else [value]:
            if isinstance(text, str) and "{tag}" not in text and (match := _TAG.search(text)):
                uses = tuple(_INDEX.findall(match["uses"] or ""))
                yield Tagged(module.__name__.partition(".")[0], match["tag"], uses, text)
