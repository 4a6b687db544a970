import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from indexing.chunk import MAX_CHARS, PACK_CHARS, chunk
from indexing.records import ChunkRecord, ParsedFile, SymbolKind, SymbolRecord


def symbol(
    name: str, start: int, end: int, kind: SymbolKind = SymbolKind.FUNCTION, lead: int = 0
) -> SymbolRecord:
    return SymbolRecord(
        name=name.rsplit(".", 1)[-1],
        qualified_name=name,
        kind=kind,
        signature="",
        doc="",
        lead_line=lead or start,
        start_line=start,
        name_line=start,
        end_line=end,
        parent="",
        exported=True,
    )


def shown(chunks: tuple[ChunkRecord, ...]) -> list[tuple[int, int, str, int]]:
    return [(one.start_line, one.end_line, one.symbol, one.part) for one in chunks]


def cut(
    lines: list[str],
    *symbols: SymbolRecord,
    breaks: tuple[tuple[int, int], ...] = (),
    prose: bool = False,
) -> list[tuple[int, int, str, int]]:
    return shown(chunk(lines, ParsedFile(symbols=symbols, breaks=breaks), prose=prose))


def code(count: int, width: int = 39) -> list[str]:
    """Lines of `width` + 1 characters with their line feed."""
    return [f"x{number:04}".ljust(width, ".") for number in range(count)]


def test_empty_and_blank_files_have_no_chunk():
    assert cut([]) == []
    assert cut(["", "  ", "\t"]) == []


def test_function_is_one_chunk_with_its_leading_comment():
    lines = [*code(10), "", *code(12), "", *code(10)]
    chunks = cut(lines, symbol("f", 13, 23, lead=12), symbol("g", 25, 34))
    assert chunks == [(1, 11, "", 0), (12, 24, "f", 0), (25, 34, "g", 0)]


def test_small_class_is_one_chunk():
    body = symbol("A", 1, 30, SymbolKind.CLASS)
    method = symbol("A.m", 10, 30, SymbolKind.METHOD)
    assert cut(code(30), body, method) == [(1, 30, "A", 0)]


def test_large_class_is_header_with_fields_and_methods():
    chunks = cut(
        code(60),
        symbol("A", 1, 60, SymbolKind.CLASS),
        symbol("A.size", 3, 3, SymbolKind.FIELD),
        symbol("A.LIMIT", 4, 4, SymbolKind.CONSTANT),
        symbol("A.m", 9, 33, SymbolKind.METHOD),
        symbol("A.n", 34, 60, SymbolKind.METHOD),
    )
    assert chunks == [(1, 8, "A", 0), (9, 33, "A.m", 0), (34, 60, "A.n", 0)]


def test_loose_lines_between_methods_stay_with_the_class():
    chunks = cut(
        code(70),
        symbol("A", 1, 70, SymbolKind.CLASS),
        symbol("A.m", 11, 30, SymbolKind.METHOD),
        symbol("A.n", 41, 70, SymbolKind.METHOD),
    )
    assert chunks == [(1, 10, "A", 0), (11, 30, "A.m", 0), (31, 40, "A", 1), (41, 70, "A.n", 0)]


def test_large_function_is_cut_at_the_shallowest_statement():
    breaks = ((18, 2), (20, 2), (24, 1), (26, 2), (30, 2))
    chunks = cut(code(48), symbol("f", 1, 48), breaks=breaks)
    assert chunks == [(1, 23, "f", 0), (24, 48, "f", 1)]


def test_parts_are_even_rather_than_full():
    breaks = tuple((line, 1) for line in range(2, 47))
    chunks = cut(code(46), symbol("f", 1, 46), breaks=breaks)
    assert chunks == [(1, 23, "f", 0), (24, 46, "f", 1)]


def test_without_breaks_paragraphs_are_kept_together():
    lines = code(48)
    lines[20] = ""
    assert cut(lines) == [(1, 21, "", 0), (22, 48, "", 0)]


def test_without_any_break_lines_fill_the_limit():
    chunks = cut(code(60))
    assert chunks == [(1, 40, "", 0), (41, 60, "", 0)]


def test_long_line_is_a_chunk_of_its_own():
    lines = [*code(5), "y" * (MAX_CHARS + 1), *code(5)]
    assert cut(lines) == [(1, 5, "", 0), (6, 6, "", 0), (7, 11, "", 0)]


def test_tiny_loose_lines_join_the_symbol_they_introduce():
    lines = ["import os", "", *code(20), "#", *code(20)]
    chunks = cut(lines, symbol("f", 3, 22), symbol("g", 24, 43))
    assert chunks == [(1, 22, "f", 0), (23, 43, "g", 0)]


def test_closing_bracket_stays_with_what_it_closes():
    lines = [*code(60), "}", "", *code(10)]
    chunks = cut(
        lines,
        symbol("A", 1, 61, SymbolKind.CLASS),
        symbol("A.m", 11, 30, SymbolKind.METHOD),
        symbol("A.n", 31, 60, SymbolKind.METHOD),
        symbol("f", 63, 72),
    )
    assert chunks[-2:] == [(31, 62, "A.n", 0), (63, 72, "f", 0)]


def test_blank_lines_end_the_chunk_before():
    lines = ["", *code(20), "", "", "", *code(20)]
    chunks = cut(lines, symbol("f", 2, 21), symbol("g", 25, 44))
    assert chunks == [(1, 24, "f", 0), (25, 44, "g", 0)]


def test_one_line_constants_are_packed_under_the_enclosing_symbol():
    lines = code(25)
    constants = [symbol(f"K{line}", line, line, SymbolKind.CONSTANT) for line in range(1, 26)]
    fit = PACK_CHARS // 40
    assert cut(lines, *constants) == [(1, fit, "", 0), (fit + 1, 25, "", 0)]


def test_small_methods_are_not_packed_with_other_classes():
    chunks = cut(
        code(90),
        symbol("A", 1, 45, SymbolKind.CLASS),
        symbol("A.m", 1, 20, SymbolKind.METHOD),
        symbol("A.k", 21, 42, SymbolKind.METHOD),
        symbol("A.n", 43, 45, SymbolKind.METHOD),
        symbol("B", 46, 90, SymbolKind.CLASS),
        symbol("B.m", 46, 48, SymbolKind.METHOD),
        symbol("B.n", 49, 70, SymbolKind.METHOD),
        symbol("B.k", 71, 90, SymbolKind.METHOD),
    )
    assert (43, 45, "A.n", 0) in chunks
    assert (46, 48, "B.m", 0) in chunks


def test_overlapping_symbols_are_cut_at_the_outer_end():
    chunks = cut(code(60), symbol("f", 1, 30), symbol("g", 20, 60), symbol("h", 31, 60))
    assert chunks == [(1, 30, "f", 0), (31, 60, "h", 0)]


def test_leading_comment_claimed_twice_goes_to_the_first():
    chunks = cut(code(40), symbol("f", 1, 20), symbol("g", 22, 40, lead=18))
    assert chunks == [(1, 20, "f", 0), (21, 40, "g", 0)]


def test_prose_is_cut_by_heading_whatever_its_level():
    lines = ["# One", *code(10), "## Two", *code(10), "# Three", *code(10)]
    headings = [
        symbol("One", 1, 22, SymbolKind.HEADING),
        symbol("One.Two", 12, 22, SymbolKind.HEADING),
        symbol("Three", 23, 33, SymbolKind.HEADING),
    ]
    chunks = cut(lines, *headings, prose=True)
    assert chunks == [(1, 11, "One", 0), (12, 22, "One.Two", 0), (23, 33, "Three", 0)]


def test_heading_without_text_joins_the_section_below():
    lines = ["# Title", "", "## Use", "", *code(10)]
    headings = [
        symbol("Title", 1, 14, SymbolKind.HEADING),
        symbol("Title.Use", 3, 14, SymbolKind.HEADING),
    ]
    assert cut(lines, *headings, prose=True) == [(1, 14, "Title.Use", 0)]


def test_long_section_is_cut_between_paragraphs():
    lines = ["# One", *code(22), "", *code(22)]
    chunks = cut(lines, symbol("One", 1, 46, SymbolKind.HEADING), prose=True)
    assert chunks == [(1, 24, "One", 0), (25, 46, "One", 1)]


LINES = st.lists(
    st.sampled_from(["", "   ", "}", "a", "b" * 150, "c" * 700, "d" * 1600, "e" * 3000]),
    max_size=60,
)
NUMBERS = st.integers(min_value=-3, max_value=70)
SYMBOLS = st.lists(
    st.builds(
        symbol,
        st.sampled_from(["", "f", "A", "A.m", "A.m.n"]),
        NUMBERS,
        NUMBERS,
        st.sampled_from(SymbolKind),
        NUMBERS,
    ),
    max_size=25,
)
BREAKS = st.lists(st.tuples(NUMBERS, st.integers(0, 5)), max_size=30)


@given(LINES, SYMBOLS, BREAKS, st.booleans())
@example(["a"] * 50, [symbol("A", 1, 50)] * 25, [], False)
def test_every_line_is_in_exactly_one_chunk(lines, symbols, breaks, prose):
    parsed = ParsedFile(symbols=tuple(symbols), breaks=tuple(breaks))
    chunks = chunk(lines, parsed, prose=prose)
    covered = [n for one in chunks for n in range(one.start_line, one.end_line + 1)]
    filled = any(line.strip() for line in lines)
    assert covered == (list(range(1, len(lines) + 1)) if filled else [])
    assert [one.ordinal for one in chunks] == list(range(len(chunks)))


@given(LINES, SYMBOLS, BREAKS, st.booleans())
def test_no_chunk_is_blank_or_longer_than_the_limit(lines, symbols, breaks, prose):
    parsed = ParsedFile(symbols=tuple(symbols), breaks=tuple(breaks))
    for one in chunk(lines, parsed, prose=prose):
        filled = [ln for ln in lines[one.start_line - 1 : one.end_line] if ln.strip()]
        assert filled
        assert len(filled) == 1 or sum(len(line) + 1 for line in filled) <= MAX_CHARS


def test_symbols_nested_thousands_deep_do_not_exhaust_the_stack():
    nested = tuple(symbol(f"f{n}", 1 + n, 12_000 - n) for n in range(5_000))
    chunks = chunk(code(12_000), ParsedFile(symbols=nested), prose=False)
    assert chunks[-1].end_line == 12_000


@pytest.mark.parametrize("broken", [False, True])
def test_twenty_thousand_lines_end_up_in_chunks_once_each(broken):
    lines = code(20_000)
    ends = [20_000 if broken else start + 9 for start in range(1, 20_000, 10)]
    symbols = [
        symbol("f", start, end) for start, end in zip(range(1, 20_000, 10), ends, strict=True)
    ]
    breaks = tuple((line, line % 4) for line in range(1, 20_001))
    found = chunk(lines, ParsedFile(symbols=tuple(symbols), breaks=breaks), prose=False)
    covered = [line for one in found for line in range(one.start_line, one.end_line + 1)]
    assert covered == list(range(1, 20_001))
