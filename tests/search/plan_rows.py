"""A database at a size where a plan matters: 20,000 texts in 40 repositories, made in SQL."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

from repos.models import Repository
from search.scope import Scope
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
SELECT id, n, '', '', 'published', 0, 0, 0, 0, 0, 500, 5000, now()
FROM repos_repository, generate_series(1, 50) n;
INSERT INTO indexing_chunklist (repository_id, snapshot, ids, files, lengths)
SELECT id, n, '', '', '' FROM repos_repository, generate_series(1, 50) n;
INSERT INTO indexing_embedinput (repository_id, id, file_id, text)
SELECT repository_id, id, file_id, 'text' FROM indexing_chunk;
INSERT INTO indexing_finding (repository_id, id, file_id, line, start_col, end_col, kind, action,
    confidence, "group", fingerprint, key_id, leads)
SELECT repository_id, id, id, 1, 0, 9, 'email', 'redact', 'high', 0, decode(md5(id::text), 'hex'),
    'key', true
FROM repos_file;
INSERT INTO outbound_modelcall (created, purpose, subject, repositories, provider, model, endpoint,
    state, failure, error, prompt_tokens, completion_tokens, cached_tokens, estimated, retries,
    redactions)
SELECT now(), 'answer', '', ARRAY[2::bigint], 'p', 'p/m', '', 'done', '', '', 0, 0, 0, false, 0, 0
FROM generate_series(1, 100);
INSERT INTO outbound_sentlines (repository_id, model_call_id, ordinal, repository, commit, path,
    start_line, end_line, what)
SELECT 1 + n %% 40, c.id, n, 'r', '', 'src/' || n, 1, 2, 'evidence'
FROM outbound_modelcall c, generate_series(1, 200) n;
CREATE INDEX small_hnsw ON indexing_embedding
    USING hnsw ((vector::halfvec(3)) halfvec_cosine_ops) WHERE model = 'small';
"""
UNMAKE = "DROP INDEX IF EXISTS small_hnsw; TRUNCATE outbound_modelcall CASCADE"


@contextmanager
def large_database() -> Iterator[None]:
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


def everything() -> Scope:
    return Scope(tuple(range(1, REPOSITORIES + 1)), (1,) * REPOSITORIES)
