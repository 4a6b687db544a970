import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from indexing.languages import LANGUAGES, PARSED, language_of
from indexing.parse import parse
from indexing.parsing.errors import LineTooLongError, NotParsedError, TooDeepError
from indexing.parsing.grammar import query_of
from indexing.records import ParsedFile, SymbolKind, SymbolRecord
from tests.indexing.golden_files import expected_of, found_in, languages


def symbols(language: str, text: str) -> tuple[SymbolRecord, ...]:
    return parse(LANGUAGES[language], text).symbols


def names(language: str, text: str) -> list[str]:
    return [one.qualified_name for one in symbols(language, text)]


def only(language: str, text: str) -> SymbolRecord:
    (symbol,) = symbols(language, text)
    return symbol


@pytest.mark.parametrize("language", languages())
def test_golden(language):
    assert found_in(language) == expected_of(language)


@pytest.mark.parametrize("row", [row for row in PARSED if row.grammar], ids=lambda row: row.name)
def test_every_grammar_compiles_its_query_and_reads_nothing(row):
    assert query_of(row).pattern_count > 0
    assert parse(row, "").symbols == ()


@pytest.mark.parametrize("row", PARSED, ids=lambda row: row.name)
def test_every_parsed_language_has_a_golden_pair(row):
    assert row.name in languages()


def test_a_language_without_a_grammar_gives_nothing():
    css = language_of("a.css")
    assert css is not None
    assert parse(css, "a { color: red }") == ParsedFile()


def test_a_child_process_imports_no_django():
    code = "import sys, indexing.parse, indexing.resolve; print('django' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def test_decorators_and_the_comment_above_lead():
    symbol = only("python", "x.y\n\n# why\n@one\n@two(3)\ndef f():\n    pass\n")
    assert (symbol.lead_line, symbol.start_line, symbol.name_line, symbol.end_line) == (3, 4, 6, 7)


def test_a_blank_line_parts_a_comment_from_a_definition():
    symbol = only("python", "# licence\n\ndef f(): pass\n")
    assert (symbol.lead_line, symbol.doc) == (3, "")


def test_a_comment_behind_code_is_not_the_lead_of_the_next_line():
    assert symbols("go", "package a\nvar A = 1 // about A\nfunc B() {}\n")[1].doc == ""


def test_only_a_line_feed_ends_a_line():
    found = symbols("python", "a = 1\r\n\x0c\u2028\r\ndef f():\r\n    return 1\r\n")
    assert [(one.name, one.name_line, one.end_line) for one in found] == [("a", 1, 1), ("f", 3, 4)]


def test_overloads_do_not_replace_each_other():
    text = "function f(a: string): void;\nfunction f(a: number): void;\nfunction f(a: any) {}\n"
    assert [one.name_line for one in symbols("typescript", text)] == [1, 2, 3]


def test_locals_and_callbacks_are_not_symbols():
    text = "const a = () => {\n  const b = 1;\n  list.map((c) => c).forEach(function (d) {});\n};\n"
    assert names("javascript", text) == ["a"]


def test_a_nested_function_has_its_parent():
    text = "class A:\n    def f(self):\n        def g():\n            x = 1\n"
    found = symbols("python", text)
    assert [(one.kind, one.parent) for one in found] == [
        (SymbolKind.CLASS, ""),
        (SymbolKind.METHOD, "A"),
        (SymbolKind.FUNCTION, "A.f"),
    ]


def test_comments_and_strings_hold_no_symbols():
    text = '"""\ndef a(): pass\n"""\n# def b(): pass\nrun("def c(): pass")\n'
    assert names("python", text) == []


@pytest.mark.parametrize(
    "receiver", ["s *Stack[T]", "s Stack", "Stack[T]", "*Stack", "s *Stack[K, V]"]
)
def test_go_receivers(receiver):
    symbol = only("go", f"package a\nfunc ({receiver}) Push() {{}}\n")
    assert (symbol.qualified_name, symbol.kind) == ("Stack.Push", SymbolKind.METHOD)


def test_a_function_of_a_namespace_that_the_file_opens_is_not_a_method():
    text = "namespace shop {}\nint shop::up() { return 1; }\nint Cart::total() { return 2; }\n"
    assert [(one.parent, one.kind) for one in symbols("cpp", text)] == [
        ("shop", SymbolKind.FUNCTION),
        ("Cart", SymbolKind.METHOD),
    ]


def test_a_variable_that_reads_like_a_prototype_is_local():
    assert names("cpp", "void f() {\n  Point made(size);\n}\n") == ["f"]


def test_an_export_macro_does_not_hide_a_class():
    text = "class LINE_API Ferry : public Ship {\npublic:\n  int total() const;\n};\n"
    found = symbols("cpp", text)
    assert [(one.qualified_name, one.kind) for one in found] == [
        ("Ferry", SymbolKind.CLASS),
        ("Ferry.total", SymbolKind.METHOD),
    ]
    assert found[0].signature == "class LINE_API Ferry : public Ship"


def test_macros_behind_a_prototype_are_no_variables():
    assert names("c", "extern int length(const char *s)\n  __THROW __attribute_pure__;\n") == [
        "length"
    ]


def test_a_typedef_stands_beside_its_struct():
    assert names("c", "typedef struct a { int x; } b, *c;\n") == ["a", "a.x", "b", "c"]


def test_preprocessor_branches_do_not_swallow_the_next_function():
    torn = "void a(void)\n{\n#ifdef X\n  if (1) {\n#else\n  if (2) {\n#endif\n  }\n}\n"
    text = torn + "\nint b(void)\n{\n}\n"
    assert [(one.name, one.end_line) for one in symbols("c", text)] == [("a", 9), ("b", 13)]


def test_items_inside_a_macro_call():
    symbol = only("rust", "wrap! {\n    pub fn inside(a: i32) -> i64 {\n        1\n    }\n}\n")
    assert (symbol.name_line, symbol.end_line, symbol.exported) == (2, 4, True)
    assert symbol.signature == "pub fn inside(a: i32) -> i64"


def test_rust_use_trees_are_spelled_out():
    parsed = parse(LANGUAGES["rust"], "use a::{b, c::{self, D as E}, f::*};\n")
    assert [(one.module, one.names) for one in parsed.imports] == [
        ("a", ("b",)),
        ("a::c", ("self", "D")),
        ("a::f", ("*",)),
    ]


def test_broken_code_is_read_anew_behind_the_break():
    torn = "def a():\n    pass\n\ndef torn(b\n    x = [1\n\n"
    parsed = parse(LANGUAGES["python"], torn + "# c\n@d\ndef e():\n    pass\n\ndef g(): pass\n")
    assert parsed.broken is True
    assert [(one.name, one.lead_line, one.end_line) for one in parsed.symbols] == [
        ("a", 1, 2),
        ("e", 7, 10),
        ("g", 12, 12),
    ]


def test_a_break_does_not_turn_a_string_into_code():
    text = 'def torn(b\n    x = """\ndef fake(): pass\n"""\n'
    assert names("python", text) == []


def test_conflict_marks_keep_both_sides():
    text = "def a(): pass\n<<<<<<< ours\ndef b(): pass\n=======\ndef c(): pass\n>>>>>>> theirs\n"
    assert names("python", text) == ["a", "b", "c"]


def test_every_script_block_of_a_component_counts_from_the_top():
    text = (
        "<template>\n  <p/>\n</template>\n<script>\nfunction a() {}\n</script>\n"
        '<script setup lang="ts">\nfunction b(x: number): void {}\n</script>\n'
    )
    assert [(one.name, one.name_line) for one in symbols("vue", text)] == [("a", 5), ("b", 8)]


def test_a_script_on_one_line():
    text = "<template><p/></template>\n<script>import a from 'b'; function c() {}</script>\n"
    parsed = parse(LANGUAGES["vue"], text)
    assert [one.name_line for one in parsed.symbols] == [2]
    assert [one.module for one in parsed.imports] == ["b"]


def test_breaks_are_the_lines_where_statements_begin():
    text = "import a\n\n\n@b\ndef c(\n    d,\n):\n    if d:\n        e()\n    return 1; f()\n"
    parsed = parse(LANGUAGES["python"], text)
    assert parsed.breaks == ((1, 0), (4, 0), (8, 1), (9, 2), (10, 1))


def test_no_break_between_a_comment_and_its_definition():
    parsed = parse(LANGUAGES["rust"], "use a;\n/// doc\n#[inline]\nfn b() {}\n")
    assert parsed.breaks == ((1, 0), (2, 0))


@pytest.mark.parametrize(
    ("text", "doc"),
    [
        ("// One. Two.\n", "One."),
        ("/**\n * Half a\n * sentence\n *\n * More.\n */\n", "Half a sentence"),
        ("// e.g. this one. Not this.\n", "e.g. this one."),
        ("// eslint-disable-next-line\n", ""),
        ("// " + "x" * 400 + "\n", "x" * 299 + "…"),
    ],
)
def test_first_sentence_of_a_comment(text, doc):
    assert only("javascript", text + "function f() {}\n").doc == doc


def test_a_signature_is_one_line():
    text = "def f(\n    a: int,\n    *,\n    b: str = 'x:',\n) -> dict[str, int]:\n    pass\n"
    assert only("python", text).signature == "def f( a: int, *, b: str = 'x:', ) -> dict[str, int]"


def test_brackets_that_nest_too_deep_are_refused():
    with pytest.raises(TooDeepError, match="more than 4000 brackets are open at once"):
        parse(LANGUAGES["javascript"], "x = " + "[" * 4001 + "]" * 4001)


def test_a_line_that_is_data_is_refused():
    with pytest.raises(LineTooLongError, match="line 2 has 100001 bytes"):
        parse(LANGUAGES["python"], "a = 1\n" + "b" * 100_001 + "\n")


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "(" * 3000 + ")" * 3000 + "\ndef after(): pass\n",
        "x = (\n" + "1 +\n" * 6000 + "1)\ndef after(): pass\n",
        "".join(f"{' ' * depth}def f{depth}():\n" for depth in range(900)) + "def after(): pass\n",
    ],
    ids=["brackets", "operators", "functions"],
)
def test_deep_nesting_costs_no_recursion(text):
    assert "after" in names("python", text)


@given(st.text(alphabet=st.sampled_from("def class:(){}[]<>\n\t\"'`#/*=,;@x é\0\r"), max_size=200))
@settings(max_examples=40, deadline=None)
def test_garbage_never_crashes_and_lines_stay_inside(text):
    for name in ("python", "typescript", "go", "rust", "java", "c", "cpp", "csharp"):
        try:
            parsed = parse(LANGUAGES[name], text)
        except NotParsedError:
            continue
        last = text.count("\n") + 1
        for one in parsed.symbols:
            assert 1 <= one.lead_line <= one.start_line <= one.name_line <= one.end_line <= last
        lines = [line for line, _ in parsed.breaks]
        assert lines == sorted(set(lines))
        assert all(1 <= line <= last for line in lines)
