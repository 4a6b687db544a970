"""The one table that says which languages there are and how each is read.

A language without a grammar is known by name only, for statistics and filters.
No Django in this file: parser children import it.
"""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath


@dataclass(frozen=True, slots=True)
class Language:
    """One row of the table; `name` is what is stored and filtered by (`lang:python`).

    `grammar` is the name in tree_sitter_language_pack ("" means no symbols), `queries` the
    files of indexing/queries that are read one after the other.
    `exports` is "all", "marked" (by `@export`) or "hook" (indexing/parsing/hooks.py).
    `filenames` may hold shell patterns; `shebangs` are interpreter names without version.
    `max_nesting` bounds open brackets and `max_marks` the `>`, `- ` and `* ` at the head of a
    line (0 is no bound), before the grammar sees the text: beyond them some grammars crash.
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
    max_marks: int = 0
    restart: str = ""


CPP_SOURCES = (".cpp", ".cc", ".cxx", ".c++")
CPP_HEADERS = (".hpp", ".hh", ".hxx", ".h++", ".ipp", ".inl", ".tpp")
JS_QUERIES = ("javascript", "javascript_fields")
JS_RESTART = r"export\b|(?:async )?function\b|(?:abstract )?class \w|interface \w|const \w+ = "
TS_QUERIES = ("javascript", "typescript")

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
        "svelte", "Svelte", (".svelte",), grammar="svelte", queries=("svelte",), exports="marked"
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
        queries=("kotlin",),
        exports="hook",
    ),
    Language(
        "ruby",
        "Ruby",
        (".rb", ".rake", ".gemspec", ".ru"),
        ("Gemfile", "Rakefile", "Vagrantfile", "Podfile", "Guardfile", "Capfile", "Brewfile"),
        ("ruby", "jruby"),
        grammar="ruby",
        queries=("ruby",),
        exports="hook",
        name_separators=("::",),
    ),
    Language(
        "php",
        "PHP",
        (".php", ".phtml", ".inc"),
        (),
        ("php",),
        grammar="php",
        queries=("php",),
        exports="hook",
        name_separators=("\\",),
    ),
    Language("swift", "Swift", (".swift",), grammar="swift", queries=("swift",), exports="hook"),
    Language(
        "scala",
        "Scala",
        (".scala", ".sc", ".sbt"),
        (),
        ("scala",),
        grammar="scala",
        queries=("scala",),
        exports="hook",
    ),
    Language(
        "bash",
        "Bash",
        (".sh", ".bash", ".zsh", ".ksh", ".bats", ".ebuild"),
        (".bashrc", ".bash_profile", ".profile", ".zshrc", "PKGBUILD", "APKBUILD"),
        ("sh", "bash", "zsh", "dash", "ksh", "ash"),
        grammar="bash",
        queries=("bash",),
    ),
    Language(
        "lua",
        "Lua",
        (".lua", ".rockspec"),
        (),
        ("lua", "luajit"),
        grammar="lua",
        queries=("lua",),
        exports="hook",
        name_separators=(".", ":"),
    ),
    Language(
        "elixir",
        "Elixir",
        (".ex", ".exs"),
        ("mix.lock",),
        ("elixir",),
        grammar="elixir",
        queries=("elixir",),
        exports="hook",
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
        exports="hook",
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

NAMED = (
    Language("css", "CSS", (".css",)),
    Language("scss", "SCSS", (".scss", ".sass")),
    Language("less", "Less", (".less",)),
    Language("html", "HTML", (".html", ".htm", ".xhtml")),
    Language("jinja", "Jinja", (".jinja", ".jinja2", ".j2", ".njk")),
    Language("handlebars", "Handlebars", (".hbs", ".handlebars", ".mustache")),
    Language("erb", "ERB", (".erb",)),
    Language("pug", "Pug", (".pug", ".jade")),
    Language("haml", "Haml", (".haml",)),
    Language("twig", "Twig", (".twig",)),
    Language("astro", "Astro", (".astro",)),
    Language("xml", "XML", (".xml", ".xsd", ".xsl", ".xslt", ".svg", ".plist", ".csproj", ".resx")),
    Language(
        "dockerfile",
        "Dockerfile",
        (".dockerfile",),
        ("Dockerfile", "Dockerfile.*", "Containerfile"),
    ),
    Language(
        "make", "Makefile", (".mk", ".mak"), ("Makefile", "GNUmakefile", "makefile"), ("make",)
    ),
    Language("cmake", "CMake", (".cmake",), ("CMakeLists.txt",)),
    Language("meson", "Meson", (), ("meson.build", "meson_options.txt")),
    Language("gradle", "Gradle", (".gradle",)),
    Language("groovy", "Groovy", (".groovy", ".gvy"), ("Jenkinsfile",), ("groovy",)),
    Language("dart", "Dart", (".dart",)),
    Language("objective-c", "Objective-C", (".m", ".mm")),
    Language("perl", "Perl", (".pl", ".pm", ".t"), (), ("perl",)),
    Language("raku", "Raku", (".raku", ".rakumod"), (), ("raku",)),
    Language("r", "R", (".r",), (".Rprofile",), ("Rscript",)),
    Language("julia", "Julia", (".jl",), (), ("julia",)),
    Language("haskell", "Haskell", (".hs", ".lhs"), (), ("runhaskell",)),
    Language("ocaml", "OCaml", (".ml", ".mli"), (), ("ocaml",)),
    Language("fsharp", "F#", (".fs", ".fsx", ".fsi")),
    Language("vb", "Visual Basic", (".vb", ".bas", ".vbs")),
    Language("pascal", "Pascal", (".pas", ".dpr", ".lpr")),
    Language("fortran", "Fortran", (".f", ".for", ".f77", ".f90", ".f95", ".f03", ".f08")),
    Language("cobol", "COBOL", (".cob", ".cbl", ".cpy")),
    Language("ada", "Ada", (".adb", ".ads")),
    Language("assembly", "Assembly", (".asm", ".s")),
    Language("clojure", "Clojure", (".clj", ".cljs", ".cljc", ".edn"), (), ("bb",)),
    Language("erlang", "Erlang", (".erl", ".hrl"), ("rebar.config",), ("escript",)),
    Language("elm", "Elm", (".elm",)),
    Language("purescript", "PureScript", (".purs",)),
    Language("gleam", "Gleam", (".gleam",)),
    Language("nim", "Nim", (".nim", ".nims", ".nimble")),
    Language("zig", "Zig", (".zig", ".zon")),
    Language("crystal", "Crystal", (".cr",), (), ("crystal",)),
    Language("d", "D", (".d", ".di")),
    Language("v", "V", (".vv", ".vsh")),
    Language("solidity", "Solidity", (".sol",)),
    Language("coffeescript", "CoffeeScript", (".coffee",), ("Cakefile",), ("coffee",)),
    Language("lisp", "Lisp", (".lisp", ".lsp", ".cl", ".asd")),
    Language("scheme", "Scheme", (".scm", ".ss", ".rkt")),
    Language("emacs-lisp", "Emacs Lisp", (".el",)),
    Language("vim", "Vim script", (".vim",), (".vimrc", "vimrc")),
    Language("fish", "fish", (".fish",), (), ("fish",)),
    Language("nushell", "Nushell", (".nu",), (), ("nu",)),
    Language("batch", "Batch", (".bat", ".cmd")),
    Language("awk", "Awk", (".awk",), (), ("awk", "gawk", "mawk")),
    Language("tcl", "Tcl", (".tcl",), (), ("tclsh", "wish")),
    Language("matlab", "MATLAB", (".mat", ".mlx")),
    Language("verilog", "Verilog", (".v", ".sv", ".svh", ".vh")),
    Language("vhdl", "VHDL", (".vhd", ".vhdl")),
    Language("glsl", "GLSL", (".glsl", ".vert", ".frag", ".comp", ".geom")),
    Language("hlsl", "HLSL", (".hlsl", ".fx")),
    Language("wgsl", "WGSL", (".wgsl",)),
    Language("gdscript", "GDScript", (".gd",)),
    Language("protobuf", "Protocol Buffers", (".proto",)),
    Language("thrift", "Thrift", (".thrift",)),
    Language("graphql", "GraphQL", (".graphql", ".gql", ".graphqls")),
    Language("prisma", "Prisma", (".prisma",)),
    Language("terraform", "Terraform", (".tf", ".tfvars", ".hcl")),
    Language("nix", "Nix", (".nix",)),
    Language("bicep", "Bicep", (".bicep",)),
    Language("puppet", "Puppet", (".pp",)),
    Language("rego", "Rego", (".rego",)),
    Language("jsonnet", "Jsonnet", (".jsonnet", ".libsonnet")),
    Language("cue", "CUE", (".cue",)),
    Language("just", "Just", (".just",), ("justfile", "Justfile", ".justfile")),
    Language("notebook", "Jupyter Notebook", (".ipynb",)),
    Language(
        "ini", "INI", (".ini", ".cfg", ".conf", ".properties"), (".editorconfig", ".gitconfig")
    ),
    Language("dotenv", "dotenv", (".env",), (".env", ".env.*")),
    Language("gitignore", "Ignore list", (), (".gitignore", ".dockerignore", ".npmignore")),
    Language("gomod", "Go module", (".mod",), ("go.mod", "go.sum", "go.work")),
    Language("asciidoc", "AsciiDoc", (".adoc", ".asciidoc", ".asc")),
    Language("org", "Org", (".org",)),
    Language("tex", "TeX", (".tex", ".sty", ".cls", ".bib")),
    Language("csv", "CSV", (".csv", ".tsv")),
    Language("diff", "Diff", (".diff", ".patch")),
    Language("text", "Plain text", (".txt", ".text", ".log"), ("LICENSE", "COPYING", "AUTHORS")),
)

LANGUAGES: dict[str, Language] = {row.name: row for row in PARSED + NAMED}

CPP_ONLY = re.compile(
    r"^\s*(?:class\s+\w+[^;]*$|namespace\b|template\s*<|using\s+\w|public:|private:|protected:"
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
