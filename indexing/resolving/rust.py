"""Rust modules: `mod x;`, `crate::`, `self::`, `super::` and crates of the workspace."""

import re
from collections.abc import Mapping

from indexing.records import ImportRecord
from indexing.resolving.paths import PathIndex, ancestors, under

PACKAGE = re.compile(r"^\[package\][^\[]*?^\s*name\s*=\s*[\"']([\w-]+)", re.MULTILINE | re.DOTALL)
ROOTS = ("lib.rs", "main.rs")
OWN_DIRECTORY = ("lib.rs", "main.rs", "mod.rs")


class RustModules:
    def __init__(self, index: PathIndex, manifests: Mapping[str, str]) -> None:
        self.index = index
        self.crates: dict[str, str] = {}
        for path, text in manifests.items():
            if path.rpartition("/")[2] == "Cargo.toml" and (found := PACKAGE.search(text)):
                source = under(path.rpartition("/")[0], "src")
                self.crates[found.group(1).replace("-", "_")] = source

    def resolve(self, from_path: str, imp: ImportRecord) -> str | None:
        parts = imp.module.split("::")
        name = imp.names[0] if imp.names and imp.names[0] not in {"*", "self"} else ""
        base, rest = self._base(from_path, parts)
        if base is None:
            return None
        found = self._walk(base, [*rest, name] if name else rest)
        return found if found != from_path else None

    def _base(self, from_path: str, parts: list[str]) -> tuple[str | None, list[str]]:
        """The directory of the module that the path starts from, and what follows."""
        here = self._own(from_path)
        if parts[0] == "crate":
            return self._crate_source(from_path), parts[1:]
        if parts[0] == "self":
            return here, parts[1:]
        if parts[0] == "super":
            count = next((at for at, part in enumerate(parts) if part != "super"), len(parts))
            around = [here, *ancestors(here)]
            bare = count == len(parts)  # `use super::*` is mostly an inline test module
            return (None if bare or count >= len(around) else around[count]), parts[count:]
        if self._file(here, parts[0]):
            return here, parts
        return self.crates.get(parts[0]), parts[1:]

    def _own(self, path: str) -> str:
        directory, _, name = path.rpartition("/")
        return directory if name in OWN_DIRECTORY else under(directory, name.removesuffix(".rs"))

    def _crate_source(self, from_path: str) -> str | None:
        for directory in ancestors(from_path):
            if self.index.first(under(directory, root) for root in ROOTS):
                return directory
        return None

    def _file(self, directory: str, name: str) -> str | None:
        return self.index.first(under(directory, end) for end in (f"{name}.rs", f"{name}/mod.rs"))

    def _walk(self, base: str, parts: list[str]) -> str | None:
        """The file of the deepest module on the path."""
        found = self.index.first(
            [*(under(base, root) for root in (*ROOTS, "mod.rs")), f"{base}.rs"]
        )
        for part in parts:
            deeper = self._file(base, part)
            if deeper is None:
                break
            found, base = deeper, under(base, part)
        return found
