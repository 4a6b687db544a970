from collections.abc import Collection, Mapping

import pytest

from indexing.languages import LANGUAGES
from indexing.parse import parse
from indexing.records import ImportRecord, ParsedFile
from indexing.resolve import Resolver
from indexing.resolving.javascript import read_json


def resolve(
    paths: Collection[str],
    origin: str,
    language: str,
    module: str,
    *names: str,
    manifests: Mapping[str, str] | None = None,
) -> str | None:
    imp = ImportRecord(module, names, 1)
    return Resolver(paths, manifests or {}).resolve(origin, language, imp)


PYTHON = (
    "src/line/__init__.py",
    "src/line/ferry.py",
    "src/line/quay/__init__.py",
    "src/line/quay/berth.py",
    "src/line/types.pyi",
    "tests/conftest.py",
    "tests/tools.py",
    "tools/gen/main.py",
    "tools/gen/words.py",
)


@pytest.mark.parametrize(
    ("origin", "module", "names", "target"),
    [
        ("tests/conftest.py", "line.ferry", ("Ferry",), "src/line/ferry.py"),
        ("tests/conftest.py", "line", ("ferry",), "src/line/ferry.py"),
        ("tests/conftest.py", "line", ("Unknown",), "src/line/__init__.py"),
        ("tests/conftest.py", "line.quay", (), "src/line/quay/__init__.py"),
        ("tests/conftest.py", "line.types", (), "src/line/types.pyi"),
        ("tests/conftest.py", "tools", (), "tests/tools.py"),
        ("tools/gen/main.py", "words", (), "tools/gen/words.py"),
        ("src/line/ferry.py", ".", ("quay",), "src/line/quay/__init__.py"),
        ("src/line/ferry.py", ".quay.berth", ("a",), "src/line/quay/berth.py"),
        ("src/line/quay/berth.py", "..ferry", ("a",), "src/line/ferry.py"),
        ("src/line/quay/__init__.py", ".berth", ("a",), "src/line/quay/berth.py"),
        ("src/line/quay/berth.py", "ferry", (), None),
        ("src/line/ferry.py", "......x", (), None),
        ("src/line/ferry.py", "os.path", (), None),
    ],
)
def test_python(origin, module, names, target):
    assert resolve(PYTHON, origin, "python", module, *names) == target


def test_python_in_a_monorepo_takes_the_nearest_package():
    paths = ["a/line/__init__.py", "b/line/__init__.py", "b/app/__init__.py", "b/app/main.py"]
    assert resolve(paths, "b/app/main.py", "python", "line") == "b/line/__init__.py"


SCRIPTS = (
    "src/a.ts",
    "src/b.tsx",
    "src/c/index.js",
    "src/d.vue",
    "src/data.json",
    "src/deep/e.ts",
    "packages/ui/src/index.ts",
    "packages/ui/src/button.tsx",
)


@pytest.mark.parametrize(
    ("module", "target"),
    [
        ("./a", "src/a.ts"),
        ("./a.js", "src/a.ts"),
        ("./b.jsx", "src/b.tsx"),
        ("./c", "src/c/index.js"),
        ("./d.vue", "src/d.vue"),
        ("./d.vue?raw", "src/d.vue"),
        ("./data.json", "src/data.json"),
        ("@/deep/e", "src/deep/e.ts"),
        ("../../outside", None),
        ("react", None),
    ],
)
def test_scripts(module, target):
    assert resolve(SCRIPTS, "src/main.ts", "typescript", module) == target


def test_tsconfig_paths_with_comments_and_extends():
    manifests = {
        "tsconfig.json": '{ "extends": "./tsconfig.base.json", /* x */ }',
        "tsconfig.base.json": '{"compilerOptions": {"baseUrl": ".", // y\n'
        '"paths": {"~deep/*": ["nowhere/*", "src/deep/*"],},}}',
    }
    found = resolve(SCRIPTS, "src/a.ts", "typescript", "~deep/e", manifests=manifests)
    assert found == "src/deep/e.ts"


def test_base_url():
    manifests = {"tsconfig.json": '{"compilerOptions": {"baseUrl": "./src"}}'}
    assert resolve(SCRIPTS, "x.ts", "typescript", "deep/e", manifests=manifests) == "src/deep/e.ts"


@pytest.mark.parametrize(
    ("module", "target"),
    [
        ("@line/ui", "packages/ui/src/index.ts"),
        ("@line/ui/button", "packages/ui/src/button.tsx"),
        ("@line/other", None),
    ],
)
def test_packages_of_the_workspace(module, target):
    manifests = {"packages/ui/package.json": '{"name": "@line/ui", "main": "dist/index.js"}'}
    assert resolve(SCRIPTS, "src/a.ts", "tsx", module, manifests=manifests) == target


@pytest.mark.parametrize("text", ["", "[]", "{", "null", "[" * 100_000, '{"name": 3}'])
def test_a_manifest_that_is_not_json_is_no_manifest(text):
    manifests = {"package.json": text, "tsconfig.json": text, "composer.json": text}
    assert resolve(SCRIPTS, "src/a.ts", "tsx", "x", manifests=manifests) is None


def test_slashes_in_strings_are_no_comments():
    assert read_json('{"a": "http://x/*", // y\n "b": [1,],}') == {"a": "http://x/*", "b": [1]}


def test_go_takes_the_first_file_that_is_no_test():
    paths = ["svc/store/a_test.go", "svc/store/b.go", "svc/store/c.go"]
    manifests = {"svc/go.mod": "module example.org/svc\n\ngo 1.22\n"}
    found = resolve(paths, "svc/main.go", "go", "example.org/svc/store", manifests=manifests)
    assert found == "svc/store/b.go"


@pytest.mark.parametrize("module", ["fmt", "example.org/other/store", "example.org/svc/none"])
def test_go_elsewhere(module):
    manifests = {"go.mod": "module example.org/svc\n"}
    assert resolve(["a.go"], "a.go", "go", module, manifests=manifests) is None


RUST = (
    "app/src/lib.rs",
    "app/src/gauge.rs",
    "app/src/gauge/dial.rs",
    "app/src/units/mod.rs",
    "app/tests/all.rs",
)


@pytest.mark.parametrize(
    ("origin", "module", "names", "target"),
    [
        ("app/src/lib.rs", "gauge", (), "app/src/gauge.rs"),
        ("app/src/lib.rs", "units", (), "app/src/units/mod.rs"),
        ("app/src/gauge.rs", "dial", (), "app/src/gauge/dial.rs"),
        ("app/src/gauge.rs", "self::dial", ("Dial",), "app/src/gauge/dial.rs"),
        ("app/src/gauge/dial.rs", "super::super::units", ("Kilo",), "app/src/units/mod.rs"),
        ("app/src/gauge/dial.rs", "crate", ("units",), "app/src/units/mod.rs"),
        ("app/src/gauge/dial.rs", "crate::units", ("*",), "app/src/units/mod.rs"),
        ("app/src/gauge.rs", "crate", ("Meter",), "app/src/lib.rs"),
        ("app/tests/all.rs", "my_app::gauge", ("Dial",), "app/src/gauge.rs"),
        ("app/src/gauge.rs", "super", ("*",), None),
        ("app/src/gauge.rs", "std::io", ("Read",), None),
    ],
)
def test_rust(origin, module, names, target):
    manifests = {"app/Cargo.toml": '[package]\nname = "my-app"\n'}
    assert resolve(RUST, origin, "rust", module, *names, manifests=manifests) == target


@pytest.mark.parametrize(
    ("language", "module", "target"),
    [
        ("java", "org.line.Ferry", "core/src/main/java/org/line/Ferry.java"),
        ("java", "org.line.Ferry.MAX", "core/src/main/java/org/line/Ferry.java"),
        ("kotlin", "org.line.Quay", "core/src/main/kotlin/org/line/Quay.kt"),
        ("java", "java.util.List", None),
        ("c", "port.h", "include/port.h"),
        ("c", "net/socket.h", "lib/vendor/net/socket.h"),
        ("cpp", "../include/port.h", "include/port.h"),
        ("c", "twice.h", None),
        ("c", "stdio.h", None),
        ("csharp", "Line.Ferry", None),
        ("swift", "Foundation", None),
        ("ruby", "line/ferry", "lib/line/ferry.rb"),
        ("ruby", "./near", "src/near.rb"),
        ("lua", "line.deck", "lua/line/deck/init.lua"),
        ("elixir", "Line.CarDeck", "apps/web/lib/line/car_deck.ex"),
        ("bash", "./tools.sh", "src/tools.sh"),
        ("bash", "$HERE/tools.sh", "src/tools.sh"),
        ("php", "App\\Models\\Ferry", "app/Models/Ferry.php"),
        ("php", "parts/head.php", "src/parts/head.php"),
    ],
)
def test_by_ending(language, module, target):
    paths = [
        "core/src/main/java/org/line/Ferry.java",
        "core/src/main/kotlin/org/line/Quay.kt",
        "include/port.h",
        "lib/vendor/net/socket.h",
        "one/a/twice.h",
        "two/a/twice.h",
        "lib/line/ferry.rb",
        "src/near.rb",
        "lua/line/deck/init.lua",
        "apps/web/lib/line/car_deck.ex",
        "src/tools.sh",
        "app/Models/Ferry.php",
        "src/parts/head.php",
    ]
    manifests = {"composer.json": '{"autoload": {"psr-4": {"App\\\\": "app/"}}}'}
    assert resolve(paths, "src/main", language, module, manifests=manifests) == target


def parsed(texts: Mapping[str, str], language: str) -> dict[str, ParsedFile]:
    return {path: parse(LANGUAGES[language], text) for path, text in texts.items()}


def test_a_python_re_export_leads_to_the_defining_file():
    texts = {
        "pkg/__init__.py": "from .shapes import Rect\nfrom .extra import *\n",
        "pkg/shapes.py": "class Rect: pass\n",
        "pkg/extra.py": "def grow(): pass\n",
    }
    resolver = Resolver([*texts, "main.py"], {}, parsed(texts, "python"))
    imp = ImportRecord("pkg", ("Rect", "grow", "lost"), 1)
    found = [resolver.resolve_name("main.py", "python", imp, name) for name in imp.names]
    assert found == ["pkg/shapes.py", "pkg/extra.py", "pkg/__init__.py"]


def test_a_script_barrel_leads_to_the_defining_file():
    texts = {
        "ui/index.ts": 'export { Card } from "./card";\nexport * from "./list";\n',
        "ui/card.ts": "export class Card {}\n",
        "ui/list.ts": "export const List = () => 1;\n",
    }
    resolver = Resolver([*texts, "main.ts"], {}, parsed(texts, "typescript"))
    imp = ImportRecord("./ui", ("Card", "List"), 1)
    found = [resolver.resolve_name("main.ts", "typescript", imp, name) for name in imp.names]
    assert found == ["ui/card.ts", "ui/list.ts"]


def test_files_that_import_each_other_end():
    texts = {"a.py": "from b import x\n", "b.py": "from a import x\n"}
    resolver = Resolver([*texts, "main.py"], {}, parsed(texts, "python"))
    imp = ImportRecord("a", ("x",), 1)
    assert resolver.resolve_name("main.py", "python", imp, "x") in {"a.py", "b.py"}


@pytest.mark.timeout(60)  # a look at every path for every import would take an hour
def test_forty_thousand_paths_take_no_time():
    paths = [f"p{one}/src/m{two}/index.ts" for one in range(1000) for two in range(40)]
    resolver = Resolver(paths, {})
    for path in paths:
        resolver.resolve(path, "typescript", ImportRecord("../m1", (), 1))
        resolver.resolve(path, "c", ImportRecord("index.ts", (), 1))
