"""The one table that says which languages there are and how each is read.

A language without a grammar is read by its line reader (indexing/readers), or it is known by
name only, for statistics and filters.
No Django in this file: parser children import it.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath

from indexing.language_names import NAMED_ONLY


@dataclass(frozen=True, slots=True)
class Language:
    """One row of the table; `name` is what is stored and filtered by (`lang:python`).

    `grammar` is the name in tree_sitter_language_pack ("" means none), `queries` the
    files of indexing/queries that are read one after the other.
    `exports` is "all", "marked" (by `@export`), or who decides of the hooks
    (indexing/parsing/hooks.py): "hook" (`exported`) or "finish" (it sets `marked`).
    `filenames` may hold shell patterns; `shebangs` are interpreter names without version.
    `max_nesting` bounds the brackets that are open at once before the grammar sees the text:
    beyond it some grammars crash or take minutes.
    `restart` matches the head of a definition at the margin, where a broken file is read anew.
    """

    name: str
    label: str
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()
    grammar: str = ""
    queries: tuple[str, ...] = ()
    exports: str = "all"
    name_separators: tuple[str, ...] = ()
    max_nesting: int = 4_000
    restart: str = ""


CPP_SOURCES = (".cpp", ".cc", ".cxx", ".c++")
CPP_HEADERS = (".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp")
JS_QUERIES = ("javascript", "javascript_fields")
JS_RESTART = r"export\b|(?:async )?function\b|(?:abstract )?class \w|interface \w|const \w+ = "
TS_QUERIES = ("javascript", "typescript")

KOTLIN_RESTART = (
    r"(?:(?:public|private|internal|protected|open|abstract|sealed|data|enum|annotation|value"
    r"|inline|suspend|operator|infix|const|override|fun)[ ]+)*"
    r"(?:fun|class|object|interface|typealias)\b"
)
SWIFT_RESTART = (
    r"(?:(?:public|private|internal|fileprivate|open|final|indirect|static|mutating)[ ]+)*"
    r"(?:func|class|struct|enum|protocol|extension|actor|typealias)\b"
)
SCALA_RESTART = (
    r"(?:(?:private|protected|final|sealed|abstract|implicit|lazy|override|case|inline)[ ]+)*"
    r"(?:class|object|trait|def|enum|given|extension|package[ ]+object)\b"
)

PARSED = (
    Language(
        "python",
        "Python",
        (".py", ".pyi", ".pyw", ".pyx", ".bzl", ".star"),
        ("SConstruct", "SConscript", "wscript", "BUILD", "BUILD.bazel", "WORKSPACE"),
        ("python", "pypy"),
        grammar="python",
        restart=r"(?:async[ ]+)?(?:def|class)[ ]+\w|@\w",
        queries=("python",),
        exports="hook",
    ),
    Language(
        "javascript",
        "JavaScript",
        (".js", ".mjs", ".cjs", ".jsx"),
        ("Jakefile",),
        ("node", "nodejs", "bun"),
        grammar="javascript",
        restart=JS_RESTART,
        queries=JS_QUERIES,
        exports="marked",
    ),
    Language(
        "typescript",
        "TypeScript",
        (".ts", ".mts", ".cts"),
        (),
        ("deno", "ts-node", "tsx"),
        grammar="typescript",
        restart=JS_RESTART,
        queries=TS_QUERIES,
        exports="marked",
    ),
    Language(
        "tsx",
        "TSX",
        (".tsx",),
        grammar="tsx",
        queries=TS_QUERIES,
        exports="marked",
        restart=JS_RESTART,
    ),
    Language("vue", "Vue", (".vue",), grammar="vue", queries=("vue",), exports="marked"),
    Language(
        "svelte",
        "Svelte",
        (".svelte",),
        grammar="svelte",
        queries=("svelte",),
        exports="marked",
        max_nesting=200,
    ),
    Language(
        "go",
        "Go",
        (".go",),
        grammar="go",
        queries=("go",),
        exports="hook",
        restart=r"(?:func|type|var|const)\b",
    ),
    Language(
        "rust",
        "Rust",
        (".rs",),
        (),
        ("rust-script",),
        grammar="rust",
        restart=r"(?:pub\b.*?\s)?(?:fn|struct|enum|trait|impl|mod)\b|#\[",
        queries=("rust",),
        exports="marked",
        name_separators=("::",),
    ),
    Language("java", "Java", (".java",), grammar="java", queries=("java",), exports="hook"),
    Language("c", "C", (".c", ".h"), grammar="c", queries=("c_shared",), exports="hook"),
    Language(
        "cpp",
        "C++",
        (*CPP_SOURCES, *CPP_HEADERS, ".cu", ".cuh", ".ino"),
        grammar="cpp",
        queries=("c_shared", "cpp"),
        exports="hook",
        name_separators=("::",),
    ),
    Language(
        "csharp",
        "C#",
        (".cs", ".csx"),
        grammar="csharp",
        queries=("csharp",),
        exports="hook",
        name_separators=(".",),
    ),
    Language(
        "kotlin",
        "Kotlin",
        (".kt", ".kts"),
        grammar="kotlin",
        restart=KOTLIN_RESTART,
        queries=("kotlin",),
        exports="finish",
    ),
    Language(
        "ruby",
        "Ruby",
        (".rb", ".rake", ".gemspec", ".podspec", ".ru"),
        ("Gemfile", "Rakefile", "Vagrantfile", "Podfile", "Guardfile", "Capfile", "Brewfile"),
        ("ruby", "jruby"),
        grammar="ruby",
        restart=r"(?:class|module|def)[ ]+\w",
        queries=("ruby",),
        exports="finish",
        name_separators=("::",),
    ),
    Language(
        "php",
        "PHP",
        (".php", ".phtml", ".phpt", ".inc"),
        (),
        ("php",),
        grammar="php",
        queries=("php",),
        exports="finish",
        name_separators=("\\",),
    ),
    Language(
        "swift",
        "Swift",
        (".swift",),
        grammar="swift",
        restart=SWIFT_RESTART,
        queries=("swift",),
        exports="finish",
    ),
    Language(
        "scala",
        "Scala",
        (".scala", ".sc", ".sbt"),
        (),
        ("scala",),
        grammar="scala",
        restart=SCALA_RESTART,
        queries=("scala",),
        exports="finish",
    ),
    Language(
        "bash",
        "Bash",
        (".sh", ".bash", ".zsh", ".ksh", ".bats", ".ebuild"),
        (".bashrc", ".bash_profile", ".profile", ".zshrc", "PKGBUILD", "APKBUILD"),
        ("sh", "bash", "zsh", "dash", "ksh", "ash"),
        grammar="bash",
        restart=r"(?:function[ ]+)?[\w:.-]+[ ]*\(\)",
        queries=("bash",),
    ),
    Language(
        "lua",
        "Lua",
        (".lua", ".rockspec"),
        (),
        ("lua", "luajit"),
        grammar="lua",
        restart=r"(?:local[ ]+)?function\b",
        queries=("lua",),
        exports="finish",
        name_separators=(".", ":"),
    ),
    Language(
        "elixir",
        "Elixir",
        (".ex", ".exs"),
        ("mix.lock",),
        ("elixir",),
        grammar="elixir",
        restart=r"(?:defmodule|defprotocol|defimpl)[ ]",
        queries=("elixir",),
        exports="finish",
        name_separators=(".",),
    ),
    Language(
        "sql",
        "SQL",
        (".sql", ".ddl", ".pgsql", ".psql", ".plsql", ".tsql"),
    ),
    Language(
        "powershell",
        "PowerShell",
        (".ps1", ".psm1", ".psd1"),
        (),
        ("pwsh",),
        grammar="powershell",
        queries=("powershell",),
        exports="finish",
    ),
    Language(
        "markdown",
        "Markdown",
        (".md", ".markdown", ".mdx", ".mkd", ".qmd", ".rmd"),
    ),
    Language(
        "rst",
        "reStructuredText",
        (".rst", ".rest"),
    ),
    Language(
        "yaml",
        "YAML",
        (".yaml", ".yml"),
        (".clang-format", ".clang-tidy"),
    ),
    Language(
        "toml",
        "TOML",
        (".toml",),
        ("Cargo.lock", "poetry.lock", "uv.lock", "Pipfile"),
    ),
    Language(
        "json",
        "JSON",
        (".json", ".jsonc", ".json5", ".geojson", ".webmanifest", ".har"),
        (".babelrc", ".eslintrc", ".prettierrc", "composer.lock", "Pipfile.lock"),
    ),
)

NAMED = tuple(Language(*row) for row in NAMED_ONLY)

LANGUAGES: dict[str, Language] = {row.name: row for row in PARSED + NAMED}

CPP_ONLY = re.compile(
    r"^\s*(?:class\s+\w+[^;]*$|namespace\b|template\s*<|using\s+(?:namespace\b|\w+\s*=|\w+::)|public:|private:|protected:"
    r"|virtual\s|constexpr\s|#\s*include\s*<[a-z_]+>)|\bstd::|\w::\w|\boperator\s*[=+\-*/<>(\[]",
    re.MULTILINE,
)
HEADER_CHARS = 40_000  # what is looked at to tell a C++ header from a C one


@cache
def _by_extension() -> dict[str, Language]:
    return {ext: row for row in reversed(PARSED + NAMED) for ext in row.extensions}


@cache
def _by_filename() -> tuple[dict[str, Language], tuple[tuple[str, Language], ...]]:
    pairs = [(name, row) for row in PARSED + NAMED for name in row.filenames]
    exact = {name: row for name, row in pairs if "*" not in name}
    return exact, tuple((name.rstrip("*"), row) for name, row in pairs if "*" in name)


@cache
def _by_interpreter() -> dict[str, Language]:
    return {name: row for row in PARSED + NAMED for name in row.shebangs}


def interpreter(first_line: str) -> str:
    """The program a shebang line names, without directory, `env`, options and version."""
    if not first_line.startswith("#!"):
        return ""
    words = [word.rsplit("/", 1)[-1] for word in first_line[2:].split()]
    if words and words[0] == "env":
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return re.sub(r"[\d.]+$", "", words[0]) if words else ""


def language_of(path: str, first_line: str = "") -> Language | None:
    """The language by file name, then extension, then shebang; None when nobody knows."""
    pure = PurePosixPath(path)
    exact, starts = _by_filename()
    found = exact.get(pure.name) or _by_extension().get(pure.suffix.lower())
    if found is None:
        found = next((row for start, row in starts if pure.name.startswith(start)), None)
    return found or _by_interpreter().get(interpreter(first_line))


def language_of_text(path: str, text: str) -> Language | None:
    """As `language_of`, with the text at hand: a `.h` file written in C++ is C++."""
    found = language_of(path, text.partition("\n")[0][:500])
    if found and found.name == "c" and path.lower().endswith(".h"):
        return LANGUAGES["cpp"] if CPP_ONLY.search(text[:HEADER_CHARS]) else found
    return found
