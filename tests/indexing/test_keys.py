"""Top-level keys of YAML, TOML and JSON."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.readers import json_keys, toml_keys, yaml_keys
from indexing.readers.lines import MAX_KEYS
from indexing.records import ParsedFile

MARKS = st.sampled_from(
    [
        "a",
        "key",
        ":",
        ": ",
        " ",
        "\n",
        "\n  ",
        "#",
        "---",
        "...",
        "- ",
        "|",
        '"',
        "'",
        "'''",
        '"""',
        "[",
        "]",
        "{",
        "}",
        "=",
        " = ",
        ",",
        "//",
        "/*",
        "*/",
        "\\",
        "\r\n",
        "1",
        "\u2028",
    ]
)
HOSTILE = st.lists(MARKS, max_size=60).map("".join)
READERS = [yaml_keys.read, toml_keys.read, json_keys.read]


def keys(parsed: ParsedFile) -> list[tuple[str, int, int]]:
    return [(one.name, one.start_line, one.end_line) for one in parsed.symbols]


def test_yaml_keys_reach_to_the_next_one():
    text = "name: x\nlist:\n  - a: 1\n\n# about last\nlast:\n  b: 2\n"
    assert keys(yaml_keys.read(text)) == [("name", 1, 1), ("list", 2, 3), ("last", 6, 7)]


def test_yaml_comment_above_is_lead_and_doc():
    found = yaml_keys.read("# File.\n\n# Where it listens. More.\nport: 1\n").symbols[0]
    assert (found.lead_line, found.start_line, found.doc) == (3, 4, "Where it listens.")


def test_yaml_documents_end_keys():
    text = "a: 1\n---\nb:\n  c: 1\n...\n---\nd: 2\n"
    assert keys(yaml_keys.read(text)) == [("a", 1, 1), ("b", 3, 4), ("d", 7, 7)]


def test_yaml_block_text_holds_no_keys():
    text = "a: |\n  b: 1\n--- |\nc: text\n---\nd: 1\n"
    assert [one.name for one in yaml_keys.read(text).symbols] == ["a", "d"]


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('"quoted: key": 1', "quoted: key"),
        ("'it''s': 1", "it's"),
        ("a:b: 1", "a:b"),
        ("with space : 1", "with space"),
        ("key:\r", "key"),
    ],
)
def test_yaml_spellings_of_a_key(line, name):
    assert [one.name for one in yaml_keys.read(line).symbols] == [name]


@pytest.mark.parametrize(
    "line",
    [
        "- a: 1",
        "# a: 1",
        "{a: 1}",
        "{{- if x }}: y",
        "<<: *base",
        "? a",
        "a:b",
        "%YAML: 1",
        "x #: y",
    ],
)
def test_yaml_lines_that_are_no_keys(line):
    assert yaml_keys.read(line).symbols == ()


def test_toml_tables_and_top_keys():
    text = 'a = 1\n"b c".d = 2\n\n# Server. More.\n[server]\nx = 1\n[[row]]\n[ a . "b" ]\n'
    assert keys(toml_keys.read(text)) == [
        ("a", 1, 1),
        ("b c.d", 2, 2),
        ("server", 5, 6),
        ("row", 7, 7),
        ("a.b", 8, 8),
    ]
    assert toml_keys.read(text).symbols[2].doc == "Server."


@pytest.mark.parametrize(
    "value",
    ['"""\n[no]\n"""', "'''\n[no]\nx = 1'''", "[\n[1],\n['x', \"]\"], # ]\n]", "{ a = [\n1] }"],
)
def test_toml_values_over_several_lines_hold_no_tables(value):
    assert [one.name for one in toml_keys.read(f"a = {value}\nb = 1\n").symbols] == ["a", "b"]


def test_toml_table_ends_an_array_that_was_left_open():
    assert [one.name for one in toml_keys.read("a = [1,\n[table]\nx = 1\n").symbols][-1] == "table"


def test_json_keys_of_the_top_object():
    text = '{\n  "a": {"x": 1},\n  "b": [\n    {"y": "z: {"}\n  ],\n  "c": 1\n}\n'
    assert keys(json_keys.read(text)) == [("a", 2, 2), ("b", 3, 5), ("c", 6, 6)]


def test_json_names_keep_escapes_that_no_column_could_hold():
    text = r'{"a\"b\/c": 1, "n\u0000": 2, "s\ud800": 3}'
    assert [one.name for one in json_keys.read(text).symbols] == ['a"b/c', r"n\u0000", r"s\ud800"]


def test_json_comments_lead_their_key():
    text = '{\n  // "no": 1\n  "a": 1, // x\n  /* About b. */\n  "b": "http://x//y"\n}\n'
    found = json_keys.read(text).symbols
    assert [(one.name, one.lead_line, one.end_line) for one in found] == [("a", 2, 3), ("b", 4, 5)]
    assert found[1].doc == "About b."


@pytest.mark.parametrize("text", ['[{"a": 1}]', '"a"', "", "1", '[\n{"a": {"b": 1}}\n]'])
def test_json_without_an_object_at_the_top_has_no_keys(text):
    assert json_keys.read(text).symbols == ()


def test_json_that_is_cut_off_is_broken_and_keeps_its_keys():
    found = json_keys.read('{"a": 1,\n"b": {"c":')
    assert (keys(found), found.broken) == ([("a", 1, 1), ("b", 2, 2)], True)


def test_json_of_data_is_bounded():
    text = "{" + ",\n".join(f'"k{number}": 1' for number in range(MAX_KEYS + 500)) + "}"
    assert len(json_keys.read(text).symbols) == MAX_KEYS


@pytest.mark.timeout(30)
@pytest.mark.parametrize("mark", ["[", "{", '{"a":', "a: [", "a = [", "- ", "? ", '"', "'", "\\"])
@pytest.mark.parametrize("read", READERS)
def test_deep_nesting_takes_no_time(read, mark):
    read(mark * 50_000)
    read((mark + "\n") * 20_000)


@pytest.mark.parametrize("read", READERS)
@given(text=HOSTILE)
def test_any_text_gives_sound_ranges(read, text):
    parsed = read(text)
    last = text.count("\n") + (not text.endswith("\n"))
    for one in parsed.symbols:
        assert 1 <= one.lead_line <= one.start_line <= one.end_line <= max(last, 1)
    lines = [line for line, _ in parsed.breaks]
    assert lines == sorted(set(lines))


def test_breaks_rank_by_indentation():
    assert yaml_keys.read("a:\n  b: 1\n  # c\n\nd: [\n]\n").breaks == ((1, 0), (2, 2), (5, 0))


def test_no_break_between_a_key_and_its_comment():
    assert yaml_keys.read("a: 1\n# about b\nb: 2\n").breaks == ((1, 0), (2, 0))
