"""Which index each statement of search uses, at a size where it matters.

20,000 texts in 40 repositories, made in the database; the planner chooses freely.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from answers import stored
from indexing import trigrams
from repos.models import Repository
from search import channels, exact, graph, lexical, literal, names, postings, retrieval
from search.exact_query import Needle
from search.scope import Scope
from search.sieve import sieve_of
from tests.search.conftest import remove_all

REPOSITORIES = 40
FILES = 500  # in each
MAKE = """
INSERT INTO repos_file (repository_id, id, path, blob_sha, mode, size, lines, language,
    classification, reason, first_snapshot)
SELECT r, r * 10000 + n, 'src/' || md5((r * n)::text) || '/module_' || n || '.py', '', '100644',
    500, 10, 'python', 'indexed', '', 1
FROM generate_series(1, %(repositories)s) r, generate_series(1, %(files)s) n;
INSERT INTO indexing_content (repository_id, file_id, text, encoding, line_count, remarks,
    scrub_version, index_version, trigram_indexed)
SELECT f.repository_id, f.id, (
        SELECT string_agg('def ' || md5((f.id * g)::text) || '():', E'\\n')
        FROM generate_series(1, 10) g
    ) || CASE WHEN f.id %% 1000 = 7 THEN E'\\nraise ZebraError' ELSE '' END,
    'utf-8', 10, '', 1, 1, true
FROM repos_file f;
INSERT INTO indexing_chunk (repository_id, id, file_id, ordinal, start_line, end_line, symbol,
    kind, length, terms, embed_hash)
SELECT repository_id, id, id, 0, 1, 11, '', 'text', 10, ('common word' || id)::tsvector,
    decode(md5(id::text), 'hex')
FROM repos_file;
INSERT INTO indexing_symbol (repository_id, id, file_id, name, qualified_name, kind, signature,
    doc, lead_line, start_line, name_line, end_line, parent, exported)
SELECT repository_id, id, id, 'name_' || md5(id::text), 'name_' || md5(id::text), 'function', '',
    '', 1, 1, 1, 2, '', true
FROM repos_file;
INSERT INTO indexing_import (repository_id, id, file_id, module, names, line, target_path,
    first_snapshot)
SELECT repository_id, id, id, 'm', '', 1, path, 1 FROM repos_file;
INSERT INTO indexing_termcount (repository_id, term, snapshot, chunks)
SELECT repository_id, 'word' || id, 1, 1 FROM repos_file;
INSERT INTO indexing_posting (repository_id, term, snapshot, chunks)
SELECT repository_id, 'word' || id, 1, int4send(256) FROM repos_file;
INSERT INTO indexing_embedding (repository_id, model, embed_hash, vector)
SELECT repository_id, 'small', embed_hash, ('[' || id %% 97 || ',1,' || id %% 89 || ']')::halfvec
FROM indexing_chunk;
INSERT INTO repos_snapshot (repository_id, number, commit, ref, state, files, indexed_files, lines,
    bytes, symbols, chunks, tokens, created)
SELECT id, 1, '', '', 'published', 0, 0, 0, 0, 0, 500, 5000, now() FROM repos_repository;
INSERT INTO indexing_chunklist (repository_id, snapshot, ids, files, lengths)
SELECT id, n, '', '', '' FROM repos_repository, generate_series(1, 50) n;
CREATE INDEX small_hnsw ON indexing_embedding
    USING hnsw ((vector::halfvec(3)) halfvec_cosine_ops) WHERE model = 'small';
"""
UNMAKE = "DROP INDEX IF EXISTS small_hnsw"


@pytest.fixture(scope="module")
def large(django_db_setup, django_db_blocker) -> Iterator[None]:
    with django_db_blocker.unblock():
        try:
            Repository.objects.bulk_create(
                Repository(id=n, slug=f"r{n}", name=f"r{n}", source="folder", published_snapshot=1)
                for n in range(1, REPOSITORIES + 1)
            )
            with connection.cursor() as cursor:
                cursor.execute(MAKE, {"repositories": REPOSITORIES, "files": FILES})
                cursor.execute("VACUUM ANALYZE")
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute(UNMAKE)
            remove_all()


def plan(statement: str, **parameters: Any) -> str:
    scope = Scope(tuple(range(1, REPOSITORIES + 1)), (1,) * REPOSITORIES)
    with connection.cursor() as cursor:
        cursor.execute("EXPLAIN " + statement, {**scope.parameters(), **parameters})
        return "\n".join(row[0] for row in cursor.fetchall())


SIEVE = sieve_of((Needle(r"raise \w+Error$", is_regex=True, ignore_case=True),))

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("large")]


def test_candidates_come_from_the_trigram_index():
    found = plan(exact.SIFT_SQL, sieve=SIEVE, rows=exact.CANDIDATES)
    assert "Bitmap Index Scan on content_trigrams" in found
    assert "Bitmap Index Scan on content_waiting" in found
    assert "Seq Scan on indexing_content" not in found


def test_exact_text_comes_from_the_trigram_index():
    found = plan(
        literal.LITERAL_SQL, sieve=SIEVE, patterns=["%raise Zebra%"], any_case=True, rows=300
    )
    assert "Bitmap Index Scan on content_trigrams" in found
    assert "Seq Scan on indexing_content" not in found


def test_text_in_few_files_is_read_by_their_keys():
    found = plan(
        literal.FEW_SQL, patterns=["%raise Zebra%"], any_case=False, rows=300,
        only_repositories=[2] * 40, only_files=[20_000 + number for number in range(1, 41)],
    )  # fmt: skip
    assert "indexing_content_pkey" in found
    assert "repos_file_pkey" in found
    assert "Seq Scan" not in found


def test_chunks_of_lines_are_found_by_where_they_begin():
    found = plan(
        literal.CHUNKS_SQL, held_repositories=[2] * 40, lines=[5] * 40,
        held_files=[20_000 + number for number in range(1, 41)],
    )  # fmt: skip
    assert "Index Scan Backward using chunk_file" in found
    assert "Seq Scan" not in found


@pytest.mark.parametrize("statement", ["PATH_SQL", "TOGETHER_SQL", "NEAR_PATH_SQL"])
def test_paths_come_from_their_trigram_index(statement: str):
    part = "module_77.py"
    found = plan(getattr(names, statement), parts=[part], patterns=[f"%{part}%"], rows=300)
    assert "Bitmap Index Scan on file_path_trgm" in found
    assert "Seq Scan on repos_file" not in found


@pytest.mark.parametrize(
    ("statement", "index"),
    [
        ("NAMED_SQL", "symbol_folded"),
        ("BEGUN_SQL", "symbol_folded"),
        ("SLIPPED_SQL", "symbol_folded"),
        ("SIMILAR_SQL", "symbol_name_trgm"),
        ("WITHIN_SQL", "symbol_file"),
    ],
)
def test_names_come_from_their_index(statement: str, index: str):
    found = plan(
        getattr(names, statement),
        names=["name_0123456789"],
        qualified=["name_0123456789"],
        leasts=[0.5],
        slips=names.slips("name0123456789"),
        only_repositories=[2] * 3,
        only_files=[20_001, 20_002, 20_003],
        most=1000,
        rows=300,
    )
    assert f"on {index}" in found or f"using {index}" in found
    assert "Seq Scan" not in found


def test_postings_are_read_by_their_keys():
    found = plan(postings.POSTINGS, terms=["word20005", "word30007", "absent"])
    assert "indexing_posting_pkey" in found
    assert "indexing_termcount_pkey" in found
    assert "Seq Scan" not in found


def test_lists_of_chunks_are_read_by_their_key():
    found = plan(postings.LISTS, repositories=[3], snapshots=[1])
    assert "using indexing_chunklist_pkey" in found


def test_candidates_without_postings_come_from_the_index_of_terms():
    words = ["word20005", "word30007"]
    found = plan(
        lexical.LEXICAL_SQL, terms=words, weights=[1.0, 1.0], queries=words,
        candidates=" | ".join(words), whole=2.0, average=10.0, cap=1000, rows=300, k1=1.5, b=0.75,
        title=1.5, doc=1.0,
    )  # fmt: skip
    assert "Bitmap Index Scan on chunk_terms" in found
    assert "Seq Scan on indexing_chunk" not in found


def test_the_files_of_the_best_are_read_by_their_key():
    found = plan(lexical.LIVE_SQL, best_repositories=[2] * 300, best_files=list(range(300)))
    assert "repos_file_pkey" in found
    assert "Seq Scan on repos_file" not in found


def test_chunks_of_a_kind_are_read_by_their_key():
    found = plan(
        lexical.KINDRED_SQL, kinds=["class"], best_repositories=[2] * 9, best_chunks=[20_001] * 9
    )
    assert "indexing_chunk_pkey" in found
    assert "Seq Scan" not in found


def test_chunks_that_hold_words_come_from_the_index_of_terms():
    found = plan(channels.HOLDING_SQL, held="'word20005' & 'common'", rows=100)
    assert "chunk_terms" in found
    assert "Seq Scan on indexing_chunk" not in found


def near(statement: str, **parameters: Any) -> str:
    return plan(statement, vector="[1,0,0]", model="small", near=100, rows=100, **parameters)


def test_many_vectors_are_found_by_the_index_of_the_model():
    found = near(channels.NEAR_SQL.replace("{dimensions}", "3"))
    assert "using small_hnsw" in found
    assert "chunk_embed_hash" in found
    assert "Seq Scan" not in found


def test_the_vectors_of_one_repository_are_read_by_their_key():
    found = near(channels.SEMANTIC_SQL, repositories=[3], snapshots=[1])
    assert "indexing_embedding_pkey" in found
    assert "Seq Scan on indexing_embedding" not in found


def test_the_vectors_of_few_files_are_read_by_their_keys():
    few = [20_000 + number for number in range(1, 41)]
    found = near(channels.FILTERED_SQL, only_repositories=[2] * 40, only_files=few)
    assert "chunk_file" in found
    assert "Seq Scan on indexing_chunk" not in found
    assert "indexing_embedding_pkey" in found
    assert "Seq Scan on indexing_embedding" not in found


def test_statistics_and_sizes_are_read_by_their_keys():
    assert "indexing_termcount_pkey" in plan(channels.STATISTICS, terms=["word20005"])
    one = {"repositories": [3], "snapshots": [1]}
    assert "Seq Scan on indexing_termcount" not in plan(channels.STATISTICS, terms=["a"], **one)
    assert "using indexing_chunklist_pkey" in plan(postings.TOTALS)


def test_what_files_import_is_read_by_the_seeds():
    found = plan(graph.IMPORTED_SQL, seed_repositories=[2], seed_files=[20_005], k=60, rows=100)
    assert "import_file" in found
    assert "Seq Scan on indexing_chunk" not in found


def test_best_rows_are_named_by_their_keys():
    parameters = {"files": [20_001] * 300, "chunks": [20_001] * 300, "repositories": [2] * 300}
    found = plan(retrieval.LOCATED, **parameters)
    assert "repos_file_pkey" in found
    assert "indexing_chunk_pkey" in found
    assert "Seq Scan" not in found


def test_names_that_an_answer_says_are_looked_up_by_the_index_of_names():
    found = plan(stored.SYMBOLS, names=["zebra_20005", "Lib.zebra_20005"])
    assert "symbol_folded" in found
    assert "Seq Scan on indexing_symbol" not in found


def test_texts_are_read_by_their_key():
    keys = [20_000 + number for number in range(1, 33)]
    found = plan(exact.TEXTS_SQL, repositories=[2] * 32, files=keys, rows=32)
    assert "using indexing_content_pkey" in found
    assert "Seq Scan on indexing_content" not in found


def test_files_of_chosen_repositories_are_listed_by_an_index():
    found = plan(
        exact.LISTED_SQL, repositories=[3], snapshots=[1], place=1, path="", rows=exact.LISTED
    )
    assert "on repos_file" in found
    assert "Seq Scan on repos_file" not in found


def test_lines_of_a_kind_come_from_the_chunks_of_the_file():
    found = plan(
        exact.KIND_LINES_SQL, kinds=["class"], asked_repositories=[2], asked_files=[20_005]
    )
    assert "chunk_file" in found
    assert "Seq Scan on indexing_chunk" not in found


def test_texts_that_wait_are_found_by_their_index():
    found = plan(trigrams.ENTER, repository=2, batch=trigrams.BATCH, bytes=1_000_000)
    assert "content_waiting" in found
    assert "Seq Scan" not in found
