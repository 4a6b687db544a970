"""Go packages: the module path of go.mod gives a directory, and its first file stands for it."""

import re
from collections.abc import Mapping

from indexing.records import ImportRecord
from indexing.resolving.paths import PathIndex, under

MODULE = re.compile(r"^module\s+\"?([^\s\"]+)", re.MULTILINE)


class GoPackages:
    def __init__(self, index: PathIndex, manifests: Mapping[str, str]) -> None:
        self.index = index
        self.modules: dict[str, str] = {}
        for path, text in manifests.items():
            if path.rpartition("/")[2] == "go.mod" and (found := MODULE.search(text)):
                self.modules[found.group(1)] = path.rpartition("/")[0]

    def resolve(self, _from_path: str, imp: ImportRecord) -> str | None:
        parts = imp.module.split("/")
        for length in range(len(parts), 0, -1):
            home = self.modules.get("/".join(parts[:length]))
            if home is not None:
                rest = "/".join(parts[length:])
                return self._first_file(under(home, rest) if rest else home)
        return None

    def _first_file(self, directory: str) -> str | None:
        files = self.index.directories.get(directory, [])
        sources = (path for path in files if path.endswith(".go"))
        return next((path for path in sources if not path.endswith("_test.go")), None)
