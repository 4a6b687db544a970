"""What each tagged statement is asked with in test_plans.py: a case a tag.

Files of repository 2 are 20,001 to 20,500; each has a chunk and a symbol of the same number.
"""

from dataclasses import dataclass, field
from typing import Any

from indexing import trigrams
from search import exact, names
from search.exact_query import Needle
from search.sieve import sieve_of

FEW = list(range(20_001, 20_041))
ONE = {"repositories": [3], "snapshots": [1]}
SOME_FILES = {"only_repositories": [2] * len(FEW), "only_files": FEW}
ERROR = Needle(r"raise \w+Error$", is_regex=True, ignore_case=True)
ZEBRA = Needle("raise Zebra", is_regex=False, ignore_case=True)
ASKED_NAMES = {
    "names": ["name_0123456789"], "qualified": ["name_0123456789"], "leasts": [0.5],
    "slips": names.slips("name0123456789"), "most": 1000, **SOME_FILES,
}  # fmt: skip
ASKED_PATHS = {
    "parts": ["module_77.py"],
    "patterns": ["%module_77.py%"],
    "longest": "%module_77.py%",
    "others": ["%module%"],
}
WORDS = ["word20005", "word30007", "absent"]
NEAR = {"vector": "[1,0,0]", "near": 100}

# What every statement may ask for.
COMMON: dict[str, Any] = {
    "repository": 2, "number": 1, "snapshot": 1, "last": 1, "model": "small", "rows": 300,
    "limit": 100, "offset": 0, "batch": 100, "terms": WORDS,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """`also` are indexes that the tag does not name; `fill` goes into the statement's text."""

    parameters: dict[str, Any] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    fill: dict[str, str] = field(default_factory=dict)


def _literal(text: str) -> Case:
    return Case({"sieve": text, "texts": ["raise Zebra"]})


SEARCH = {
    "search: sift": Case({"sieve": sieve_of((ERROR,)), "rows": exact.CANDIDATES}),
    "search: sift, plain": Case({"sieve": "%raise Zebra%", "rows": exact.CANDIDATES}),
    "search: listed": Case({**ONE, "place": 1, "path": "", "rows": exact.LISTED}),
    "search: texts": Case({"repositories": [2] * len(FEW), "files": FEW}),
    "search: kind lines": Case(
        {"kinds": ["class"], "asked_repositories": [2], "asked_files": [20_005]}
    ),
    "search: literal, same case": _literal("%raise Zebra%"),
    "search: literal, any case of ASCII": _literal(sieve_of((ZEBRA,)) or ""),
    "search: literal, any case": _literal("%raise Zebra%"),
    **{
        f"search: literal in few, {case}": Case({"texts": ["raise Zebra"], **SOME_FILES})
        for case in ("same case", "any case of ASCII", "any case")
    },
    "search: chunks of lines": Case(
        {"held_repositories": [2] * len(FEW), "held_files": FEW, "lines": [5] * len(FEW)}
    ),
    **{
        f"search: {name}": Case(ASKED_NAMES)
        for name in ("named", "begun", "slipped", "similar", "names within files")
    },
    **{f"search: {name}": Case(ASKED_PATHS) for name in ("path", "paths", "near path")},
    "search: totals": Case(),
    "search: chunk lists": Case(ONE),
    "search: postings": Case(),
    "search: statistics": Case(ONE),
    "search: lexical": Case(
        {
            **ONE,
            "terms": WORDS,
            "weights": [1.0] * 3,
            "queries": WORDS,
            "candidates": " | ".join(WORDS),
            "whole": 2.0,
            "needed": WORDS,
            "share": 2.0,
            "average": 10.0,
            "cap": 1000,
            "k1": 1.5,
            "b": 0.75,
            "title": 1.5,
            "doc": 1.0,
        }
    ),
    "search: live files": Case({"best_repositories": [2] * 300, "best_files": FEW * 8}),
    "search: allowed files": Case(ONE),
    "search: chunks of a kind": Case(
        {"kinds": ["class"], "best_repositories": [2] * 9, "best_chunks": [20_001] * 9}
    ),
    "search: holding": Case({**ONE, "held": "'word20005' & 'common'"}),
    "search: semantic": Case({**NEAR, **ONE}),
    "search: near": Case(NEAR, also=("small_hnsw",), fill={"{dimensions}": "3"}),
    "search: semantic, filtered": Case({**NEAR, **SOME_FILES}),
    "search: chunks in scope": Case(ONE),
    "search: imported": Case(
        {**ONE, "seed_repositories": [3], "seed_files": [30_005], "k": 60, "rows": 100}
    ),
    "search: located": Case({"files": FEW, "chunks": FEW, "repositories": [2] * len(FEW)}),
}

ANSWERS = {
    "answers: known symbols": Case({"names": ["zebra_20005", "Lib.zebra_20005"]}),
    "answers: cosine": Case(
        {"vector": "[1,0,0]", "repositories": [2] * 3, "chunks": FEW[:3]},
        also=("indexing_chunk_pkey", "indexing_embedding_pkey"),
    ),
}

INDEXING = {
    "enter_trigrams": Case({"batch": trigrams.BATCH, "bytes": 1_000_000}),
    "list_chunks": Case({"number": 2}),
    "post_terms": Case({"number": 2, "most": 255}),
    "files_of_no_kept_snapshot": Case({"newest": 1, "kept": [1]}),
    "delete_files_of_no_kept_snapshot": Case({"ids": FEW}, also=("repos_file_pkey",)),
    "delete_imports_of_no_kept_snapshot": Case(
        {"newest": 1, "kept": [1]}, also=("import_file", "indexing_import_pkey")
    ),
    "delete_{table}_of_no_chunk": Case({"hashes": [b"x" * 16] * 9}, fill={"{table}": "embedding"}),
    "fold_terms": Case({"gone": 1, "next": 2}, also=("indexing_termcount_pkey",)),
    "reuse_vectors": Case(
        {"number": 2}, also=("file_first", "file_last", "chunk_file", "indexing_embedding_pkey")
    ),
    "snapshot_totals": Case(also=("file_first", "chunk_file", "symbol_file", "snapshot_number")),
    "live_imports": Case(also=("import_file", "repos_file_pkey")),
    "set_import_targets": Case(
        {"ids": FEW, "paths": ["a"] * len(FEW)}, also=("indexing_import_pkey",)
    ),
    "close_imports_of_closed_files": Case({"last": 1}, also=("file_last", "import_file")),
    "close_changed_imports": Case({"ids": FEW}, also=("indexing_import_pkey",)),
    "reopen_imports": Case(also=("import_file",)),
    "delete_taken_over_imports": Case({"number": 2}, also=("import_file", "repos_file_pkey")),
    "chunks_without_vector": Case(
        {"after": b""}, also=("indexing_embedinput_pkey", "indexing_embedding_pkey")
    ),
    "embedded_counts": Case(also=("chunk_file", "repos_file_pkey", "indexing_embedding_pkey")),
    "lines_of_texts": Case(
        {"hashes": [b"x" * 16] * 9}, also=("chunk_embed_hash", "repos_file_pkey")
    ),
    "files_touched_by_policy": Case(
        {"key": "key"}, also=("indexing_content_pkey", "repos_file_pkey", "finding_file")
    ),
    "reading_rate": Case({"runs": 9, "least": 9}, also=("file_first",)),
    "text_size": Case(also=("snapshot_number",)),
    "list_folder": Case({"prefix": "src/", "skip": 5}, also=("file_first",)),
    "filter_paths": Case({"prefix": "src/", "skip": 5, "words": ["7"]}, also=("file_first",)),
    "find_names": Case({"names": ["module_7.py"]}, also=("file_first",)),
    "list_symbols": Case(
        {"pattern": "%name_01234%", "kinds": [], "name": "name_01234"},
        also=("symbol_name_trgm", "repos_file_pkey"),
    ),
}

REPOS = {
    "close_files": Case({"ids": FEW}, also=("repos_file_pkey",)),
    "reopen_files": Case({"last": 2}, also=("file_last",)),
    "delete_new_files": Case({"number": 2}, also=("file_first",)),
}
OUTBOUND = {"models_called": Case(also=("model_call_model",))}

CASES = SEARCH | ANSWERS | INDEXING | REPOS | OUTBOUND

# Statements without a plan of interest, and why.
NO_INDEX = {
    "count_terms": "ts_stat is given its statement as text",
    "insert_vectors": "reads nothing but what it is given",
    "embedding_rate": "reads runs and their stages, a few rows a day",
}
