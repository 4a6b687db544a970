import pytest

from answers.remarks import COMMENT, IMPORT, comments, imports, shares


@pytest.mark.parametrize(
    "line",
    ["# why", "  // why", "/* why", " * why", "-- why", ";; why", "<!-- why", "% why", "#: why"],
)
def test_comments_are_told_by_their_marks(line):
    assert comments([line]) == {0}


@pytest.mark.parametrize(
    "line",
    ["x = 1  # why", "*pointer = 1;", "#include <x.h>", "#[derive(Debug)]",
     "--count;", "x // 2", "#define WHY 1"],
)  # fmt: skip
def test_code_is_no_comment(line):
    assert comments([line]) == set()


def test_a_docstring_is_one_to_its_end():
    lines = ["def f():", '    """Why.', "", "    More.", '    """', "    return 1"]
    assert comments(lines) == {1, 2, 3, 4}
    assert comments(["    '''Why.'''", "x = 1"]) == {0}
    assert comments(['r"""Why', 'x"""', "y"]) == {0, 1}


@pytest.mark.parametrize(
    "line",
    [
        "import os",
        "from a.b import c",
        "use std::fmt;",
        "using System.Text;",
        "#include <x.h>",
        "package main",
        "require 'x'",
        "import { a } from 'b'",
        "export * from './a'",
        "const fs = require('fs')",
        'import "fmt"',
    ],
)
def test_imports_of_many_languages(line):
    assert imports([line]) == {0}


@pytest.mark.parametrize(
    "line", ["important = 1", "use(x)", "requires = []", "packages = 2", "from_x = import_y"]
)
def test_names_like_them_are_none(line):
    assert imports([line]) == set()


def test_the_names_of_an_import_belong_to_it():
    lines = ["from a import (", "    b,", "    c,", ")", "d = 1"]
    assert imports(lines) == {0, 1, 2, 3}
    assert imports(["import {", "  a,", "} from 'b'", "a()"]) == {0, 1, 2}


def test_shares_are_by_the_number_of_the_line():
    assert shares(["import a", "# why", "b()"], 7) == {7: IMPORT, 8: COMMENT}
