"""What the best files import: the code they rest on often holds the other half of an answer."""

from collections.abc import Sequence

from search.channels import Ranked, over_files, run
from search.fusion import Fused
from search.scope import FileKey, Scope

SEEDS = 10  # files whose imports count
ROWS = 100
RANK_K = 60  # the first seed counts little more than the last

# Each seed shares its weight among what it imports, less the more that is.
IMPORTED_SQL = over_files("""
/* search: imported; uses import_file and file_path_first */
{files}, seeds AS (
    SELECT * FROM unnest(%(seed_repositories)s::bigint[], %(seed_files)s::bigint[])
        WITH ORDINALITY AS given(repository_id, file_id, rank)
), targets AS (
    SELECT DISTINCT s.repository_id, s.file_id, s.rank, i.target_path
    FROM seeds s
    JOIN scope ON scope.repository_id = s.repository_id
    JOIN indexing_import i ON i.repository_id = s.repository_id AND i.file_id = s.file_id
        AND i.first_snapshot <= scope.snapshot
        AND (i.last_snapshot IS NULL OR i.last_snapshot >= scope.snapshot)
    WHERE i.target_path <> ''
), shared AS (
    SELECT *, 1 / sqrt(count(*) OVER (PARTITION BY repository_id, file_id)) AS share
    FROM targets
), scored AS (
    SELECT repository_id, target_path, sum(share / (%(k)s + rank)) AS score
    FROM shared
    GROUP BY repository_id, target_path
)
SELECT f.repository_id, f.id, c.id, t.score, f.path
FROM scored t
JOIN files f ON f.repository_id = t.repository_id AND f.path = t.target_path
LEFT JOIN indexing_chunk c ON c.repository_id = f.repository_id AND c.file_id = f.id
    AND c.ordinal = 0
ORDER BY t.score DESC, f.path, f.repository_id
LIMIT %(rows)s""")


def imported(fused: Sequence[Fused], scope: Scope) -> list[Ranked]:
    """Files that the best files import, found or not."""
    seeds = _best_files(fused)
    parameters = {
        **scope.parameters(),
        "seed_repositories": [seed.repository_id for seed in seeds],
        "seed_files": [seed.file_id for seed in seeds],
        "k": RANK_K,
        "rows": ROWS,
    }
    return [Ranked(*row) for row in run(IMPORTED_SQL, parameters)] if seeds else []


def _best_files(fused: Sequence[Fused]) -> list[FileKey]:
    ordered = sorted(fused, key=lambda row: -row.file_score)
    keys = dict.fromkeys(FileKey(row.repository_id, row.file_id) for row in ordered)
    return list(keys)[:SEEDS]
