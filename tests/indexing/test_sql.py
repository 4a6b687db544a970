"""Definitions in SQL of several dialects."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from indexing.readers import sql
from indexing.records import SymbolKind

WORDS = st.sampled_from(
    [
        "CREATE TABLE t",
        "CREATE FUNCTION f()",
        "create view v as",
        "BEGIN",
        "END",
        "END IF",
        ";",
        "CASE",
        "AS",
        "IS",
        "$$",
        "$a$",
        "'",
        '"',
        "`",
        "--",
        "/*",
        "*/",
        "(",
        ")",
        "\n",
        "\nGO\n",
        "\n/\n",
        "\nDELIMITER //\n",
        "//",
        "\nDELIMITER ;\n",
        " ",
        "x",
        "\\",
        "\r\n",
        "\nCREATE ",
    ]
)
HOSTILE = st.lists(WORDS, max_size=50).map(" ".join)


def found(text: str) -> list[tuple[str, int, int]]:
    return [(one.name, one.start_line, one.end_line) for one in sql.read(text).symbols]


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        ("CREATE TABLE IF NOT EXISTS x (a int)", SymbolKind.TABLE),
        ("create global temporary table x (a int)", SymbolKind.TABLE),
        ("CREATE OR REPLACE VIEW x AS SELECT 1", SymbolKind.VIEW),
        ("CREATE MATERIALIZED VIEW x AS SELECT 1", SymbolKind.VIEW),
        ("CREATE OR ALTER PROCEDURE x AS SELECT 1", SymbolKind.FUNCTION),
        ("CREATE DEFINER=`a`@`b` FUNCTION x() RETURNS int RETURN 1", SymbolKind.FUNCTION),
        ("CREATE CONSTRAINT TRIGGER x AFTER INSERT ON y", SymbolKind.TRIGGER),
        ("CREATE TYPE x AS ENUM ('a')", SymbolKind.TYPE),
        ("CREATE DOMAIN x AS int", SymbolKind.TYPE),
        ("CREATE SCHEMA x", SymbolKind.MODULE),
    ],
)
def test_kinds(head, kind):
    assert [(one.name, one.kind) for one in sql.read(f"{head};").symbols] == [("x", kind)]


@pytest.mark.parametrize(
    ("written", "name", "qualified"),
    [
        ("audit.entry", "entry", "audit.entry"),
        ('"Odd ""name"', 'Odd "name', 'Odd "name'),
        ("[dbo].[My Table]", "My Table", "dbo.My Table"),
        ("`proj.set.tbl`", "tbl", "proj.set.tbl"),
        ("#tmp", "#tmp", "#tmp"),
    ],
)
def test_names(written, name, qualified):
    (one,) = sql.read(f"CREATE TABLE {written} (a int);").symbols
    assert (one.name, one.qualified_name, one.parent) == (name, qualified, "")


def test_dollar_quoted_bodies_keep_their_semicolons():
    text = (
        "CREATE FUNCTION a() RETURNS int AS $$\nBEGIN\n  x := $q$CREATE TABLE no (i int);$q$;\n"
        "END;\n$$ LANGUAGE plpgsql;\nCREATE FUNCTION b() RETURNS text AS $body$\n"
        "SELECT $$note; $$;\n$body$ LANGUAGE sql;\n"
    )
    assert found(text) == [("a", 1, 5), ("b", 6, 8)]


def test_begin_and_end_hold_a_body_together():
    text = (
        "CREATE PROCEDURE a()\nBEGIN\n  IF x THEN SELECT 1; END IF;\n"
        "  SELECT CASE y WHEN 1 THEN 2 END;\n  BEGIN SELECT 2; END;\n"
        "  CASE WHEN x THEN SELECT 1; END CASE;\nEND;\nCREATE TABLE b (i int);\n"
    )
    assert found(text) == [("a", 1, 7), ("b", 8, 8)]


def test_batches_end_a_procedure():
    text = (
        "CREATE PROC a AS\n  SET NOCOUNT ON;\n  CREATE TABLE #t (i int);\n  BEGIN TRAN;\n"
        "  SELECT 1;\nGO\nCREATE TABLE b (i int)\nGO\n"
    )
    assert found(text) == [("a", 1, 5), ("b", 7, 7)]


def test_declarations_before_begin_belong_to_the_body():
    text = "CREATE FUNCTION a IS\n  n int;\nBEGIN\n  RETURN 1;\nEND;\nCREATE VIEW b AS SELECT 1;\n"
    assert found(text) == [("a", 1, 5), ("b", 6, 6)]


def test_a_package_body_is_one_symbol():
    text = (
        "CREATE PACKAGE BODY p AS\n  PROCEDURE a IS\n  BEGIN\n    NULL;\n  END;\n"
        "  PROCEDURE b IS\n  BEGIN\n    NULL;\n  END;\nEND p;\n/\nCREATE TABLE t (i int);\n"
    )
    assert found(text) == [("p", 1, 10), ("t", 12, 12)]


def test_other_delimiters():
    text = (
        "DELIMITER $$\nCREATE TRIGGER a BEFORE INSERT ON t FOR EACH ROW\nBEGIN\n  SET x = 1;\n"
        "END$$\nDELIMITER ;\nCREATE TABLE b (i int);\n"
    )
    assert found(text) == [("a", 2, 5), ("b", 7, 7)]


def test_comments_and_strings_define_nothing():
    text = (
        "-- CREATE TABLE a (i int);\n/* CREATE TABLE b (i int);\nCREATE TABLE c (i int); */\n"
        "INSERT INTO x VALUES ('\nCREATE TABLE d (i int);');\nCREATE TABLE e (i int);\n"
    )
    assert [name for name, _, _ in found(text)] == ["e"]


def test_a_lone_backslash_is_a_whole_string():
    text = "SELECT 1 WHERE a LIKE 'x' ESCAPE '\\';\nCREATE TABLE b (c text DEFAULT 'it\\'s;');\n"
    assert found(text) == [("b", 2, 2)]


def test_grants_and_other_uses_of_the_words_define_nothing():
    assert (
        found("GRANT CREATE TABLE TO x;\nCREATE ROLE table_owner;\nCREATE INDEX i ON table1 (a);\n")
        == []
    )


def test_a_statement_left_open_ends_at_the_next_create():
    text = "CREATE TABLE a (\n  i int,,\n\n-- about b\nCREATE TABLE b (i int);\n"
    assert found(text) == [("a", 1, 2), ("b", 5, 5)]


def test_an_open_body_ends_at_the_next_routine_at_the_margin():
    text = "CREATE FUNCTION a() AS\nBEGIN\n  SELECT 1;\nCREATE FUNCTION b() RETURNS int RETURN 1;\n"
    assert found(text) == [("a", 1, 3), ("b", 4, 4)]


def test_comment_above_is_lead_and_doc():
    one = sql.read("/*\n * First one. More.\n */\nCREATE VIEW v AS SELECT 1;\n").symbols[0]
    assert (one.lead_line, one.start_line, one.doc) == (1, 4, "First one.")


def test_signature_ends_before_the_body():
    text = "CREATE FUNCTION f(a int)\nRETURNS int AS $$ SELECT 1 $$;\nCREATE TABLE t (a int);"
    assert [one.signature for one in sql.read(text).symbols] == [
        "CREATE FUNCTION f(a int) RETURNS int",
        "CREATE TABLE t",
    ]


@given(HOSTILE)
def test_ranges_never_overlap(text):
    symbols = sql.read(text).symbols
    last = text.count("\n") + (not text.endswith("\n"))
    assert all(1 <= one.start_line <= one.end_line <= max(last, 1) for one in symbols)
    assert all(a.end_line <= b.start_line for a, b in pairwise(symbols))


@pytest.mark.timeout(30)
@pytest.mark.parametrize("mark", ["(", "$$", "'", '"', "/*", "BEGIN ", "CREATE ", "$a", "CASE\n"])
def test_hostile_repetition_takes_no_time(mark):
    sql.read("CREATE TABLE a (i int);\n" + mark * 30_000)


def test_breaks_fall_before_statements_with_their_comment():
    text = "SELECT 1;\nSELECT 2\nFROM t;\n-- About b\nCREATE TABLE b (\n  i int\n);\n"
    assert sql.read(text).breaks == ((1, 0), (2, 0), (3, 1), (4, 0), (6, 3))
