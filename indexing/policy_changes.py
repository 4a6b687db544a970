"""The record of changes of the policy, and which live files of a repository they touch."""

from collections.abc import Iterable

from django.db import connection, transaction
from django.db.models import Max

from indexing.policy_models import PolicyChange
from repos.models import Repository

Reach = PolicyChange.Reach

# Versions become visible in their order: a run that has read one has seen all before it.
LOCK = "/* lock_policy_changes */ SELECT pg_advisory_xact_lock(1179602516, 1)"

TOUCHED_FILES = """
/* files_touched_by_policy */
WITH change AS (
    SELECT p.* FROM indexing_policychange AS p
    WHERE (p.repository_id IS NULL OR p.repository_id = %(repository)s)
      AND p.id > (SELECT min(c.policy_version) FROM indexing_content AS c
                  WHERE c.repository_id = %(repository)s)
), live AS (
    SELECT c.file_id, c.policy_version, f.path
    FROM indexing_content AS c
    JOIN repos_file AS f ON f.repository_id = c.repository_id AND f.id = c.file_id
    WHERE c.repository_id = %(repository)s AND f.last_snapshot IS NULL
)
SELECT live.file_id FROM live
WHERE live.policy_version < (SELECT max(change.id) FROM change WHERE change.reach = 'files')
UNION
SELECT live.file_id
FROM change
CROSS JOIN unnest(change.fingerprints) AS value
JOIN indexing_finding AS x ON x.repository_id = %(repository)s AND x.fingerprint = value
JOIN live ON live.file_id = x.file_id AND live.policy_version < change.id
WHERE change.reach = 'values'
UNION
SELECT live.file_id
FROM change
JOIN indexing_finding AS x ON x.repository_id = %(repository)s
 AND (x.kind = ANY(change.kinds) OR (change.reach = 'flagged' AND x.action = 'flag'))
JOIN live ON live.file_id = x.file_id AND live.policy_version < change.id
WHERE change.reach IN ('kinds', 'flagged')
   OR (change.reach = 'path' AND live.path ~ change.path_regex)
UNION
SELECT live.file_id FROM indexing_finding AS x
JOIN live ON live.file_id = x.file_id
WHERE x.repository_id = %(repository)s AND x.key_id <> %(key)s
"""


def record_change(
    reach: PolicyChange.Reach,
    *,
    repository: Repository | None,
    kinds: Iterable[str] = (),
    path_regex: str = "",
    fingerprints: Iterable[bytes] = (),
) -> PolicyChange:
    """In the transaction that makes the change itself."""
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(LOCK)
        return PolicyChange.objects.create(
            reach=reach,
            repository=repository,
            kinds=list(kinds),
            path_regex=path_regex,
            fingerprints=list(fingerprints),
        )


def current_version() -> int:
    found: int | None = PolicyChange.objects.aggregate(Max("pk"))["pk__max"]
    return found or 0


def touched_files(repository: Repository, *, key_id: str) -> frozenset[int]:
    """Numbers of live files whose rows a later change of the policy, or another key, reaches."""
    with connection.cursor() as cursor:
        cursor.execute(TOUCHED_FILES, {"repository": repository.pk, "key": key_id})
        return frozenset(number for (number,) in cursor.fetchall())
