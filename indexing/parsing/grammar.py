"""The compiled grammar and query of a language, and what they give for one text.

Neither step can be stopped from here: the pool of children sets the time limit.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from tree_sitter import Language as Grammar
from tree_sitter import Node, Parser, Query, QueryCursor, Range, Tree
from tree_sitter_language_pack import get_language

from indexing.languages import Language

QUERIES = Path(__file__).parent.parent / "queries"
MATCH_LIMIT = 100_000  # matches begun and not ended at the same time, a bound on memory

Matches = list[tuple[int, dict[str, list[Node]]]]


@cache
def grammar_of(name: str) -> Grammar:
    # The pack types the name as a Literal of all grammars; the table is checked by a test.
    return get_language(name)  # type: ignore[arg-type, unused-ignore]


@cache
def query_of(language: Language) -> Query:
    sources = [(QUERIES / f"{name}.scm").read_text("utf-8") for name in language.queries]
    return Query(grammar_of(language.grammar), "\n".join(sources))


def tree_of(language: Language, source: bytes, ranges: Sequence[Range] = ()) -> Tree:
    # Only the call-back form of parse() takes a time limit, and a tree made that way crashes
    # (SIGSEGV, tree-sitter 0.26.1) when a query compares text: the pool's limit ends a hang.
    return Parser(grammar_of(language.grammar), included_ranges=list(ranges) or None).parse(source)


@cache
def _broken_of(name: str) -> Query:
    return Query(grammar_of(name), "[(ERROR) (MISSING)] @broken")


def bytes_broken(language: Language, tree: Tree) -> int:
    """How much of the text the grammar could not place, a missing mark counting as one byte."""
    if not tree.root_node.has_error:
        return 0
    found = QueryCursor(_broken_of(language.grammar), match_limit=MATCH_LIMIT)
    broken = found.captures(tree.root_node).get("broken", [])
    return sum(max(1, node.end_byte - node.start_byte) for node in broken)


def matches_of(language: Language, root: Node) -> Matches:
    # No progress callback: with one, matches() crashes as well.
    return QueryCursor(query_of(language), match_limit=MATCH_LIMIT).matches(root)
