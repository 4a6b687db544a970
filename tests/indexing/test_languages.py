import pytest

from indexing.languages import LANGUAGES, NAMED, PARSED, language_of, language_of_text


@pytest.mark.parametrize(
    ("path", "first_line", "name"),
    [
        ("src/a.py", "", "python"),
        ("a.PY", "", "python"),
        ("web/a.mjs", "", "javascript"),
        ("a.d.ts", "", "typescript"),
        ("a.tsx", "", "tsx"),
        ("lib/a.hpp", "", "cpp"),
        ("a.h", "", "c"),
        ("Dockerfile", "", "dockerfile"),
        ("Dockerfile.dev", "", "dockerfile"),
        ("deploy/Makefile", "", "make"),
        ("CMakeLists.txt", "", "cmake"),
        ("a.css", "", "css"),
        ("a.dart", "", "dart"),
        ("bin/tool", "#!/usr/bin/env -S python3.11 -u", "python"),
        ("bin/tool", "#!/bin/bash", "bash"),
        ("bin/tool", "#!/usr/bin/env LANG=C node", "javascript"),
        ("go.mod", "", "gomod"),
        ("src/parser.y", "", "yacc"),
        ("src/lexer.l", "", "lex"),
        ("configure.ac", "", "autoconf"),
        ("Acme.podspec", "", "ruby"),
        ("src/Acme/Acme.csproj", "", "xml"),
        ("views/index.ejs", "", "ejs"),
        ("sig/acme.tar.gz.asc", "", "pgp"),
        ("doc/acme.1", "", "manual-page"),
    ],
)
def test_language_of(path, first_line, name):
    found = language_of(path, first_line)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(("path", "line"), [("bin/tool", ""), ("a.unheard", "#!"), ("x/", "text")])
def test_nobody_knows(path, line):
    assert language_of(path, line) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("#pragma once\nnamespace shop {\nclass Cart;\n}\n", "cpp"),
        ("template <typename T>\nstruct A {};\n", "cpp"),
        ("#include <vector>\nstd::vector<int> a;\n", "cpp"),
        ("#include <stdio.h>\nstruct a { int class_; };\nint b(void);\n", "c"),
        ("/* written\n   using C. */\nint a(void);\n", "c"),
        ('#ifdef __cplusplus\nextern "C" {\n#endif\nint a(void);\n', "c"),
    ],
)
def test_a_header_is_cpp_when_its_text_is(text, name):
    found = language_of_text("include/a.h", text)
    assert found is not None
    assert found.name == name


def test_names_are_unique():
    assert len(LANGUAGES) == len(PARSED + NAMED)


def test_no_two_languages_claim_an_extension():
    claimed = [extension for row in PARSED + NAMED for extension in row.extensions]
    assert sorted({one for one in claimed if claimed.count(one) > 1}) == []
