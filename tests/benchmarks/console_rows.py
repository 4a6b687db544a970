"""Rows for the console at size, made in the database: findings, events, model calls.

They have the shape of real ones: few kinds and people hold most, a third of the findings stand in
files that were replaced, some values stand in thousands of places, and reviews of all three scopes
are in force. `n` findings, as many events and calls, and twice as many ranges that were sent.
"""

from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.utils import timezone

REPOSITORIES, SNAPSHOTS, PEOPLE = 40, 12, 200
FINDINGS_A_FILE = 10

REPOSITORY_ROWS = """
INSERT INTO repos_repository (id, slug, name, source, address, address_key, provider, ref, token,
    excludes, everyone, published_snapshot, created, source_state, source_checked)
SELECT r, 'service-' || r, 'service-' || r, 'git', 'https://code.example.com/team/s' || r, '',
    '', '', '', '', true, %(snapshots)s, %(now)s - interval '1 year',
    CASE WHEN r = 7 THEN 'gone' ELSE 'public' END, %(now)s
FROM generate_series(1, %(repositories)s) r;
INSERT INTO repos_snapshot (repository_id, number, commit, ref, state, files, indexed_files, lines,
    bytes, symbols, chunks, tokens, created, published)
SELECT r, n, md5(r || '/' || n) || md5(n || '-' || r)::varchar(8), '', 'published', 0, 0, 0, 0, 0,
    0, 0, %(now)s, %(now)s - (%(snapshots)s - n) * interval '28 days'
FROM generate_series(1, %(repositories)s) r, generate_series(1, %(snapshots)s) n;
"""
PEOPLE_ROWS = """
INSERT INTO accounts_user (password, is_superuser, username, first_name, last_name, email, is_staff,
    is_active, date_joined, role, theme)
SELECT '', false, 'person-' || p, '', '', '', false, true, %(now)s, 'member', 'system'
FROM generate_series(1, %(people)s) p;
"""
# The first repository holds a fifth. Of the files the first third ended before the last snapshot.
FILE_ROWS = """
INSERT INTO repos_file (repository_id, id, path, blob_sha, mode, size, lines, language,
    classification, reason, first_snapshot, last_snapshot)
SELECT CASE WHEN mod(n, 5) = 0 THEN 1 ELSE 1 + mod(n, %(repositories)s) END, n,
    (ARRAY['src', 'tests/fixtures', 'deploy/live', 'docs', 'config'])[1 + mod(n / 7, 5)]
        || '/area_' || mod(n, 97) || '/module_' || n || '.py', md5(n::text), '100644', 900, 20,
    'python', 'indexed', '',
    CASE WHEN n <= files / 3 THEN 1 + mod(n, 9) ELSE 1 + mod(n, %(snapshots)s) END,
    CASE WHEN n <= files / 3 THEN 9 + mod(n, 3) END
FROM (SELECT generate_series(1::bigint, files) AS n, files
      FROM (SELECT %(rows)s::bigint / %(a_file)s AS files) AS f) AS numbers;
INSERT INTO indexing_content (repository_id, file_id, text, encoding, line_count, remarks,
    scrub_version, index_version, policy_version, trigram_indexed)
SELECT repository_id, id, (
        SELECT string_agg('setting_' || l || ' = "[REDACTED:EMAIL]__________" # ' || md5(id || '/'
            || l), E'\\n' ORDER BY l) FROM generate_series(1, 20) l
    ), 'utf-8', 20, '', 1, 1, 0, true
FROM repos_file;
"""
FINDING_ROWS = """
INSERT INTO indexing_finding (repository_id, id, file_id, line, start_col, end_col, kind, action,
    confidence, "group", fingerprint, key_id, leads)
SELECT f.repository_id, n, f.id, 1 + mod(n * 2, 20), 13, 40, kind,
    CASE WHEN mod(d, 100) < 6 THEN 'flag' WHEN mod(d, 100) = 7 THEN 'allow' ELSE 'redact' END,
    CASE WHEN mod(d, 100) < 6 THEN 'low' WHEN mod(d, 3) = 0 THEN 'medium' ELSE 'high' END,
    n, sha256(convert_to(kind || CASE WHEN mod(d, 40) = 0 THEN mod(d, 7) ELSE mod(d, 300000) END,
        'utf8')), 'k1', true
FROM (SELECT n, d, (n - 1) / %(a_file)s + 1 AS file,
        (ARRAY['email', 'email', 'email', 'email', 'high_entropy', 'high_entropy', 'password',
            'url_credentials', 'phone', 'kind_' || mod(d / 11, 40)])[1 + mod(d, 10)] AS kind
      FROM (SELECT n, mod(n * 7919, 1000003) AS d
            FROM generate_series(1::bigint, %(rows)s) n) AS numbers) AS x
JOIN repos_file AS f ON f.id = x.file;
"""
REVIEW_ROWS = """
INSERT INTO indexing_findingreview (decision, scope, kind, glob, path_regex, reason, person_id,
    created)
SELECT CASE WHEN mod(n, 3) = 0 THEN 'confirmed' ELSE 'dismissed' END, 'value', '', '', '',
    'looked at it', (SELECT min(id) FROM accounts_user), %(now)s - n * interval '1 hour'
FROM generate_series(1, 2000) n
UNION ALL
SELECT 'dismissed', 'path', 'password', 'tests/fixtures/area_' || n || '/**',
    '^tests/fixtures/area_' || n || '/.*$', 'made up', (SELECT min(id) FROM accounts_user), %(now)s
FROM generate_series(1, 20) n
UNION ALL
SELECT 'dismissed', 'kind', 'kind_' || n, '', '', 'no secret here',
    (SELECT min(id) FROM accounts_user), %(now)s
FROM generate_series(1, 3) n;
INSERT INTO indexing_reviewedvalue (review_id, kind, key_id, fingerprint)
SELECT DISTINCT w.id, x.kind, x.key_id, x.fingerprint
FROM indexing_findingreview AS w
JOIN indexing_finding AS x ON x.id BETWEEN w.id * 100 AND w.id * 100 + 9
WHERE w.scope = 'value';
INSERT INTO indexing_policychange (reach, kinds, path_regex, fingerprints, created)
VALUES ('files', '{}', '', '{}', %(now)s);
"""
# Numbers of version 7, a year of them; sealed but for the last hundred.
EVENT_ROWS = """
INSERT INTO accounts_auditevent (id, created, action, person_id, person_name, client, repository_id,
    repository_slug, subject, link, detail, key_id, mac, position, seal)
SELECT (lpad(to_hex((extract(epoch FROM moment) * 1000)::bigint), 12, '0') || '7'
        || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid,
    moment, action, p.id, p.username, '10.0.0.' || mod(n, 250),
    CASE WHEN action LIKE 'view%%' THEN 1 + mod(n, %(repositories)s) END,
    CASE WHEN action LIKE 'view%%' THEN 'service-' || 1 + mod(n, %(repositories)s) ELSE '' END,
    CASE WHEN action = 'view.file' THEN 'src/area_' || mod(n, 97) || '/module_' || mod(n, 9000)
        || '.py' WHEN action = 'view.search' THEN 'where is the retry of ' || md5(n::text)
        ELSE '' END,
    '/r/service-' || 1 + mod(n, %(repositories)s) || '/', '{}', 'bench', '\\x00',
    CASE WHEN n <= %(rows)s - 100 THEN n END, CASE WHEN n <= %(rows)s - 100 THEN '\\x00'::bytea END
FROM (SELECT n, %(now)s - (%(rows)s - n) * (interval '365 days' / %(rows)s) AS moment,
        (ARRAY['view.file', 'view.file', 'view.file', 'view.file', 'view.search', 'view.search',
            'view.answer', 'view.repository', 'sign_in.done', CASE mod(n / 10, 500)
            WHEN 0 THEN 'policy.changed' WHEN 1 THEN 'repository.deleted' WHEN 2 THEN
            'findings.dismissed' WHEN 3 THEN 'console.denied' ELSE 'console.viewed' END
        ])[1 + mod(n, 10)] AS action,
        1 + mod(mod(n * 31, 1009) * mod(n * 17, 1013), 331) AS share
      FROM generate_series(1::bigint, %(rows)s) n) AS x
JOIN LATERAL (SELECT id, username FROM accounts_user
      WHERE username = 'person-' || 1 + CASE WHEN share > 150 THEN mod(share, 9)
        ELSE mod(share, %(people)s) END) AS p ON true;
"""
CALL_ROWS = """
INSERT INTO outbound_modelcall (created, finished, person_id, purpose, subject, repositories,
    provider, model, endpoint, state, failure, error, prompt_tokens, completion_tokens,
    cached_tokens, estimated, cost, milliseconds, retries, redactions)
SELECT moment, moment, p.id,
    CASE WHEN mod(n, 50000) = 0 THEN 'judge' WHEN mod(n, 3) = 0 THEN 'answer'
        WHEN mod(n, 7) = 0 THEN 'rerank' ELSE 'embed' END,
    'answer:' || md5((n / 4)::text)::uuid, ARRAY[1 + mod(n, %(repositories)s)], 'provider',
    CASE WHEN mod(n, 40000) = 0 THEN 'provider/rare' ELSE 'provider/model-' || mod(n, 6) END,
    'models.example.com:443', CASE WHEN mod(n, 2500) = 0 THEN 'blocked' WHEN mod(n, 400) = 1
        THEN 'failed' ELSE 'done' END, '', '', 1000 + mod(n, 3000), 100, 0, false,
    CASE WHEN mod(n, 6) = 5 THEN NULL ELSE 0.001 END, 900, 0, mod(n, 4)
FROM (SELECT n, %(now)s - (%(rows)s - n) * (interval '365 days' / %(rows)s) AS moment
      FROM generate_series(1::bigint, %(rows)s) n) AS x
JOIN accounts_user AS p ON p.username = 'person-' || 1
    + CASE WHEN mod(n, 3) = 0 THEN mod(n / 3, 5) ELSE mod(n * 31, %(people)s) END
ORDER BY n;
INSERT INTO outbound_sentlines (repository_id, model_call_id, ordinal, repository, commit, path,
    start_line, end_line, what)
SELECT c.repositories[1], c.id, o, 'service-' || c.repositories[1],
    md5(c.repositories[1] || '/' || 12) || md5(12 || '-' || c.repositories[1])::varchar(8),
    'src/area_' || mod(c.id, 97) || '/module_' || mod(c.id * 3 + o, 90000) || '.py', 1, 20,
    'evidence'
FROM outbound_modelcall AS c, generate_series(0, 1) o;
"""
# The trail is only added to, but for what prunes it.
EMPTY_TRAIL = "SET LOCAL footnote.audit_prune = 'on'; TRUNCATE accounts_auditevent"
STEPS = (
    REPOSITORY_ROWS, PEOPLE_ROWS, FILE_ROWS, FINDING_ROWS, REVIEW_ROWS, EVENT_ROWS, CALL_ROWS,
)  # fmt: skip
# Rows with numbers of their own leave the sequences behind.
SEQUENCE = "SELECT setval(pg_get_serial_sequence('repos_repository', 'id'), %(repositories)s)"


def make(rows: int) -> None:
    """Into an empty database."""
    parameters: dict[str, Any] = {
        "rows": rows, "repositories": REPOSITORIES, "snapshots": SNAPSHOTS, "people": PEOPLE,
        "a_file": FINDINGS_A_FILE, "now": timezone.now() - timedelta(minutes=5),
    }  # fmt: skip
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(EMPTY_TRAIL)
    with connection.cursor() as cursor:
        for step in (*STEPS, SEQUENCE):
            cursor.execute(step, parameters)
        cursor.execute("VACUUM ANALYZE")
