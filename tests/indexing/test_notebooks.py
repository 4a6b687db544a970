"""Notebooks: outputs hidden, code readable, lines those of the raw JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.notebooks import BrokenNotebook, at_raw_lines, notebook_code, notebook_text
from indexing.records import ImportRecord, ParsedFile, SymbolKind, SymbolRecord

PICTURE = "iVBORw0KGgo" * 30


def _cell(*source, kind="code", **more):
    return {"cell_type": kind, "metadata": {}, "source": list(source), **more}


def _book(*cells, **metadata):
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4}, indent=1)


def _output():
    data = {"image/png": PICTURE, "text/plain": ["<Figure>"]}
    return [{"output_type": "display_data", "data": data}]


def test_outputs_are_blank_and_no_character_moves():
    raw = _book(_cell("x = 1\n", "show(x)", outputs=_output()), _cell("needle()"))
    shown = notebook_text(raw)
    assert PICTURE not in shown
    assert len(shown) == len(raw)
    assert shown.split("\n").index('    "needle()"') == raw.split("\n").index('    "needle()"')


def test_attachments_and_widget_state_are_blank():
    raw = _book(_cell("# text", kind="markdown", attachments={"a": PICTURE}), widgets=[PICTURE])
    assert PICTURE not in notebook_text(raw)


def test_a_picture_inside_markdown_is_blank_but_its_text_stays():
    raw = _book(_cell(f"![plan](data:image/png;base64,{PICTURE}) after", kind="markdown"))
    assert PICTURE not in notebook_text(raw)
    assert "![plan](data:image/png;base64," in notebook_text(raw)
    assert ") after" in notebook_text(raw)


def test_source_that_quotes_outputs_stays():
    raw = _book(_cell('json = {"outputs": [1, 2]}'))
    assert notebook_text(raw) == raw


def test_a_notebook_cut_inside_an_output_is_hidden_to_its_end():
    raw = _book(_cell("x", outputs=_output()))
    cut = raw[: raw.index(PICTURE) + 100]
    assert PICTURE[:40] not in notebook_text(cut)


def test_code_lines_know_their_raw_lines():
    raw = _book(_cell("# Title", kind="markdown"), _cell("def f():\n", "    return 1\n", "\n"))
    code = notebook_code(raw)
    assert code.code == "def f():\n    return 1\n\n"
    assert raw.split("\n")[code.raw_lines[0] - 1].strip() == '"def f():\\n",'


def test_source_as_one_string_keeps_its_one_line():
    raw = _book({"cell_type": "code", "source": "def f():\n    return 1"})
    line = next(n for n, text in enumerate(raw.split("\n"), 1) if "def f" in text)
    assert notebook_code(raw).raw_lines == (line, line)


def test_magic_lines_do_not_reach_the_parser():
    code = notebook_code(_book(_cell("%matplotlib inline\n", "!ls\n", "import math")))
    assert code.code == "\n\nimport math\n"


def test_a_cell_in_another_language_is_left_out():
    assert notebook_code(_book(_cell("%%bash\n", "rm x"), _cell("y = 1"))).code == "y = 1\n"


def test_format_three():
    cell = {"cell_type": "code", "language": "python", "input": ["a = 1"], "outputs": []}
    raw = json.dumps({"worksheets": [{"cells": [cell]}], "nbformat": 3}, indent=1)
    assert notebook_code(raw).code == "a = 1\n"


def test_language_of_the_kernel():
    assert notebook_code(_book(_cell("1"), kernelspec={"language": "R"})).language == "r"


@pytest.mark.parametrize(
    "raw", ["", "{}", "[]", "3", '{"cells": 5}', '{"cells": [1, {"source": 2}]}']
)
def test_odd_shapes_hold_no_code(raw):
    assert notebook_code(raw).code == ""


@pytest.mark.parametrize("raw", ['{"cells": [', "not json", '{"a" 1}', "[" * 100_000])
def test_broken_json_is_named(raw):
    with pytest.raises(BrokenNotebook, match="not a readable notebook") as caught:
        notebook_code(raw)
    assert caught.value.__context__ is None


@given(st.text(alphabet='{}[]:,"\\ outps\n', max_size=80))
def test_hiding_never_fails_and_keeps_length(raw):
    assert len(notebook_text(raw)) == len(raw)


def test_parsed_records_move_to_raw_lines():
    symbol = SymbolRecord("f", "f", SymbolKind.FUNCTION, "def f()", "", 1, 1, 1, 2, "", True)
    parsed = ParsedFile((symbol,), (ImportRecord("m", (), 2),), ((1, 0), (2, 1)))
    moved = at_raw_lines(parsed, (28, 29))
    assert (moved.symbols[0].start_line, moved.symbols[0].end_line) == (28, 29)
    assert moved.imports[0].line == 29
    assert moved.breaks == ((28, 0), (29, 1))


def test_breaks_on_one_raw_line_keep_the_shallowest():
    assert at_raw_lines(ParsedFile(breaks=((1, 1), (2, 0))), (7, 7)).breaks == ((7, 0),)
