"""Which index each statement of the exact search uses, at a size where it matters.

20,000 texts in 40 repositories, made in the database; the planner chooses freely.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection

from indexing import trigrams
from search import channels, exact, names
from search.exact_query import Needle
from search.scope import Scope
from search.sieve import sieve_of
from tests.search.conftest import remove_all

REPOSITORIES = 40
FILES = 500  # in each
MAKE = """
INSERT INTO repos_repository (id, slug, name, source, address, address_key, provider, ref, token,
    excludes, everyone, published_snapshot, created)
SELECT n, 'r' || n, 'r' || n, 'folder', '', '', '', '', '', '', true, 1, now()
FROM generate_series(1, %(repositories)s) n;
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
SELECT repository_id, id, id, 0, 1, 11, '', 'text', 10, ''::tsvector, '' FROM repos_file;
"""


@pytest.fixture(scope="module")
def large(django_db_setup, django_db_blocker) -> Iterator[None]:
    with django_db_blocker.unblock():
        try:
            with connection.cursor() as cursor:
                cursor.execute(MAKE, {"repositories": REPOSITORIES, "files": FILES})
                cursor.execute("VACUUM ANALYZE repos_file, indexing_content, indexing_chunk")
            yield
        finally:
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
        channels.LITERAL_SQL, sieve=SIEVE, patterns=["%raise Zebra%"], any_case=True, rows=300
    )
    assert "Bitmap Index Scan on content_trigrams" in found
    assert "Seq Scan on indexing_content" not in found


@pytest.mark.parametrize("fuzzy", [False, True])
def test_paths_come_from_their_trigram_index(*, fuzzy: bool):
    part = "module_77.py"
    found = plan(
        names.PATH_SQL, parts=[part], patterns=[f"%{part}%"], least=1, fuzzy=fuzzy, rows=300
    )
    assert "Bitmap Index Scan on file_path_trgm" in found
    assert "Seq Scan on repos_file" not in found


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
    found = plan(trigrams.ENTER, repository=2, batch=trigrams.BATCH)
    assert "content_waiting" in found
    assert "Seq Scan" not in found
