"""Which file of the repository an import leads to. Pure: paths and manifests in, a path out."""

from collections.abc import Callable, Collection, Mapping

from indexing.records import ImportRecord, ParsedFile
from indexing.resolving import suffixes
from indexing.resolving.go import GoPackages
from indexing.resolving.javascript import JavaScriptModules
from indexing.resolving.paths import PathIndex
from indexing.resolving.python import PythonModules
from indexing.resolving.rust import RustModules

MANIFEST_NAMES = frozenset(
    {
        "pyproject.toml",
        "setup.py",
        "setup.cfg",
        "package.json",
        "tsconfig.json",
        "tsconfig.base.json",
        "jsconfig.json",
        "go.mod",
        "Cargo.toml",
        "composer.json",
    }
)
LookUp = Callable[[str, ImportRecord], str | None]
SuffixLookUp = Callable[[PathIndex, str, str], str | None]

SCRIPTS = frozenset({"javascript", "typescript", "tsx", "vue", "svelte"})
BY_SUFFIX: dict[str, SuffixLookUp] = {
    "java": suffixes.jvm,
    "kotlin": suffixes.jvm,
    "scala": suffixes.jvm,
    "c": suffixes.include,
    "cpp": suffixes.include,
    "ruby": suffixes.ruby,
    "lua": suffixes.lua,
    "elixir": suffixes.elixir,
    "bash": suffixes.sourced,
}
MAX_HOPS = 6  # re-exports of re-exports


class Resolver:
    """Made once a snapshot.

    `manifests` are the texts of the files named in MANIFEST_NAMES, by path.
    `parsed`, where given, lets `resolve_name` follow re-exports to the defining file.
    """

    def __init__(
        self,
        paths: Collection[str],
        manifests: Mapping[str, str],
        parsed: Mapping[str, ParsedFile] | None = None,
    ) -> None:
        self.index = PathIndex(paths)
        scripts = JavaScriptModules(self.index, manifests)
        self.by_language: dict[str, LookUp] = {
            "python": PythonModules(self.index, manifests).resolve,
            "go": GoPackages(self.index, manifests).resolve,
            "rust": RustModules(self.index, manifests).resolve,
            "php": suffixes.PhpClasses(self.index, manifests).resolve,
            **dict.fromkeys(SCRIPTS, scripts.resolve),
            **{name: self._by_suffix(look_up) for name, look_up in BY_SUFFIX.items()},
        }
        self.parsed = parsed or {}

    def _by_suffix(self, look_up: SuffixLookUp) -> LookUp:
        return lambda from_path, imp: look_up(self.index, from_path, imp.module)

    def resolve(self, from_path: str, language: str, imp: ImportRecord) -> str | None:
        """The file the import leads to; None when it is not in the repository or not known."""
        if not imp.module or "\0" in imp.module:
            return None
        look_up = self.by_language.get(language)
        return look_up(from_path, imp) if look_up else None

    def resolve_name(
        self, from_path: str, language: str, imp: ImportRecord, name: str
    ) -> str | None:
        """The file that defines one name of the import, through re-exports where they are known."""
        one = ImportRecord(imp.module, (name,), imp.line)
        target = self.resolve(from_path, language, one)
        seen = {from_path}
        for _ in range(MAX_HOPS):
            if target is None or target in seen or self._defines(target, name):
                break
            seen.add(target)
            following = self._re_exported(target, language, name)
            if following is None:
                break
            target = following
        return target

    def _defines(self, path: str, name: str) -> bool:
        found = self.parsed.get(path)
        return found is None or any(one.name == name and not one.parent for one in found.symbols)

    def _re_exported(self, path: str, language: str, name: str) -> str | None:
        """Where the file takes the name from; a star import counts when its target defines it."""
        imports = self.parsed[path].imports
        for imp in imports:
            if name in imp.names:
                return self.resolve(path, language, ImportRecord(imp.module, (name,), imp.line))
        for imp in imports:
            target = self.resolve(path, language, imp) if "*" in imp.names else None
            if target and target in self.parsed and self._defines(target, name):
                return target
        return None
