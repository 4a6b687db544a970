"""What is exported, named and imported in the languages whose queries need hooks."""

import pytest

from indexing.languages import LANGUAGES
from indexing.parse import parse


def exported(language: str, text: str) -> dict[str, bool]:
    return {one.name: one.exported for one in parse(LANGUAGES[language], text).symbols}


def imports(language: str, text: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.module, one.names) for one in parse(LANGUAGES[language], text).imports]


def symbols(language: str, text: str) -> list[tuple[str, str, int, int]]:
    found = parse(LANGUAGES[language], text).symbols
    return [(one.kind.value, one.qualified_name, one.start_line, one.end_line) for one in found]


@pytest.mark.parametrize("word", ["private", "protected", "internal"])
def test_kotlin_modifiers_hide(word):
    text = f"class A {{\n  {word} fun b() = 1\n  fun c() = 2\n}}\n"
    assert exported("kotlin", text) == {"A": True, "b": False, "c": True}


def test_members_of_a_hidden_class_are_hidden():
    assert exported("kotlin", "private class A {\n  fun b() = 1\n}\n") == {"A": False, "b": False}


def test_local_functions_are_hidden():
    assert exported("scala", "def a = {\n  def b = 1\n  b\n}\n") == {"a": True, "b": False}


@pytest.mark.parametrize(
    ("written", "seen"),
    [("public", True), ("open", True), ("internal", False), ("fileprivate", False), ("", False)],
)
def test_swift_exports_what_is_public(written, seen):
    assert exported("swift", f"{written} class A {{}}\n")["A"] is seen


def test_swift_requirements_and_cases_follow_their_type():
    text = "public protocol P {\n  func a()\n}\npublic enum E {\n  case b\n  func c() {}\n}\n"
    assert exported("swift", text) == {"P": True, "a": True, "E": True, "b": True, "c": False}


def test_swift_extensions_give_the_parent():
    assert symbols("swift", "extension A: B {\n  func c() {}\n}\n") == [("method", "A.c", 2, 2)]


def test_ruby_bare_private_lasts_until_public():
    text = (
        "class A\n  def a; end\n  private\n  def b; end\n"
        "  def self.c; end\n  public\n  def d; end\nend\n"
    )
    assert exported("ruby", text) == {"A": True, "a": True, "b": False, "c": True, "d": True}


@pytest.mark.parametrize(
    "hide", ["private :b", "private def b; end", "protected :b", "private_class_method :b"]
)
def test_ruby_private_by_name(hide):
    text = f"class A\n  def b; end\n  {hide}\n  def c; end\nend\n"
    assert exported("ruby", text) == {"A": True, "b": False, "c": True}


def test_ruby_singleton_methods():
    text = "class A\n  def self.b; end\nend\ndef A.c; end\ndef thing.d; end\n"
    names = [name for _, name, _, _ in symbols("ruby", text)]
    assert names == ["A", "A.b", "A.c", "d"]


def test_ruby_accessors_are_fields_side_by_side():
    found = symbols("ruby", "class A\n  attr_reader :b, :c\nend\n")
    assert found[1:] == [("field", "A.b", 2, 2), ("field", "A.c", 2, 2)]


def test_php_statement_of_several_names():
    text = "<?php\nclass A {\n  private const B = 1, C = 2;\n  public $d, $e;\n}\n"
    assert symbols("php", text)[1:] == [
        ("constant", "A.B", 3, 3),
        ("constant", "A.C", 3, 3),
        ("field", "A.d", 4, 4),
        ("field", "A.e", 4, 4),
    ]
    assert exported("php", text) == {"A": True, "B": False, "C": False, "d": True, "e": True}


def test_php_imports():
    text = "<?php\nuse A\\{B, C as D};\nuse E\\F as G;\nrequire __DIR__ . '/h.php';\nrequire $x;\n"
    assert imports("php", text) == [("A\\B", ()), ("A\\C", ()), ("E\\F", ()), ("./h.php", ())]


def test_lua_local_is_hidden():
    text = (
        "local function a() end\nfunction b() end\nlocal c = function() end\nM.d = function() end\n"
    )
    assert exported("lua", text) == {"a": False, "b": True, "c": False, "d": True}


def test_lua_tables_are_parents():
    text = "function a.B:c() end\nfunction a.d() end\nfunction E:f() end\n"
    assert [name for _, name, _, _ in symbols("lua", text)] == ["a.B.c", "a.d", "E.f"]


def test_lua_required_modules_are_imports_and_no_symbols():
    text = 'local a = require "x.y"\nlocal b = {}\n'
    assert imports("lua", text) == [("x.y", ())]
    assert exported("lua", text) == {"b": False}


def test_elixir_clauses_of_one_arity_are_one_symbol():
    text = (
        "defmodule A do\n  def b(1), do: 1\n  def b(n) when n > 1 do\n    n\n  end\n"
        "  def b(n, m), do: n\nend\n"
    )
    assert symbols("elixir", text)[1:] == [("function", "A.b", 2, 5), ("function", "A.b", 6, 6)]


def test_elixir_clauses_with_a_comment_between_stay_apart():
    text = "defmodule A do\n  def b(1), do: 1\n  # Other.\n  def b(n), do: n\nend\n"
    assert [start for _, _, start, _ in symbols("elixir", text)[1:]] == [2, 4]


@pytest.mark.parametrize(
    ("head", "seen"),
    [("def b(x)", True), ("defp b(x)", False), ("defmacro b(x)", True), ("defmacrop b(x)", False)],
)
def test_elixir_private_forms(head, seen):
    assert exported("elixir", f"defmodule A do\n  {head} do\n    x\n  end\nend\n")["b"] is seen


def test_elixir_docs():
    text = (
        'defmodule A do\n  @moduledoc "One. Two."\n  @doc """\n  Three.\n  """\n'
        "  @spec b() :: 1\n  def b, do: 1\n  def c, do: 2\nend\n"
    )
    found = parse(LANGUAGES["elixir"], text).symbols
    assert [(one.name, one.doc, one.start_line) for one in found] == [
        ("A", "One.", 1),
        ("b", "Three.", 3),
        ("c", "", 8),
    ]


def test_elixir_multiple_aliases():
    text = "defmodule A do\n  alias B.{C, D.E}\n  alias F, as: G\nend\n"
    assert imports("elixir", text) == [("B.C", ()), ("B.D.E", ()), ("F", ())]


def test_scala_imports():
    text = "import a.b.C\nimport a.{D, E => F, _}\nimport g._, h.i\nimport j.{k as l}\n"
    assert imports("scala", text) == [
        ("a.b.C", ()),
        ("a.D", ()),
        ("a.E", ()),
        ("a", ("*",)),
        ("g", ("*",)),
        ("h.i", ()),
        ("j.k", ()),
    ]


def test_scala_indented_bodies_end_with_their_last_line():
    text = "class A:\n  def b =\n    1\n\n  def c =\n    2\n"
    assert symbols("scala", text)[1:] == [("method", "A.b", 2, 3), ("method", "A.c", 5, 6)]


def test_powershell_names_and_help():
    text = (
        "<#\n.SYNOPSIS\nFinds it. More.\n#>\nfunction script:Get-It { 1 }\n"
        "class A {\n  [int]$B\n  hidden [int]$C\n  A() {}\n}\n"
    )
    found = parse(LANGUAGES["powershell"], text).symbols
    assert [(one.kind.value, one.name, one.exported) for one in found] == [
        ("function", "Get-It", True),
        ("class", "A", True),
        ("field", "B", True),
        ("field", "C", False),
        ("constructor", "A", True),
    ]
    assert (found[0].lead_line, found[0].doc) == (1, "Finds it.")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("kotlin", "fun before() {}\n\nfun broken(a: Int {\n  val x = = 3\n\nfun after() {}\n"),
        ("ruby", "def before\nend\n\ndef broken(a, b =\n  if a\n\ndef after\nend\n"),
        ("php", "<?php\nfunction before() {}\nfunction b($a) { $a->(; }\nfunction after() {}\n"),
        (
            "swift",
            "func before() {}\n\nfunc broken(a: Int, -> {\n  let x = = 3\n\nfunc after() {}\n",
        ),
        ("scala", "def before = 1\n\nobject B {\n  def broken(a: Int = {\n\ndef after = 2\n"),
        ("bash", 'before() { :; }\n\nbroken() {\n  if [[ -n "$1"\n\nafter() { :; }\n'),
        (
            "lua",
            "function before() end\n\nfunction b(a,\n  local x = = 3\n\nfunction after() end\n",
        ),
        (
            "elixir",
            "defmodule Before do\nend\n\ndefmodule B do\n  def b(, do\n\ndefmodule After do\nend\n",
        ),
        (
            "powershell",
            "function before { }\nfunction b {\n  if ($x -eq ) {\n\nfunction after { }\n",
        ),
    ],
)
def test_symbols_around_broken_code_are_found(language, text):
    assert {"before", "after"} <= {name.lower() for name in exported(language, text)}
