"""Languages whose imports are paths or dotted names that end a file's path."""

import re
from collections.abc import Mapping

from indexing.records import ImportRecord
from indexing.resolving.javascript import read_json
from indexing.resolving.paths import PathIndex, ancestors, joined, nearest, under

JVM = (".java", ".kt", ".scala", ".groovy")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
INCLUDE_ROOTS = ("", "include", "src", "lib")


def jvm(index: PathIndex, from_path: str, module: str) -> str | None:
    """`a.b.C` and, for static and nested names, `a.b.C.d` and `a.b.C.D.e`."""
    parts = module.split(".")
    for length in range(len(parts), max(len(parts) - 3, 1), -1):
        stem = "/".join(parts[:length])
        found = [path for end in JVM for path in index.ending(stem + end)]
        if found:
            return nearest(from_path, found) or found[0]
    return None


def include(index: PathIndex, from_path: str, module: str) -> str | None:
    """C and C++: beside the file, under an include root, or by a suffix that only one has."""
    module = module.replace("\\", "/")
    beside = joined(from_path.rpartition("/")[0], module)
    if beside in index.paths:
        return beside
    plain = joined("", module) or module.lstrip("./")
    for directory in ancestors(from_path):
        for root in INCLUDE_ROOTS:
            path = under(under(directory, root) if root else directory, plain)
            if path in index.paths:
                return path
    return nearest(from_path, index.ending(plain))


def ruby(index: PathIndex, from_path: str, module: str) -> str | None:
    name = module if module.endswith(".rb") else f"{module}.rb"
    beside = joined(from_path.rpartition("/")[0], name)
    if beside in index.paths:
        return beside
    return nearest(from_path, index.ending(f"lib/{name.lstrip('./')}"))


def lua(index: PathIndex, from_path: str, module: str) -> str | None:
    stem = module.removesuffix(".lua").replace(".", "/")
    found = index.ending(f"{stem}.lua") or index.ending(f"{stem}/init.lua")
    return nearest(from_path, found)


def elixir(index: PathIndex, from_path: str, module: str) -> str | None:
    """`Shop.CartItem` is shop/cart_item.ex; a module inside another file is not found."""
    stem = "/".join(CAMEL.sub("_", part).lower() for part in module.split("."))
    return nearest(from_path, index.ending(f"{stem}.ex") or index.ending(f"{stem}.exs"))


def sourced(index: PathIndex, from_path: str, module: str) -> str | None:
    """Shell: `source ./x.sh`, `. "$DIR/lib/x.sh"`; a leading variable is taken as a directory."""
    plain = re.sub(r"^(?:\$\{?\w+\}?|\$\([^)]*\))/", "", module)
    beside = joined(from_path.rpartition("/")[0], plain)
    if beside in index.paths:
        return beside
    root = joined("", plain)
    return root if root in index.paths else nearest(from_path, index.ending(plain.lstrip("./")))


class PhpClasses:
    def __init__(self, index: PathIndex, manifests: Mapping[str, str]) -> None:
        self.index = index
        self.prefixes: list[tuple[str, str]] = []
        for path, text in manifests.items():
            if path.rpartition("/")[2] == "composer.json":
                self._add(path.rpartition("/")[0], read_json(text))
        self.prefixes.sort(key=lambda pair: -len(pair[0]))

    def _add(self, home: str, composer: dict[str, object]) -> None:
        for section in ("autoload", "autoload-dev"):
            loaded = composer.get(section)
            mapping = loaded.get("psr-4") if isinstance(loaded, dict) else None
            for prefix, places in (mapping if isinstance(mapping, dict) else {}).items():
                for place in places if isinstance(places, list) else [places]:
                    if isinstance(place, str):
                        self.prefixes.append((prefix, under(home, place).strip("/")))

    def resolve(self, from_path: str, imp: ImportRecord) -> str | None:
        module = imp.module
        if module.endswith((".php", ".inc", ".phtml")):
            return include(self.index, from_path, module.lstrip("/"))
        name = module.strip("\\")
        for prefix, place in self.prefixes:
            if name.startswith(prefix):
                path = under(place, name.removeprefix(prefix).replace("\\", "/") + ".php")
                if path in self.index.paths:
                    return path
        return nearest(from_path, self.index.ending(name.replace("\\", "/") + ".php"))
