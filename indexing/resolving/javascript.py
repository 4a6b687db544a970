"""JavaScript and TypeScript: relative files, tsconfig paths, packages of the workspace."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from indexing.records import ImportRecord
from indexing.resolving.paths import PathIndex, ancestors, joined, under

EXTENSIONS = (".ts", ".tsx", ".d.ts", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".vue", ".svelte")
WRITTEN = {".js": (".ts", ".tsx"), ".jsx": (".tsx",), ".mjs": (".mts",), ".cjs": (".cts",)}
CONFIGS = ("tsconfig.json", "jsconfig.json", "tsconfig.base.json")
ALIASES = {"@/": ("src", ""), "~/": ("src", ""), "$lib/": ("src/lib",)}
MAX_EXTENDS = 5
JSONC = re.compile(r'("(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/|,(?=\s*[}\]])', re.DOTALL)

Object = dict[str, Any]


def read_json(text: str) -> Object:
    """JSON with comments and trailing commas; {} for anything else than an object."""
    try:
        value = json.loads(JSONC.sub(lambda match: match.group(1) or "", text))
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


class JavaScriptModules:
    def __init__(self, index: PathIndex, manifests: Mapping[str, str]) -> None:
        self.index = index
        self.configs: dict[str, Object] = {}
        self.packages: dict[str, tuple[str, Object]] = {}
        for path, text in manifests.items():
            directory, _, name = path.rpartition("/")
            if name.startswith(("tsconfig", "jsconfig")) and name.endswith(".json"):
                self.configs[path] = read_json(text)
            elif name == "package.json":
                self._add_package(directory, read_json(text))

    def _add_package(self, directory: str, package: Object) -> None:
        if isinstance(name := package.get("name"), str) and name:
            self.packages[name] = (directory, package)

    def resolve(self, from_path: str, imp: ImportRecord) -> str | None:
        module = imp.module.partition("?")[0]
        if module.startswith("."):
            return self._file(joined(from_path.rpartition("/")[0], module))
        found = self._by_config(from_path, module) or self._by_package(module)
        return found or self._by_alias(from_path, module)

    def _file(self, path: str | None) -> str | None:
        return self.index.first(_candidates(path)) if path is not None else None

    def _by_config(self, from_path: str, module: str) -> str | None:
        for directory in ancestors(from_path):
            for name in CONFIGS:
                config = under(directory, name)
                if config in self.configs and (found := self._by_paths(config, module)):
                    return found
        return None

    def _by_paths(self, config: str, module: str) -> str | None:
        for _ in range(MAX_EXTENDS):
            directory = config.rpartition("/")[0]
            options = _object(self.configs[config].get("compilerOptions"))
            written = options.get("baseUrl")
            base = joined(directory, written) if isinstance(written, str) else None
            for target in _targets(_object(options.get("paths")), module):
                home = base if base is not None else directory
                if found := self._file(joined(_dot(home), target)):
                    return found
            if base is not None and (found := self._file(joined(_dot(base), module))):
                return found
            parent = self.configs[config].get("extends")
            following = joined(directory, parent) if isinstance(parent, str) else None
            if following is None or following not in self.configs:
                return None
            config = following
        return None

    def _by_package(self, module: str) -> str | None:
        parts = module.split("/")
        length = 2 if module.startswith("@") else 1
        directory, package = self.packages.get("/".join(parts[:length]), (None, {}))
        if directory is None:
            return None
        rest = "/".join(parts[length:])
        if rest:
            tries = [under(directory, rest), under(directory, f"src/{rest}")]
        else:
            tries = [under(directory, entry) for entry in _entries(package)]
        return next((found for path in tries if (found := self._file(joined("", path)))), None)

    def _by_alias(self, from_path: str, module: str) -> str | None:
        for start, places in ALIASES.items():
            if module.startswith(start):
                rest = module.removeprefix(start)
                tries = [
                    under(directory, f"{place}/{rest}".lstrip("/"))
                    for directory in ancestors(from_path)
                    for place in places
                ]
                return next((found for path in tries if (found := self._file(path))), None)
        return None


def _dot(directory: str) -> str:
    return "" if directory == "." else directory


def _object(value: object) -> Object:
    return value if isinstance(value, dict) else {}


def _candidates(path: str) -> Iterator[str]:
    path = _dot(path)
    yield path
    for written, sources in WRITTEN.items():
        if path.endswith(written):
            yield from (path.removesuffix(written) + source for source in sources)
    yield from (path + extension for extension in EXTENSIONS if path)
    yield from (under(path, "index" + extension) for extension in EXTENSIONS)


def _targets(paths: Object, module: str) -> Iterator[str]:
    """What the `paths` of a tsconfig make of a module, the longest pattern first."""
    for pattern in sorted(paths, key=len, reverse=True):
        head, star, tail = pattern.partition("*")
        values = paths[pattern] if isinstance(paths[pattern], list) else []
        if star and module.startswith(head) and module.endswith(tail):
            middle = module[len(head) : len(module) - len(tail) or None]
            yield from (value.replace("*", middle) for value in values if isinstance(value, str))
        elif module == pattern:
            yield from (value for value in values if isinstance(value, str))


def _entries(package: Object) -> list[str]:
    """Source first: what `main` names is often built and not in the repository."""
    exported = package.get("exports")
    root = _object(exported).get(".", exported)
    named = [package.get("source"), package.get("types"), package.get("module")]
    named += [package.get("main"), root, *_object(root).values()]
    return ["src/index", "index", *(one for one in named if isinstance(one, str))]
