"""Python modules: relative, absolute from any root of packages, submodules."""

from collections import defaultdict
from collections.abc import Mapping

from indexing.records import ImportRecord
from indexing.resolving.paths import PathIndex, ancestors, nearest, under

SUFFIXES = (".py", "/__init__.py", ".pyi", "/__init__.pyi")
MANIFESTS = ("pyproject.toml", "setup.py", "setup.cfg")
SOURCE_ROOTS = ("", "src", "lib", "python")
INIT = "__init__.py"


class PythonModules:
    def __init__(self, index: PathIndex, manifests: Mapping[str, str]) -> None:
        self.index = index
        self.roots: dict[str, set[str]] = defaultdict(set)  # top-level name -> directories
        for path in index.paths:
            if path.endswith((".py", ".pyi")):
                self._add_package(path)
        homes = {path.rpartition("/")[0] for path in manifests if path.endswith(MANIFESTS)}
        self.homes = {"", *homes}
        self._tops: dict[tuple[str, str], bool] = {}
        self._found: dict[tuple[str, str, tuple[str, ...]], str | None] = {}

    def _add_package(self, path: str) -> None:
        directory, _, name = path.rpartition("/")
        if name.startswith(INIT) and directory:
            parent, _, package = directory.rpartition("/")
            if not self._is_package(parent):
                self.roots[package].add(parent)

    def _is_package(self, directory: str) -> bool:
        return under(directory, INIT) in self.index.paths

    def resolve(self, from_path: str, imp: ImportRecord) -> str | None:
        """The same for all files of a folder, which often import the same."""
        key = (from_path.rpartition("/")[0], imp.module, imp.names)
        if key not in self._found:
            self._found[key] = self._resolved(from_path, imp)
        return self._found[key]

    def _resolved(self, from_path: str, imp: ImportRecord) -> str | None:
        if imp.module.startswith("."):
            return self._relative(from_path, imp)
        parts = imp.module.split(".")
        roots = [root for root in self._roots(from_path, parts[0]) if self._holds(root, parts[0])]
        found = [self._module(root, parts, imp.names) for root in roots]
        return nearest_first(from_path, [path for path in found if path])

    def _roots(self, from_path: str, top: str) -> list[str]:
        scripts = [one for one in ancestors(from_path) if not self._is_package(one)]
        homes = [under(home, source).rstrip("/") for home in self.homes for source in SOURCE_ROOTS]
        if len(homes) > MAX_HOMES:
            homes = [home for home in homes if home in scripts]
        return list(dict.fromkeys([*scripts, *sorted(self.roots.get(top, ())), *homes]))

    def _holds(self, root: str, top: str) -> bool:
        """Whether a module of this name can be in the root; most imports lead out of all roots."""
        known = self._tops.get((root, top))
        if known is None:
            base = under(root, top)
            named = self.index.first(base + suffix for suffix in SUFFIXES)
            known = self._tops[root, top] = named is not None or self.index.is_directory(base)
        return known

    def _relative(self, from_path: str, imp: ImportRecord) -> str | None:
        dots = len(imp.module) - len(imp.module.lstrip("."))
        around = ancestors(from_path)
        if dots > len(around):
            return None
        parts = [part for part in imp.module[dots:].split(".") if part]
        return self._module(around[dots - 1], parts, imp.names)

    def _module(self, root: str, parts: list[str], names: tuple[str, ...]) -> str | None:
        base = under(root, "/".join(parts)) if parts else root
        for name in names:
            found = self.index.first(under(base, name) + suffix for suffix in SUFFIXES)
            if found:
                return found
        return self.index.first((base + suffix).lstrip("/") for suffix in SUFFIXES)


MAX_HOMES = 40


def nearest_first(from_path: str, found: list[str]) -> str | None:
    """The nearest; among equally near ones the root that was tried first."""
    return nearest(from_path, found) or next(iter(found), None)
